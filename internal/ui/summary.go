package ui

import (
	"strings"
	"time"

	"psync/internal/report"
)

// An Outcome is how a run ended.
type Outcome struct {
	Totals  report.Totals
	Elapsed time.Duration

	// Err is why the run stopped before everything had its turn, or nil.
	Err error
	// Interrupted says that Err is the wish of the user.
	Interrupted bool
}

// Summary ends the output of a run: the rest of the plan, then what was only
// counted so far, then the failures, then how the run ended. A run without
// anything to complain about, or to know, is silent unless it is verbose. The
// error is that of writing to Out.
func (p *Printer) Summary(o Outcome) error {
	err := p.Flush()
	p.printNotes()
	p.printDropped(o.Totals)
	p.printFailures(o)
	p.printEnd(o)
	return err
}

func (p *Printer) printFailures(o Outcome) {
	failed, vanished := o.Totals[report.Failed], o.Totals[report.Vanished]
	rest := "; the rest is complete"
	// What could not be removed keeps the directories above it.
	if o.Err != nil || p.dryRun || p.removal {
		rest = ""
	}
	switch {
	case failed > 0 && vanished > 0:
		p.errorf("%s could not be %s, %s vanished%s", p.failed(failed), p.words.done, count(vanished), rest)
	case failed > 0:
		p.errorf("%s could not be %s%s", p.failed(failed), p.words.done, rest)
	case vanished > 0:
		p.warnf("%s vanished while %s%s", things(vanished, "entry", "entries"), p.words.doing, rest)
	}
}

// failed counts n entries, and says how many of them are directories: nothing
// below those had its turn, nor was it counted.
func (p *Printer) failed(n int64) string {
	p.notes.mu.Lock()
	defer p.notes.mu.Unlock()
	dirs := p.notes.failedDirs
	switch {
	case dirs == 0:
		return things(n, "entry", "entries")
	case dirs == n:
		return things(n, "directory", "directories")
	}
	return things(n, "entry", "entries") + " (" + things(dirs, "directory", "directories") + " among them)"
}

func (p *Printer) printEnd(o Outcome) {
	switch {
	case o.Interrupted && p.dryRun:
		p.errorf("interrupted: the list is not complete")
	case o.Interrupted:
		p.errorf("interrupted: %s; run the same command again to %s", p.achieved(o.Totals), p.words.finish)
	case o.Err != nil && p.dryRun:
		p.errorf("stopped: %s", oneLine(o.Err))
	case o.Err != nil:
		p.errorf("stopped: %s; %s", oneLine(o.Err), p.achieved(o.Totals))
	case p.verbose && p.compare:
		p.printDifferences()
	case p.verbose && !p.dryRun:
		p.printFigures(o)
	}
}

// oneLine returns the whole text of err, its paths included: the end of a run
// is about no entry that the line could name.
func oneLine(err error) string {
	return Escape(strings.ReplaceAll(err.Error(), "\n", "; "))
}
