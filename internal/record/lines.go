package record

import (
	"cmp"
	"io"
	"sync"
	"time"
)

const (
	flushBytes = 64 << 10
	flushEvery = time.Second
)

// lines are the lines of a log. They are gathered, and written many at a time; no line is ever split.
type lines struct {
	w    io.WriteCloser
	stop chan struct{}
	idle chan struct{} // closed when the goroutine that flushes has ended

	mu  sync.Mutex // guards what follows
	buf []byte
	err error // the first; nothing is written after it
}

// newLines returns lines that are written to w. The caller must call close.
func newLines(w io.WriteCloser) *lines {
	l := &lines{w: w, stop: make(chan struct{}), idle: make(chan struct{}), buf: make([]byte, 0, flushBytes+4<<10)}
	go l.flushNowAndThen()
	return l
}

// write adds whole lines. If now is true, they are with the system when it returns.
func (l *lines) write(text []byte, now bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.buf = append(l.buf, text...)
	if now || len(l.buf) >= flushBytes {
		l.flushLocked()
	}
}

func (l *lines) flushLocked() {
	if l.err == nil && len(l.buf) > 0 {
		_, l.err = l.w.Write(l.buf)
	}
	l.buf = l.buf[:0]
}

func (l *lines) flush() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.flushLocked()
}

func (l *lines) flushNowAndThen() {
	defer close(l.idle)
	tick := time.NewTicker(flushEvery)
	defer tick.Stop()
	for {
		select {
		case <-tick.C:
			l.flush()
		case <-l.stop:
			return
		}
	}
}

// close writes what is left, and returns the first error of all.
func (l *lines) close() error {
	close(l.stop)
	<-l.idle
	l.flush()
	return cmp.Or(l.err, l.w.Close())
}
