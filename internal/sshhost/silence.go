package sshhost

import (
	"fmt"
	"io"
	"sync"
	"sync/atomic"
	"time"

	"psync/internal/sshconn/hosterror"
)

const (
	// answerTimeout is how long a host may take to answer before it is reported. A command that prints nothing is given
	// up then: it may be a server of another protocol, which waits, too.
	answerTimeout = 30 * time.Second
	// wakeDelay is how much later than it should a timer runs out if this process has been stopped meanwhile.
	wakeDelay = 5 * time.Second
)

// A silence finds out how long a host, which a session is in progress with, has neither sent nor taken anything while
// it should answer. It notifies the user, and ends the session if there is a limit.
type silence struct {
	limit    time.Duration // after which the session ends; 0: never
	notify   func(text string)
	start    time.Time
	last     atomic.Int64 // when bytes came or went: a time since start
	reported atomic.Bool  // the user knows that there is no answer

	done  chan struct{}
	once  sync.Once // closes done
	watch sync.WaitGroup
}

func newSilence(limit time.Duration, notify func(text string)) *silence {
	return &silence{limit: limit, notify: notify, start: time.Now(), done: make(chan struct{})}
}

// A waiter is a session that may wait for answers.
type waiter interface {
	Waiting() bool  // reports whether an answer is due
	Fail(err error) // ends the session
}

// begin watches a session until stop is called.
func (s *silence) begin(session waiter) {
	s.reset()
	s.watch.Go(func() {
		timer := time.NewTimer(s.left())
		defer timer.Stop()
		for {
			due := time.Now().Add(s.left())
			select {
			case <-s.done:
				return
			case now := <-timer.C:
				if !session.Waiting() || now.Sub(due) > wakeDelay {
					s.reset()
				}
			}
			if s.examine(session) {
				return
			}
			timer.Reset(s.left())
		}
	})
}

// examine does what the silence until now calls for. It reports whether that has ended the session.
func (s *silence) examine(session waiter) (ended bool) {
	silent := s.silent()
	if s.limit > 0 && silent >= s.limit {
		session.Fail(fmt.Errorf("%w (--timeout)", hosterror.TimeoutError(s.limit)))
		return true
	}
	if silent >= answerTimeout && s.reported.CompareAndSwap(false, true) {
		s.notify(fmt.Sprintf("no answer for %v", answerTimeout))
	}
	return false
}

// stop may be called more than once, as for a host that two operands reach in different ways.
func (s *silence) stop() {
	s.once.Do(func() { close(s.done) })
	s.watch.Wait()
}

// reset begins to count anew.
func (s *silence) reset() { s.last.Store(int64(time.Since(s.start))) }

func (s *silence) silent() time.Duration { return time.Since(s.start) - time.Duration(s.last.Load()) }

// left returns the time until examine may have something to do.
func (s *silence) left() time.Duration {
	most := answerTimeout
	if silent := s.silent(); silent < answerTimeout {
		most = answerTimeout - silent
	}
	if s.limit > 0 {
		most = min(most, max(s.limit-s.silent(), 0))
	}
	return most
}

// hear returns a channel of the session, whose bytes end the silence.
func (s *silence) hear(c io.ReadWriteCloser) io.ReadWriteCloser { return heardChannel{c, s} }

// hearNew is hear for a channel that was opened, unless there is an error.
func (s *silence) hearNew(c io.ReadWriteCloser, err error) (io.ReadWriteCloser, error) {
	if err != nil {
		return nil, err
	}
	return s.hear(c), nil
}

type heardChannel struct {
	io.ReadWriteCloser
	silence *silence
}

func (c heardChannel) Read(p []byte) (int, error) {
	n, err := c.ReadWriteCloser.Read(p)
	if n > 0 {
		c.silence.reset()
		if c.silence.reported.Load() && c.silence.reported.CompareAndSwap(true, false) {
			c.silence.notify("it answers again")
		}
	}
	return n, err
}

func (c heardChannel) Write(p []byte) (int, error) {
	n, err := c.ReadWriteCloser.Write(p)
	if n > 0 {
		c.silence.reset()
	}
	return n, err
}
