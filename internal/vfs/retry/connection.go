package retry

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"psync/internal/pace"
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
	// Place returns a path that leads to it, and as much as is known of its identity: that must be the same when the path has led
	// to it again.
	Place() (path string, id vfs.ID, err error)
}

// A Redialer says how to reach a host when the connection is lost.
type Redialer struct {
	Name string // in messages
	// Redial connects again, or returns the last session if its connection is not lost. retryable reports whether
	// another attempt may help after an error.
	Redial func(context.Context) (s Session, retryable bool, err error)
	Warn   func(text string) // shows a message to the user before Start is called, when it would be a report
}

// A connection is that to a host: one session after the other.
type connection struct {
	Redialer
	all     *shared
	done    <-chan struct{} // closed when the run is to end
	session atomic.Pointer[Session]

	progress atomic.Bool // a call has succeeded since the connection was made
	breaks   int         // connections in a row, until now, that broke before

	mu    sync.Mutex      // guards what follows
	roots map[*root]place // those that are open

	prepared    *vfs.Preparation // as Prepare has set it, or nil
	clearsUmask bool             // ClearUmask was called
}

// A place is where a root is. When the host is connected to again, it must be there still.
type place struct {
	path string
	id   vfs.ID
	open vfs.OpenOptions
}

func (c *connection) current() Session { return *c.session.Load() }

// heard records that a call has succeeded.
func (c *connection) heard() {
	if !c.progress.Load() {
		c.progress.Store(true)
	}
}

func placeOf(d vfs.Dir) (at place, err error) {
	placed, ok := vfs.As[Placed](d)
	if !ok {
		return at, errors.ErrUnsupported
	}
	at.path, at.id, err = placed.Place()
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
	if err == nil && (is.path != at.path || is.id != at.id) {
		err = fmt.Errorf("%s: %w", at.path, errMoved)
	}
	return err
}

// errMoved says that the path of a root leads elsewhere, or that another file system is mounted there, or none any more.
var errMoved = errors.New("is not the directory that it was")

// checkRoots returns an error unless all roots are still where they were.
func (c *connection) checkRoots(s Session) error {
	c.mu.Lock()
	roots := slices.Collect(maps.Values(c.roots))
	c.mu.Unlock()
	for _, at := range roots {
		if err := at.check(s); err != nil {
			return err
		}
	}
	return nil
}

// remember records that a root is open.
func (c *connection) remember(r *root, at place) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.roots[r] = at
}

// forget records that a root is closed.
func (c *connection) forget(r *root) {
	c.mu.Lock()
	defer c.mu.Unlock()
	delete(c.roots, r)
}

// restore connects to the host again, unless that was done since a call failed because of cause. It reports whether it has
// tried to, and why the host is given up, if it is.
func (c *connection) restore(cause error) (tried bool, givenUp *vfs.LostError) {
	switch lost, ok := errors.AsType[*vfs.LostError](c.current().Err()); {
	case !ok:
		return false, nil
	case lost.Final:
		return true, lost
	}
	ctx, cancel := c.context()
	defer cancel()
	// An interrupt at a terminal goes to the command that is the connection, too, whose end may be noticed first.
	if pace.Sleep(ctx, 100*time.Millisecond) != nil {
		return true, nil
	}
	c.all.outages.Add(1)
	c.all.unreachable.Add(1)
	defer c.all.unreachable.Add(-1)
	limit := c.all.HostTimeout.String()
	if c.all.HostTimeout == DefaultHostTimeout {
		limit = "two minutes"
	}
	c.announce(report.Outage, fmt.Sprintf("the connection is lost; psync tries for %s to connect again", limit))
	if c.breaks++; c.progress.Swap(false) {
		c.breaks = 0
	}
	var err error
	if c.breaks >= mostEarlyBreaks {
		err = fmt.Errorf("the connection was cut off %d times before anything came", c.breaks)
	} else {
		err = reconnect(ctx, c.all.HostTimeout, c.connect)
	}
	switch {
	case err == nil:
		c.announce(report.OutageEnd, "connected again")
	case ctx.Err() == nil:
		if lost, ok := errors.AsType[*vfs.LostError](cause); ok {
			cause = lost.Err
		}
		return true, &vfs.LostError{Host: c.Name, Err: fmt.Errorf("%w, and connecting again has failed: %w", cause, err)}
	}
	return true, nil
}

// connect makes one attempt to connect.
func (c *connection) connect(ctx context.Context) (retryable bool, err error) {
	s, retryable, err := c.Redial(ctx)
	if err != nil {
		return retryable, err
	}
	if err := c.applySettings(s); err != nil {
		return true, err
	}
	if err := c.checkRoots(s); err != nil {
		return true, err // it may come back, as a volume that is mounted later does
	}
	c.session.Store(&s)
	return false, nil
}

// ends reports whether the run is to end.
func (c *connection) ends() bool {
	select {
	case <-c.done:
	case <-c.all.done:
	default:
		return false
	}
	return true
}

// context returns a context that is done when the run is to end.
func (c *connection) context() (context.Context, context.CancelFunc) {
	ctx, cancel := context.WithCancel(context.Background())
	go func() {
		defer cancel()
		select {
		case <-c.done:
		case <-c.all.done:
		case <-ctx.Done():
		}
	}()
	return ctx, cancel
}

// announce reports an event of the host.
func (c *connection) announce(kind report.Kind, text string) {
	if c.all.sink == nil {
		c.Warn(text)
		return
	}
	c.all.report(report.Event{Kind: kind, Root: c.Name, Err: errors.New(text)})
}
