package remotefs

import (
	"context"
	"errors"
	"io/fs"
	"path"
	"sync"
	"time"

	"psync/internal/vfs"
	"psync/internal/vfs/remotefs/files"
	"psync/internal/vfs/remotefs/session"
	"psync/internal/wire"
)

// Dial starts a session. Closing the Host closes the channel that dial returns. Dial returns an error of dial unchanged.
func Dial(ctx context.Context, dial Dialer, o Options) (*Host, error) {
	h := &Host{s: new(files.Client)}
	_, err := session.Dial(ctx, dial, o, func(s *session.Session) {
		h.s.Session = s
		if o.Questions != nil {
			h.startAnswering(o.Questions)
		}
	})
	if err != nil {
		return nil, err
	}
	return h, nil
}

// startAnswering asks the server the questions that the Host will likely be asked. It does not wait for the answers.
func (h *Host) startAnswering(q *vfs.Questions) {
	_ = h.Prepare(q.Preparation) // a failure ends the session
	h.AskPaths(q)
	h.ahead.mu.Lock()
	defer h.ahead.mu.Unlock()
	h.ahead.dirs = make(map[wire.OpenPath]*Dir)
	for _, o := range q.Opens {
		m := wire.OpenPath{Path: o.Path, Options: o.Options}
		if h.ahead.dirs[m] != nil {
			continue
		}
		sent := m
		d := h.startOpening(&sent)
		h.ahead.dirs[m] = d
		if o.List {
			d.startListing()
		}
	}
}

// AskPaths asks the questions about paths that the Host will likely be asked next. It does not wait for the answers.
func (h *Host) AskPaths(q *vfs.Questions) {
	for _, p := range q.Stat {
		h.startAsking(wire.PathQuery{Query: wire.QueryStat, Path: p})
	}
	for _, p := range q.Lstat {
		h.startAsking(wire.PathQuery{Query: wire.QueryLstat, Path: p})
	}
	for _, p := range q.Resolve {
		h.startAsking(wire.PathQuery{Query: wire.QueryResolve, Path: p})
	}
}

// openedAhead holds the directories that were opened before anyone asked for them.
type openedAhead struct {
	mu   sync.Mutex // guards what follows
	dirs map[wire.OpenPath]*Dir
}

// take removes and returns the directory that a request would open, or nil if that was not opened ahead.
func (a *openedAhead) take(m *wire.OpenPath) *Dir {
	a.mu.Lock()
	defer a.mu.Unlock()
	d := a.dirs[*m]
	delete(a.dirs, *m)
	return d
}

// Open implements [vfs.Host].
func (h *Host) Open(p string, o vfs.OpenOptions) (vfs.Dir, error) {
	m := &wire.OpenPath{Path: p, Options: o}
	if d := h.ahead.take(m); d != nil {
		if info, err := d.handle.Info(); err == nil && d.know(info, time.Now()) == nil {
			return d, nil
		}
		_ = d.Close() // it may be out of date by now
	}
	defer h.paths.forget() // it may make directories
	d := h.startOpening(m)
	info, err := d.handle.Info()
	if err == nil {
		err = d.know(info, time.Now())
	}
	if err != nil {
		_ = d.Close() // nothing was done with it
		missing := m.Path
		if m.Options.Mkdir && !m.Options.MkdirAll && errors.Is(err, fs.ErrNotExist) {
			missing = path.Dir(m.Path)
		}
		return nil, session.PathError("open", missing, err)
	}
	return d, nil
}

// startOpening starts opening a directory by path and does not wait for the answer.
func (h *Host) startOpening(m *wire.OpenPath) *Dir {
	m.New = h.s.NewHandle()
	d := newDir(h.s, &h.tree, &h.kept, session.Opened(h.s.Session, m.New))
	d.path = m.Path
	session.Post(h.s.Session, m, d.handle.Answered)
	return d
}
