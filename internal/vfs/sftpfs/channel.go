package sftpfs

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"sync"
	"sync/atomic"
	"syscall"

	"psync/internal/vfs"
	"psync/internal/vfs/sftpfs/pipeline"

	"github.com/pkg/sftp"
)

// maxChannels is the maximum number of channels of a session.
const maxChannels = 4

// pileUp is how many operations are in progress in each channel before another channel is opened. Files are read and
// written in many packets at once, so a few operations are enough to fill the window of a channel.
const pileUp = 4

// A channel is one session with the server.
type channel struct {
	*sftp.Client
	pipeline *pipeline.Conn
	busy     atomic.Int32 // operations in progress
}

// channels are the channels of a Host.
type channels struct {
	host     string                             // its name in errors
	openMore func() (io.ReadWriteCloser, error) // or nil
	lost     chan struct{}                      // closed when one has failed

	mu      sync.Mutex // guards what follows
	all     []*channel
	max     int
	opening bool
	closed  bool
	err     error // why the session has ended
}

// add starts a session on rwc.
func (cs *channels) add(rwc io.ReadWriteCloser) error {
	p := pipeline.New(rwc)
	c, err := sftp.NewClientPipe(p, p, sftp.UseConcurrentReads(true), sftp.UseConcurrentWrites(true))
	if err != nil {
		_ = rwc.Close() // err says more
		return err
	}
	cs.mu.Lock()
	defer cs.mu.Unlock()
	if cs.closed {
		_ = rwc.Close() // err says more
		return fs.ErrClosed
	}
	cs.all = append(cs.all, &channel{Client: c, pipeline: p})
	go func() { cs.lose(c.Wait()) }()
	return nil
}

// lose ends the session because a channel has failed.
func (cs *channels) lose(err error) { _ = cs.close(&vfs.LostError{Host: cs.host, Err: err}) }

// close ends the session, because of err unless that is nil.
func (cs *channels) close(err error) error {
	cs.mu.Lock()
	if cs.closed {
		cs.mu.Unlock()
		return nil
	}
	cs.closed, cs.err = true, err
	all := cs.all
	cs.mu.Unlock()
	if err != nil {
		close(cs.lost)
	}
	var errs []error
	for _, c := range all {
		errs = append(errs, c.pipeline.Close()) // package sftp would wait for a write that is stuck
		_ = c.Close()
	}
	return errors.Join(errs...)
}

func (cs *channels) failure() error {
	cs.mu.Lock()
	defer cs.mu.Unlock()
	return cs.err
}

// take returns the channel with the fewest operations in progress, and counts one more there until put is called.
func (cs *channels) take() *channel {
	cs.mu.Lock()
	defer cs.mu.Unlock()
	best := cs.all[0]
	for _, c := range cs.all[1:] {
		if c.busy.Load() < best.busy.Load() {
			best = c
		}
	}
	if best.busy.Add(1) > pileUp && cs.openMore != nil && len(cs.all) < cs.max && !cs.opening && !cs.closed {
		cs.opening = true
		go cs.open()
	}
	return best
}

func (c *channel) put() { c.busy.Add(-1) }

// open opens one more channel.
func (cs *channels) open() {
	rwc, err := cs.openMore()
	if err == nil {
		err = cs.add(rwc)
	}
	cs.mu.Lock()
	defer cs.mu.Unlock()
	cs.opening = false
	if err != nil {
		cs.max = len(cs.all)
	}
}

// translate returns what an error of package sftp means. An error that is not an answer of the server means that there
// will be no more answers.
func (cs *channels) translate(err error) error {
	if status, ok := errors.AsType[*sftp.StatusError](err); ok && status.Code != noConnection && status.Code != connectionLost {
		if e := errorOfStatus(status.Code); e != errFailure {
			return e
		}
		return fmt.Errorf("%w: %.200s", errFailure, status.Error())
	}
	switch {
	case err == nil, err == io.EOF:
		return err
	case err == fs.ErrClosed: // a file; the channel may be closed, too, which is an error of sending
		return cmp.Or(cs.failure(), err)
	case errors.Is(err, fs.ErrNotExist):
		return syscall.ENOENT
	case errors.Is(err, fs.ErrPermission):
		return syscall.EACCES
	}
	cs.lose(err)
	return cmp.Or(cs.failure(), fs.ErrClosed)
}
