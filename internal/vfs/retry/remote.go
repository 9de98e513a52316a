package retry

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"sync"
	"sync/atomic"

	"psync/internal/report"
	"psync/internal/vfs"
)

// A Session is a host that is reached by a connection. The directories that it opens implement [Placed].
type Session interface {
	vfs.Host
	// Err returns why the connection is lost, as a *[vfs.LostError], or nil.
	Err() error
}

// A Placed directory reports where it is.
type Placed interface {
	// Place returns its path, without links and dots, and the number of the file system that it is on, or 0 if that is
	// unknown.
	Place() (path string, volume uint64, err error)
}

// A Remote says how to reach a host when the connection is lost.
type Remote struct {
	Name string // in messages
	// Redial connects again, or returns the last session if its connection is not lost. again reports whether another
	// attempt may help after an error.
	Redial func(context.Context) (s Session, again bool, err error)
	Warn   func(text string) // shows a message to the user before Start is called, when it would be a report
}

// remote implements [vfs.Host] by one session after the other.
type remote struct {
	vfs.Host // the first session, for what is known without a request
	Remote
	done    <-chan struct{} // closed when the run is to end
	volume  *volume
	calls   *report.Durations
	session atomic.Pointer[Session]

	progress atomic.Bool // a call has succeeded since the connection was made
	futile   Futile

	mu    sync.Mutex      // guards roots
	roots map[*root]place // those that are open
}

// A place is where a root is. When the host is connected to again, it must be there still.
type place struct {
	path   string
	volume uint64
	open   vfs.OpenOptions
}

// Remote returns a host that wraps a session, and those that Redial makes when its connection is lost: all calls are made
// again. The time that calls take is added to durations. Nothing is waited for any more when ctx is done.
func (vs *Volumes) Remote(ctx context.Context, s Session, r Remote, durations *report.Durations) vfs.Host {
	h := &remote{Host: s, Remote: r, done: ctx.Done(), calls: durations, roots: make(map[*root]place)}
	h.volume = &volume{all: vs, host: h}
	h.session.Store(&s)
	return h
}

func (h *remote) current() Session { return *h.session.Load() }

// heard records that a call has succeeded.
func (h *remote) heard() {
	if !h.progress.Load() {
		h.progress.Store(true)
	}
}

// do makes a call, and repeats it when the connection was lost.
func (h *remote) do(f func(Session) error) error {
	for {
		err := f(h.current())
		if !isLost(err) {
			return err
		}
		if err := h.volume.await(nil, err); err != nil {
			return err
		}
	}
}

func (h *remote) Stat(path string, how vfs.Resolve) (a vfs.Attr, err error) {
	err = h.do(func(s Session) (err error) {
		a, err = s.Stat(path, how)
		return err
	})
	return a, err
}

func (h *remote) Resolve(path string) (real string, err error) {
	err = h.do(func(s Session) (err error) {
		real, err = s.Resolve(path)
		return err
	})
	return real, err
}

func (h *remote) Inside(inner, outer string) (routes []string, inside bool, err error) {
	err = h.do(func(s Session) (err error) {
		routes, inside, err = s.Inside(inner, outer)
		return err
	})
	return routes, inside, err
}

// Open implements [vfs.Host].
func (h *remote) Open(path string, o vfs.OpenOptions) (vfs.Dir, error) {
	var d vfs.Dir
	var at place
	err := h.do(func(s Session) (err error) {
		d, err = s.Open(path, o)
		if err == nil {
			at, err = placeOf(d)
		}
		return err
	})
	if err != nil {
		return nil, err
	}
	attr, err := d.Lstat(".")
	if err != nil {
		return nil, vfs.JoinErrors(err, d.Close())
	}
	at.open = o
	at.open.Mkdir, at.open.MkdirAll = false, false
	r := &root{label: path, dev: attr.Dev, calls: h.calls, open: func() (vfs.Dir, error) { return at.openIn(h.current()) }}
	h.mu.Lock()
	defer h.mu.Unlock()
	h.roots[r] = at
	return newDir(d, h.volume, r), nil
}

func placeOf(d vfs.Dir) (at place, err error) {
	placed, ok := vfs.As[Placed](d)
	if !ok {
		return at, errors.ErrUnsupported
	}
	at.path, at.volume, err = placed.Place()
	return at, err
}

func (at place) openIn(s Session) (vfs.Dir, error) { return s.Open(at.path, at.open) }

// check returns an error unless the directory is still there in another session.
func (at place) check(s Session) error {
	d, err := at.openIn(s)
	if err != nil {
		return err
	}
	defer d.Close()
	is, err := placeOf(d)
	if err == nil && (is.path != at.path || is.volume != at.volume) {
		err = fmt.Errorf("%s: %w", at.path, errMoved)
	}
	return err
}

// errMoved says that the path of a root leads elsewhere, or that another file system is mounted there, or none any more.
var errMoved = errors.New("is not the directory that it was")

// checkRoots returns an error unless all roots are still where they were.
func (h *remote) checkRoots(s Session) error {
	h.mu.Lock()
	roots := slices.Collect(maps.Values(h.roots))
	h.mu.Unlock()
	for _, at := range roots {
		if err := at.check(s); err != nil {
			return err
		}
	}
	return nil
}

// forget records that a root is closed.
func (h *remote) forget(r *root) {
	h.mu.Lock()
	defer h.mu.Unlock()
	delete(h.roots, r)
}

// awaitConnection is await for a host.
func (v *volume) awaitConnection(err error) error {
	if !isLost(err) || v.all.Hosts == 0 {
		return err
	}
	v.awaitAnswer(err)
	if lost := v.lost.Load(); lost != nil {
		return lost
	}
	if v.host.ends() {
		return err
	}
	v.all.repeated.Add(1)
	return nil
}

// reconnect connects to the host again, unless that was done since a call failed because of cause. It reports whether
// it has tried to.
func (v *volume) reconnect(cause error) (tried bool) {
	h, vs := v.host, v.all
	switch lost, ok := errors.AsType[*vfs.LostError](h.current().Err()); {
	case !ok:
		return false
	case lost.Final:
		v.lost.Store(lost)
		return true
	}
	ctx, cancel := h.context()
	defer cancel()
	if EndsSoon(ctx) {
		return true
	}
	vs.outages.Add(1)
	vs.unreachable.Add(1)
	defer vs.unreachable.Add(-1)
	h.report(report.Outage, LostText(vs.Hosts))
	err := h.futile.Cut(h.progress.Swap(false))
	if err == nil {
		err = Reconnect(ctx, vs.Hosts, h.connect)
	}
	switch {
	case err == nil:
		h.report(report.OutageEnd, ReturnText)
	case ctx.Err() == nil:
		if lost, ok := errors.AsType[*vfs.LostError](cause); ok {
			cause = lost.Err
		}
		v.lost.Store(&vfs.LostError{Host: h.Name, Err: fmt.Errorf("%w, and connecting again has failed: %w", cause, err)})
	}
	return true
}

// connect makes one attempt to connect.
func (h *remote) connect(ctx context.Context) (again bool, err error) {
	s, again, err := h.Redial(ctx)
	if err != nil {
		return again, err
	}
	if err := h.checkRoots(s); err != nil {
		return true, err // it may come back, as a volume that is mounted later does
	}
	h.session.Store(&s)
	return false, nil
}

// ends reports whether the run is to end.
func (h *remote) ends() bool {
	select {
	case <-h.done:
	case <-h.volume.all.done:
	default:
		return false
	}
	return true
}

// context returns a context that is done when the run is to end.
func (h *remote) context() (context.Context, context.CancelFunc) {
	ctx, cancel := context.WithCancel(context.Background())
	go func() {
		defer cancel()
		select {
		case <-h.done:
		case <-h.volume.all.done:
		case <-ctx.Done():
		}
	}()
	return ctx, cancel
}

// report reports an event of the host.
func (h *remote) report(kind report.Kind, text string) {
	if h.volume.all.sink == nil {
		h.Warn(text)
		return
	}
	h.volume.all.report(report.Event{Kind: kind, Root: h.Name, Err: errors.New(text)})
}
