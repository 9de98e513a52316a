package ui

import (
	"strings"
	"time"

	"psync/internal/report"
)

// An Outcome describes how a run ended.
type Outcome struct {
	Totals  report.Totals
	Elapsed time.Duration

	// Err is the reason that the run stopped early, or nil.
	Err error
	// Incomplete is non-nil if the run reached its end but knows that something was not
	// done.
	Incomplete error
	// Interrupted is true if the user ended the run.
	Interrupted bool
}

// Summary ends the output of a run: it writes the rest of the plan, then the notes that were only counted so
// far, then the failures, then how the run ended. A run without errors or notes is silent unless it is verbose, or has
// shown its progress.
// Summary returns the error of writing to Out.
func (p *Printer) Summary(o Outcome) error {
	err := p.Flush()
	p.printNotes()
	p.printDropped(o.Totals)
	if n := o.Totals[report.Mismatched]; n > 0 {
		p.warnf("%s copied once more, as what was read back was not what had been written: check the disk, its cable and the memory", were(n, "file", "files"))
	}
	p.printFailures(o)
	p.printEnd(o)
	return err
}

func (p *Printer) printFailures(o Outcome) {
	failed, vanished := o.Totals[report.Failed], o.Totals[report.Vanished]
	rest := "; the rest is complete"
	// An entry that could not be removed keeps the directories above it.
	if o.Err != nil || o.Incomplete != nil || p.config.DryRun || p.config.Removal {
		rest = ""
	}
	if p.config.Failures != "" && failed > 0 {
		rest += "; " + Escape(p.config.Failures) + " names what failed"
	}
	switch {
	case failed > 0 && vanished > 0:
		p.errorf("%s could not be %s, %s vanished%s", p.failed(failed), p.config.words().done, Count(vanished), rest)
	case failed > 0:
		p.errorf("%s could not be %s%s", p.failed(failed), p.config.words().done, rest)
	case vanished > 0:
		p.warnf("%s vanished while %s%s", Things(vanished, "entry", "entries"), p.config.words().doing, rest)
	}
}

// failed describes n failed entries, and how many of them are directories: entries below a failed directory
// were neither processed nor counted.
func (p *Printer) failed(n int64) string {
	p.notes.mu.Lock()
	defer p.notes.mu.Unlock()
	dirs := p.notes.failedDirs
	switch {
	case dirs == 0:
		return Things(n, "entry", "entries")
	case dirs == n:
		return Things(n, "directory", "directories")
	}
	return Things(n, "entry", "entries") + " (" + Things(dirs, "directory", "directories") + " among them)"
}

func (p *Printer) printEnd(o Outcome) {
	switch {
	case o.Interrupted && p.config.DryRun:
		after := ""
		if p.hadProgress.Load() {
			after = " after " + elapsed(o.Elapsed)
		}
		p.errorf("interrupted%s: the list is not complete", after)
	case o.Interrupted:
		p.errorf("interrupted: %s; %s to %s", p.achieved(o), p.config.again(), p.config.words().finish)
	case o.Err != nil && p.config.DryRun:
		p.errorf("stopped: %s", oneLine(o.Err))
	case o.Incomplete != nil:
		p.errorf("incomplete: %s; %s", oneLine(o.Incomplete), p.achieved(o))
	case o.Err != nil:
		p.errorf("stopped: %s; %s", oneLine(o.Err), p.achieved(o))
	case p.config.DryRun:
		if p.config.Verbose && p.config.Compare {
			p.printDifferences()
		}
		if p.hadProgress.Load() && !p.config.Removal {
			p.errorf("%s %s in %s, %s failed", p.config.words().looked, Things(o.Totals.Decided(), "file", "files"),
				elapsed(o.Elapsed), Count(o.Totals[report.Failed]))
		}
	case p.showsFigures():
		p.errorf("%s", p.figures(o))
	}
}

// oneLine returns the whole text of err, including its paths, because the line about the end of a run does not
// name an entry.
func oneLine(err error) string {
	return Escape(strings.ReplaceAll(err.Error(), "\n", "; "))
}
