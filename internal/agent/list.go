package agent

import (
	"errors"
	"io/fs"
	"strings"
	"syscall"
	"time"

	"psync/internal/vfs"
	"psync/internal/wire"
)

const (
	partSize      = 64 << 10  // bytes of a part of a listing
	aheadSize     = 128 << 10 // bytes of the longest listing of a directory that is sent unasked
	maxAhead      = 4 << 20   // bytes of all listings that are sent unasked
	entrySize     = 64        // bytes of an entry without its strings, about
	attributeSize = 16        // bytes of an extended attribute without its strings, about
	maxMisses     = 64        // directories that one request has listed without sending that
	listMemory    = 1 << 20   // what a list holds in memory, about: an entry takes some 200 bytes there

	maxWait = 2 * time.Millisecond  // how long listings wait for others, so that they share packets
	maxHold = 20 * time.Millisecond // how long they wait if no others come, as from a slow or hanging directory
)

// list sends listings, and returns the last one.
func (s *server) list(r *request, m *wire.List) (wire.Message, error) {
	defer s.memory.release(s.memory.acquire(listMemory))
	l := lists{
		s: s, id: r.frame.ID, base: r.first.object.dir, facts: r.first.object.dirFacts,
		ahead: min(int(m.Ahead), maxAhead), prepare: s.prepare.Load().Preparation,
	}
	defer l.closeParent()
	if len(m.Below) > 0 {
		l.named, l.queue = true, m.Below
	} else if err := l.listBase(r.first, m); err != nil {
		return nil, err
	}
	for len(l.queue) > 0 && l.ahead > 0 && !r.first.abandoned.Load() {
		path := l.queue[0]
		l.queue = l.queue[1:]
		if err := l.listBelow(path); err != nil {
			return nil, err
		}
	}
	l.part.End = true
	return &l.part.Listing, nil
}

// lists makes the answers to one request. It holds back the last one so far, until it knows whether others follow.
type lists struct {
	s       *server
	id      uint64
	base    vfs.Dir
	facts   dirFacts
	prepare vfs.Preparation
	ahead   int      // bytes of listings that may still be sent unasked
	misses  int      // directories that were listed and not sent
	queue   []string // paths of directories to list
	named   bool     // the request names the first ones of queue
	part    part
	spare   []wire.Entry
	sent    time.Time   // when answers were last sent without waiting for others
	hold    *time.Timer // sends those that wait, or nil
	above   string      // the path of parent
	parent  vfs.Dir     // of the last directory that was opened, or nil
}

// A part is an answer that is being made.
type part struct {
	wire.Listing
	size int // about
}

// listBase lists the directory of the request. The error is that of sending, or of a listing that cannot be continued.
func (l *lists) listBase(h *handle, r *wire.List) error {
	var c *cursor
	if !r.Continue {
		c = newCursor(l.base, r.Cursor)
	} else if c = l.s.resume(h, r.Cursor); c == nil {
		return syscall.ESTALE
	}
	l.part.First = true
	ended, err := l.listFrom(c, int(r.Most))
	if err != nil {
		c.stop()
		return err
	}
	l.part.Last = true
	switch {
	case ended:
		c.stop()
	case l.s.pause(h, c):
		l.part.More, l.queue = true, nil
	default:
		c.stop()
		l.part.Failure, l.queue = wire.ErrorOf(syscall.EMFILE), nil
	}
	return nil
}

// listFrom lists entries of about most bytes, or all if that is 0. It reports whether there are no more. The error is
// that of sending.
func (l *lists) listFrom(c *cursor, most int) (ended bool, err error) {
	sent := 0
	for {
		if most > 0 && sent+l.part.size >= most {
			return false, nil
		}
		e, ok, err := c.entry()
		if !ok {
			if err != nil {
				l.part.Failure, l.queue = wire.ErrorOf(err), nil
			}
			return true, nil
		}
		if l.part.size >= partSize {
			sent += l.part.size
			if err := l.send(); err != nil {
				return false, err
			}
			l.part = part{Listing: wire.Listing{Seq: l.part.Seq + 1, Entries: l.part.Entries[:0]}}
		}
		l.add(&l.part, l.base, e)
	}
}

// send sends the last answer so far, together with others unless that has kept the client waiting.
func (l *lists) send() error {
	if now := time.Now(); now.Sub(l.sent) > maxWait {
		l.sent = now
		return l.s.send(l.id, &l.part.Listing)
	}
	if l.hold == nil {
		l.hold = time.AfterFunc(maxHold, l.s.link.Flush)
	} else {
		l.hold.Reset(maxHold)
	}
	return l.s.sendBy(l.s.link.SendLater, l.id, &l.part.Listing)
}

// add appends an entry of d, and has a directory listed later.
func (l *lists) add(p *part, d vfs.Dir, e vfs.Entry) {
	entry := l.entry(d, e)
	p.size += entrySize + len(entry.Name) + len(entry.Target) + sizeOf(entry.Extra)
	p.Entries = append(p.Entries, entry)
	if entry.Attr.Mode.IsDir() && !entry.Gone && entry.Attr.Dev == l.facts.dev && len(l.queue)*wire.MinListing < l.ahead {
		l.queue = append(l.queue, vfs.Join(p.Path, e.Name))
	}
}

func (l *lists) entry(d vfs.Dir, e vfs.Entry) wire.Entry {
	entry := wire.Entry{Name: e.Name}
	a, err := vfs.Lstat(d, e.Name)
	if err == nil && a.Mode.Type() == fs.ModeSymlink {
		entry.Target, err = d.Readlink(e.Name)
	}
	if err != nil {
		entry.Gone, entry.Attr.Mode = true, e.Type
		return entry
	}
	entry.Attr = a
	if wantsExtra(l.prepare) {
		if n, err := d.Node(e.Name); err == nil {
			entry.Extra = extraOf(n, l.prepare)
			vfs.CloseUnwritten(n)
		}
	}
	return entry
}

// errTooLong ends a listing that is not sent unasked.
var errTooLong = errors.New("too long")

// listBelow lists the directory at path, relative to that of the request, unless it is on another volume. If its listing is
// too long, listBelow says so. The error is that of sending.
func (l *lists) listBelow(path string) error {
	p := part{size: wire.MinListing + len(path), Listing: wire.Listing{
		Seq: l.part.Seq + 1, Path: path, Entries: l.spare[:0], First: true, Last: true,
	}}
	if p.size > l.ahead {
		return nil
	}
	queued := len(l.queue)
	info, err := l.fill(&p)
	switch {
	case err == errTooLong && p.size > aheadSize:
		l.queue = l.queue[:queued]
		if l.named {
			l.ahead -= p.size // so that one request does not look at too many entries for nothing
		}
		p.Entries, p.More, p.size = nil, true, wire.MinListing+len(path)
	case err == errTooLong || err == nil && info.Attr.Dev != l.facts.dev:
		l.spare, l.queue = p.Entries, l.queue[:queued]
		if l.misses++; l.misses == maxMisses {
			l.queue = nil // others would hardly fit, either
		}
		return nil
	case info == nil:
		p.Failure = wire.ErrorOf(err)
	default:
		p.Info, p.Failure = info, wire.ErrorOf(err)
	}
	if err := l.send(); err != nil {
		return err
	}
	l.ahead -= p.size
	l.part, l.spare = p, l.part.Entries
	return nil
}

// fill opens and lists the directory at p.Path. It returns nil if it could not be opened.
func (l *lists) fill(p *part) (*wire.DirInfo, error) {
	d, err := l.open(p.Path)
	if err != nil {
		return nil, err
	}
	defer d.Close()
	info, err := infoOf(d, l.facts)
	if err != nil {
		return nil, err
	}
	if info.Attr.Dev != l.facts.dev {
		return &info, nil
	}
	return &info, d.ReadDir(func(entries []vfs.Entry) error {
		for _, e := range entries {
			if l.add(p, d, e); p.size > min(l.ahead, aheadSize) {
				return errTooLong
			}
		}
		return nil
	})
}

// open opens the directory at path. Of directories with the same parent, which follow each other, it opens that
// only once.
func (l *lists) open(path string) (vfs.Dir, error) {
	i := strings.LastIndexByte(path, '/')
	above, name := path[:max(i, 0)], path[i+1:]
	if above == "" {
		return l.base.OpenDir(name, vfs.NoFollow)
	}
	if l.parent == nil || above != l.above {
		l.closeParent()
		d, err := vfs.Descend(l.base, above, vfs.NoFollow.OpenDir)
		if err != nil {
			return nil, err
		}
		l.above, l.parent = above, d
	}
	return l.parent.OpenDir(name, vfs.NoFollow)
}

func (l *lists) closeParent() {
	if l.parent != nil {
		l.parent.Close()
		l.parent = nil
	}
}
