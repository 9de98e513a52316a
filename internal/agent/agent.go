// Package agent answers requests of a psync on another host from the files of this one.
//
// Each request is answered by a goroutine of its own, within limits, so answers come in any order. A request
// that names a directory or file by a handle waits until that is open. All work is relative to open directories,
// by package localfs. When the connection ends, what is unfinished is removed, unless another process has changed it: the
// user may have run psync again meanwhile. A long file is only removed if the client, when it has lost its connection, starts no
// other server within a minute; that server ends this one before it does anything.
package agent

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"sync"
	"sync/atomic"
	"syscall"
	"time"

	"psync/internal/agent/socket"
	"psync/internal/localfs"
	"psync/internal/tempname"
	"psync/internal/wire"
	"psync/internal/wire/link"
)

// Options say what the client of a server may do.
type Options struct {
	// Root, unless empty, is a directory beneath which every path is taken. No symbolic link is followed then.
	Root string
	// ReadOnly refuses every change with EROFS.
	ReadOnly bool
	// Socket offers a socket at which further channels may join. It is also how the server that the client starts when its
	// connection is lost ends this one.
	Socket bool
	// Confine, unless nil, is called before the first request, when everything that the server makes for itself is there.
	Confine func()
	// First holds frames that are dealt with as the first ones of the client.
	First []byte
	// Version is that of the program, for messages of the other side.
	Version string
	// Process is this one, in the names of temporaries.
	Process tempname.Process
}

var errSilent = errors.New("nothing was received from the client")

// A versionError says which version of the protocol a client speaks that was refused.
type versionError uint32

func (e versionError) Error() string {
	return fmt.Sprintf("the client speaks version %d of the protocol, this psync %d", uint32(e), wire.Major)
}

// Serve answers the requests that come over channel, which it closes, until the client closes it: then the error
// is nil. What is unfinished when Serve returns has been removed, unless others have changed it. If the client had another
// server, to which its connection was lost, Serve ends that first.
func Serve(ctx context.Context, channel io.ReadWriteCloser, o Options) error {
	interrupted := context.AfterFunc(ctx, func() { _ = channel.Close() })
	first, err := begin(channel, o)
	interrupted()
	switch {
	case err == nil:
	case ctx.Err() != nil:
		err = context.Cause(ctx)
	case err == io.EOF:
		err = nil // the client wanted nothing
	}
	if first != nil {
		first, err = replace(first)
	}
	if err != nil || first == nil {
		_ = channel.Close() // err says more
		return err
	}
	return newServer(o).serve(ctx, begun(channel, first))
}

// begin writes the first bytes of the server, and returns what the client says first: the first frame, or more.
func begin(channel io.ReadWriteCloser, o Options) (first []byte, err error) {
	magic := wire.Magic
	if len(o.First) > 0 {
		magic = wire.HeardMagic
	}
	if _, err := channel.Write(magic[:]); err != nil {
		return nil, fmt.Errorf("send the first bytes: %w", err)
	}
	if len(o.First) > 0 {
		return o.First, nil
	}
	silent := time.AfterFunc(maxSilence, func() { _ = channel.Close() })
	defer silent.Stop()
	if first, err = socket.ReadFrame(channel, wire.MaxFrame); err != nil {
		return nil, err
	}
	return first, nil
}

// A server is the state of one connection, of any number of channels.
type server struct {
	Options
	paths    paths
	link     *link.Link
	handles  *handles
	idle     chan func()   // taken from by goroutines that have dealt with a request
	over     chan struct{} // closed when there will be no more of them
	working  *budget       // of requests that are being answered
	memory   *budget       // bytes of contents and listings that are read to be sent
	silence  *silence
	greeted  atomic.Bool
	listener *socket.Listener             // or nil
	replaced chan struct{}                // closed when another server replaces this one
	gone     chan struct{}                // closed when the client is not waited for any more
	refused  chan uint32                  // gets the version of the protocol that a client speaks which was refused
	ended    atomic.Bool                  // the link has ended
	cursors  atomic.Int64                 // of all directories
	prepare  atomic.Pointer[wire.Prepare] // what comes with entries unasked
	now      func() time.Time             // by the clock that file systems use
	temp     func() string                // returns a new name for a temporary file
}

func newServer(o Options) *server {
	s := &server{
		Options: o,
		paths:   localfs.Host{},
		handles: newHandles(),
		idle:    make(chan func()),
		over:    make(chan struct{}),
		working: newBudget(workingBytes),
		memory:  newBudget(memoryBytes),
		refused: make(chan uint32, 1),

		replaced: make(chan struct{}), gone: make(chan struct{}),
		now:  time.Now,
		temp: o.Process.Namer(),
	}
	if o.Root != "" {
		s.paths = beneath{o.Root}
	}
	s.prepare.Store(new(wire.Prepare))
	s.silence = newSilence()
	s.link = link.New(link.Options{Receive: s.receive})
	return s
}

func (s *server) serve(ctx context.Context, channel io.ReadWriteCloser) error {
	stopWaiting := sync.OnceFunc(func() { close(s.gone) })
	defer context.AfterFunc(ctx, stopWaiting)()
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	stopListening := s.listen(ctx)
	if s.Confine != nil {
		s.Confine()
	}
	s.link.Add(heardChannel{channel, s.silence})
	err := s.wait(ctx)
	s.ended.Store(true)
	if err != nil && !errors.As(err, new(versionError)) { // Link.Close would wait for a client that reads nothing
		_ = channel.Close() // err says more
		cancel()
	}
	_ = s.link.Close() // its error is that of the link
	cancel()
	defer time.AfterFunc(maxLost, stopWaiting).Stop()
	waiting, closing := s.handles.end()
	s.startAll(append(waiting, s.closeAll(closing)...))
	s.handles.work.Wait()
	stopListening() // until now, a server that replaces this one has to find it
	close(s.over)
	err = cmp.Or(err, s.link.Err())
	if clientClosed(err) {
		return nil
	}
	return err
}

// clientClosed reports whether a link has ended because the client closed a channel: it sends nothing more, or
// writing to it failed because its end is closed, or it has started another server.
func clientClosed(err error) bool {
	return err == errReplaced || errors.Is(err, io.EOF) || errors.Is(err, io.ErrClosedPipe) || errors.Is(err, syscall.EPIPE) ||
		errors.Is(err, syscall.ECONNRESET)
}

// wait returns nil when the link has ended, or why it should end.
func (s *server) wait(ctx context.Context) error {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	go func() { cancel(s.silence.wait(ctx)) }()
	select {
	case <-s.link.Done():
		return nil
	case major := <-s.refused:
		return versionError(major)
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}

// begun returns a channel of which the first bytes have come in another way.
func begun(channel io.ReadWriteCloser, first []byte) io.ReadWriteCloser {
	return struct {
		io.Reader
		io.WriteCloser
	}{io.MultiReader(bytes.NewReader(first), channel), channel}
}
