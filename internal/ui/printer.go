// Package ui renders report events and statistics for people.
//
// Standard output carries the plan and nothing else: one line an entry, the
// same lines in a dry run as in a real run, or what a comparison finds. Standard error carries what went
// wrong, what is worth knowing, and the progress display. Every line there
// starts with "psync: " or "progress: ", has no capitals and no period. What
// happens to many entries alike is counted and told once, at the end.
//
// No path and no error text reaches a terminal unescaped; see [Escape].
package ui

import (
	"bufio"
	"fmt"
	"io"
	"os"
	"sync"

	"psync/internal/report"
)

// A Printer is a [report.Sink] that tells people. Its methods are safe for
// concurrent use; events that nobody wants to see cost next to nothing.
type Printer struct {
	verbose, quiet   bool
	dryRun           bool // as far as the end of a run goes, a comparison is one
	compare, removal bool

	line  func([]byte, report.Event) []byte // appends a step; nil if none is listed
	words words

	err   io.Writer
	live  bool       // Out is a terminal: its lines appear at once
	width func() int // columns of the terminal that Err is; nil if it is none

	notes       notes
	differences differences

	mu  sync.Mutex // guards what follows, and the order of lines on a terminal
	out *bufio.Writer
	bar *bar // nil unless it is on the screen
}

// New returns a printer. Its Summary method must be called at the end of a
// run, or else Flush.
func New(c Config) *Printer {
	p := &Printer{
		verbose: c.Verbose,
		quiet:   c.Quiet,
		dryRun:  c.DryRun || c.Compare,
		compare: c.Compare,
		removal: c.Removal,
		line:    c.line(),
		words:   c.words(),
		err:     c.Err,
		live:    IsTerminal(c.Out),
		out:     bufio.NewWriterSize(c.Out, 64<<10),
	}
	if f, ok := c.Err.(*os.File); ok && IsTerminal(f) && !c.Plain {
		p.width = func() int { return columns(f) }
	}
	return p
}

// Event tells about e, now or at the end, or not at all.
func (p *Printer) Event(e report.Event) {
	switch e.Kind {
	case report.Mkdir, report.Copy, report.Replace, report.Symlink, report.Link, report.SetAttr, report.Delete:
		if p.compare {
			p.differences.add(e)
		}
		p.step(e)
	case report.Skip:
		p.step(e)
		if !p.quiet {
			p.notes.skip(e)
		}
	case report.Vanish:
		if !p.quiet {
			p.warnf("%s: vanished while %s", Escape(e.Path()), p.words.doing)
		}
	case report.Fail:
		p.notes.fail(e)
		p.errorf("%s: %s", Escape(e.Path()), reason(e.Err))
	case report.VolumeFile:
		if p.verbose {
			p.notes.leaveVolumeFile(e)
		}
	case report.Leave:
		p.notes.leave(e)
	case report.Unkept:
		if e.Asked || !p.quiet {
			p.notes.unkeep(e)
		}
	}
}

// Lists implements [report.Lister].
func (p *Printer) Lists() bool { return p.line != nil || p.compare }

// Flush writes what is buffered, and returns the first error that occurred in
// writing to Out since the printer was made.
func (p *Printer) Flush() error {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.out.Flush()
}

// step lists one step of the plan.
func (p *Printer) step(e report.Event) {
	if p.line == nil {
		return
	}
	line := p.line(nil, e)
	if len(line) == 0 {
		return
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if !p.live {
		p.out.Write(line)
		return
	}
	p.asideLocked(func() {
		p.out.Write(line)
		p.out.Flush()
	})
}

// errorf writes a line that is seen whatever the flags are.
func (p *Printer) errorf(format string, args ...any) {
	p.writeErr(fmt.Appendf(nil, "psync: "+format+"\n", args...))
}

// warnf writes a line unless warnings are hidden.
func (p *Printer) warnf(format string, args ...any) {
	if !p.quiet {
		p.errorf("warning: "+format, args...)
	}
}

// writeErr writes a whole line in one call, so that lines of other processes
// cannot get into it.
func (p *Printer) writeErr(line []byte) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.asideLocked(func() { p.err.Write(line) })
}

// asideLocked calls write while the bar, if any, is off the screen.
func (p *Printer) asideLocked(write func()) {
	if p.bar == nil {
		write()
		return
	}
	p.bar.erase()
	write()
	p.bar.redraw()
}
