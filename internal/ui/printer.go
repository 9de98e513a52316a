// Package ui renders report events and statistics for people.
//
// Standard output carries only the plan, with one line per entry and the same lines in a dry run as in a real
// run, or the differences that a comparison finds. Standard error carries errors, notes and the progress
// display. Every line on standard error starts with "psync: " or "progress: ", and has no capitals and no
// period. Events that are the same for many entries are counted and reported once, at the end.
//
// No path and no error text reaches a terminal unescaped; see [Escape].
package ui

import (
	"psync/internal/report"
	"psync/internal/ui/order"
)

// A Printer is a [report.Sink] that writes lines for people. Its methods are safe for concurrent use; events
// that are not shown cost almost nothing.
type Printer struct {
	*console
	config Config // DryRun is also true for a comparison

	line  func([]byte, report.Event) []byte // appends a step; nil if steps are not listed
	lines *order.Lines                      // of rsync; nil: they are written as they come

	notes       notes
	differences differences
}

// New returns a printer. The caller must call Summary or Flush at the end of a run.
func New(c Config) *Printer {
	c.DryRun = c.DryRun || c.Compare
	p := &Printer{console: newConsole(c), config: c, line: c.line()}
	if c.Rsync != nil && !p.live {
		p.lines = order.New(order.Config{Print: p.writeOut, Removes: c.Rsync.Removes})
	}
	return p
}

// Flush writes the lines that are left, and returns the first error of writing to Out since the printer was made.
func (p *Printer) Flush() error {
	if p.lines != nil {
		p.lines.Flush()
	}
	return p.console.Flush()
}

// Event reports e at once, at the end, or not at all.
func (p *Printer) Event(e report.Event) {
	if p.config.Rsync != nil && p.eventAsRsync(e) {
		return
	}
	switch e.Kind {
	case report.Mkdir, report.Copy, report.Replace, report.Symlink, report.Link, report.SetAttr, report.Delete:
		if p.config.Compare {
			p.differences.add(e)
		}
		p.step(e)
	case report.Skip:
		p.step(e)
		if !p.quiet {
			p.notes.add(e)
		}
	case report.Vanish:
		if !p.quiet {
			p.warnf("%s: vanished while %s", Escape(e.Path()), p.config.words().doing)
		}
	case report.Fail:
		p.notes.add(e)
		p.errorf("%s: %s", Escape(e.Path()), reason(e.Err))
	case report.VolumeFile:
		if p.config.Verbose {
			p.notes.add(e)
		}
	case report.Leave:
		p.notes.add(e)
	case report.Outage, report.Hang:
		p.warnf("%s: %s", Escape(e.Path()), reason(e.Err))
	case report.OutageEnd:
		if !p.quiet {
			p.errorf("note: %s: %s", Escape(e.Path()), reason(e.Err))
		}
	case report.Unkept:
		if e.Asked || !p.quiet {
			p.notes.add(e)
		}
	}
}

// Wants implements [report.Chooser].
func (p *Printer) Wants() report.Wants {
	w := report.Wants{Steps: p.line != nil || p.config.Compare}
	if p.config.Rsync != nil {
		w = p.config.Rsync.wants(w.Steps)
		w.Dirs, w.Bases = p.lines != nil && (w.Steps || w.Rest), w.Steps || w.Rest
	}
	w.Details = p.config.OutFormat.Details()
	return w
}

// step lists one step of the plan.
func (p *Printer) step(e report.Event) {
	if p.line == nil {
		return
	}
	line := p.line(nil, p.original(e))
	if len(line) == 0 {
		return
	}
	p.list(e, order.Item, line)
}

// list writes a line of the plan, in the order of rsync if it is one of rsync.
func (p *Printer) list(e report.Event, class order.Class, line []byte) {
	if p.lines == nil {
		p.writeOut(line)
		return
	}
	if e.Kind == report.Delete {
		class = order.Generator
	}
	p.lines.Add(order.Line{
		Dir: e.Dir, Name: e.Name, IsDir: e.IsDir || e.Kind == report.Mkdir, Class: class, Text: line,
		Removal: e.Kind == report.Delete, Backup: e.Kind == report.BackUp, Rule: e.Kind == report.Protect || e.Kind == report.Risk,
	})
}

// original returns e with the name that its entry has in the source, if that of its copy differs.
func (p *Printer) original(e report.Event) report.Event {
	if p.config.Original != "" && e.Dir == "" && e.Name != "" {
		e.Name = p.config.Original
	}
	return e
}
