package page

import (
	"strings"

	"psync/internal/ui"
)

// A Run is one run of psync.
type Run struct {
	Start   Line
	Summary *Line // nil if the log ends without
	Copied  Sum   // files; of a dry run or a comparison none
	Times   timeline
	Removed int64

	Failures, Unkept, Skipped *groups

	failedDirs, vanished, asked int64
}

func newRun(start Line) *Run {
	return &Run{Start: start, Failures: newGroups(), Unkept: newGroups(), Skipped: newGroups()}
}

// A kind is what a run does.
type kind int

const (
	copying kind = iota
	dryRun
	comparison
	removal
)

// kindWords are the name of a kind, and the participle of what it does to entries.
var kindWords = [...]struct{ Name, Done string }{{"Copy", "copied"}, {"Dry run", "copied"}, {"Comparison", "compared"}, {"Removal", "removed"}}

// Kind returns what the run does. A comparison is recorded as a dry run.
func (r *Run) Kind() kind {
	switch {
	case r.Start.Verb == "compare":
		return comparison
	case r.Start.DryRun:
		return dryRun
	case r.Start.Verb == "delete":
		return removal
	}
	return copying
}

// Name returns what the run does in a word.
func (r *Run) Name() string { return kindWords[r.Kind()].Name }

// Failed returns the number of failures: of entries of all types, directories among them, and those that vanished.
// Lines may be lost; the summary counts what they say.
func (r *Run) Failed() int64 {
	n := r.Failures.Total()
	if r.Summary != nil {
		n = max(n, r.Summary.Failures+r.Summary.Vanished)
	}
	return n
}

// EndedEarly reports whether the run did not deal with all that it found. An error of a run that had its journal
// audited, or that refused to remove too much, came at its end.
func (r *Run) EndedEarly() bool {
	const tooMuchToRemove = 25
	s := r.Summary
	return s == nil || s.Interrupted || s.Error != "" && s.Audit == nil && s.Exit != tooMuchToRemove
}

// Seconds returns how long the run took, as far as the log says.
func (r *Run) Seconds() float64 {
	if r.Summary != nil {
		return r.Summary.T
	}
	return r.Times.end
}

// Operands returns the operands as "SRC, SRC → DST".
func (r *Run) Operands() string {
	var sources []string
	for _, o := range r.Start.Sources {
		sources = append(sources, ui.Escape(o.Path))
	}
	text := strings.Join(sources, ", ")
	if r.Start.Dest != nil {
		text += " → " + ui.Escape(r.Start.Dest.Path)
	}
	return text
}

// sameOperands reports whether both runs copy from the same sources to the same destination.
func (r *Run) sameOperands(other *Run) bool {
	return r.Start.Host == other.Start.Host && r.Operands() == other.Operands()
}

// add adds a line of the run.
func (r *Run) add(l *Line) {
	switch l.Event {
	case "copy", "replace":
		if l.copiesFile() && !r.Start.DryRun {
			r.Copied.add(l.Size)
			r.Times.add(l.T, l.Size)
		}
	case "delete":
		r.Removed++
	case "vanish":
		r.vanished++
		r.Failures.add("vanished while it was "+kindWords[r.Kind()].Done, "", l.name())
	case "fail":
		if l.Type == "dir" {
			r.failedDirs++
		}
		r.Failures.add(l.reason(), l.Remedy, l.name())
	case "unkept":
		if l.Asked {
			r.asked++
		}
		r.Unkept.add(l.Attribute+": "+l.Message, l.Remedy, l.name())
	case "skip":
		what := l.Type
		if l.Message != "" {
			what = l.Message
		}
		r.Skipped.add(what, "", l.name())
	}
}
