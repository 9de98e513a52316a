package ui

import (
	"bufio"
	"fmt"
	"io"
	"os"
	"sync"
	"sync/atomic"

	"psync/internal/ui/estimate"
	"psync/internal/ui/inhand"
	"psync/internal/ui/terminal"
)

// A console receives lines: it writes the plan to one stream and everything else to another stream, which may
// show a bar in its last line. Its methods are safe for concurrent use.
type console struct {
	err   io.Writer
	quiet bool                       // warnings are hidden
	live  bool                       // out is a terminal: its lines appear at once
	size  func() (columns, rows int) // of the terminal err; nil if err is not a terminal

	hadProgress atomic.Bool // a bar, or lines in its place, were displayed

	mu  sync.Mutex // guards what follows, and the order of lines on a terminal
	to  io.Writer
	out *bufio.Writer // writes to to; nil until there is something to write
	bar *bar          // nil unless it is displayed
}

func newConsole(c Config) *console {
	s := &console{
		err:   c.Err,
		quiet: c.Quiet,
		live:  terminal.Is(c.Out),
		to:    c.Out,
	}
	if f, ok := c.Err.(*os.File); ok && terminal.Is(f) && !c.Plain {
		s.size = func() (columns, rows int) { return terminal.Size(f) }
	}
	return s
}

// Flush writes the buffered output, and returns the first error of writing it so far.
func (c *console) Flush() error {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.out == nil {
		return nil
	}
	return c.out.Flush()
}

// writeOut writes a line of the plan.
func (c *console) writeOut(line []byte) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.out == nil {
		c.out = bufio.NewWriterSize(c.to, 64<<10)
	}
	if !c.live {
		_, _ = c.out.Write(line)
		return
	}
	c.withoutBarLocked(func() {
		_, _ = c.out.Write(line)
		_ = c.out.Flush()
	})
}

// errorf writes a line regardless of the flags.
func (c *console) errorf(format string, args ...any) {
	c.writeErr(fmt.Appendf(nil, "psync: "+format+"\n", args...))
}

// warnf writes a line unless warnings are hidden.
func (c *console) warnf(format string, args ...any) {
	if !c.quiet {
		c.errorf("warning: "+format, args...)
	}
}

// writeErr writes a whole line in one call, so that output of other processes cannot split the line.
func (c *console) writeErr(line []byte) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.withoutBarLocked(func() { _, _ = c.err.Write(line) })
}

// withoutBarLocked calls write while the bar, if any, is not displayed.
func (c *console) withoutBarLocked(write func()) {
	if c.bar == nil {
		write()
		return
	}
	c.bar.erase()
	write()
	c.bar.redraw()
}

// showBar draws s in the last line of the terminal, and below it, if there is room, the files in hand.
func (c *console) showBar(s estimate.Status, files []inhand.File) {
	columns, rows := c.size()
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.bar == nil || c.bar.known != s.Known || c.bar.columns != columns {
		c.hideBarLocked()
		c.bar = newBar(c.err, columns, s.Known)
	}
	c.bar.draw(s, fileLines(files, columns, rows))
	c.hadProgress.Store(true)
}

// hideBar ends the display of the bar.
func (c *console) hideBar() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.hideBarLocked()
}

func (c *console) hideBarLocked() {
	if c.bar != nil {
		c.bar.erase()
		c.bar = nil
	}
}
