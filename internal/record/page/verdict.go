package page

import (
	"cmp"
	"fmt"
	"strings"

	"psync/internal/ui"
)

// A verdict is what a run came to, for people who ask whether all is there.
type verdict struct {
	Text string
	Good bool
	More []string // sentences
}

// verdict returns what the run came to.
func (r *Run) verdict() verdict {
	s := r.Summary
	if s == nil {
		return verdict{Text: "The log of the last run has no end: it was killed, goes on, or its last lines are lost.", More: sentences(r.problems())}
	}
	v := verdict{}
	problems := r.problems()
	switch {
	case s.Interrupted:
		v.Text = "The last run was interrupted."
	case r.EndedEarly():
		v.Text = sentence("the last run ended early: " + s.Error)
	case len(problems) > 0:
		v.Text, problems = sentence(problems[0]), problems[1:]
	case s.Exit > 1 || s.Exit == 1 && r.Kind() != comparison:
		v.Text = fmt.Sprintf("All entries were dealt with, but the run ended with exit status %d: something that it writes in addition may be missing.", s.Exit)
	default:
		v.Text, v.Good = r.success()
	}
	if s.Unfinished > 0 {
		problems = append(problems, ui.Things(s.Unfinished, "entry that was found was", "entries that were found were")+" not reached")
	}
	v.More = sentences(problems)
	if n := r.Unkept.Total() - r.asked; n > 0 {
		v.More = append(v.More, ui.Things(n, "attribute", "attributes")+" could not be kept.")
	}
	if s.Audit != nil {
		v.More = append(v.More, s.Audit.String())
	}
	return v
}

// problems returns what went wrong in the run, and did not end it.
func (r *Run) problems() []string {
	var all []string
	vanished, done := r.vanished, kindWords[r.Kind()].Done
	if r.Summary != nil {
		vanished = max(vanished, r.Summary.Vanished)
	}
	if failed := r.Failed() - vanished; failed > 0 {
		all = append(all, r.failed(failed)+" could not be "+done)
	}
	if vanished > 0 {
		all = append(all, ui.Things(vanished, "entry of the source vanished before it was ", "entries of the source vanished before they were ")+done)
	}
	if r.asked > 0 {
		all = append(all, ui.Things(r.asked, "attribute that was asked for", "attributes that were asked for")+" could not be kept")
	}
	if s := r.Summary; s != nil && s.Error != "" && !r.EndedEarly() && (s.Audit == nil || all == nil) {
		all = append(all, s.Error)
	}
	return all
}

// failed describes n failures, and how many of them are directories.
func (r *Run) failed(n int64) string {
	switch r.failedDirs {
	case 0:
		return ui.Things(n, "entry", "entries")
	case n:
		return ui.Things(n, "directory", "directories")
	}
	return ui.Things(n, "entry", "entries") + " (" + ui.Things(r.failedDirs, "directory", "directories") + " among them)"
}

// success describes a run in which nothing went wrong.
func (r *Run) success() (text string, good bool) {
	s := r.Summary
	switch r.Kind() {
	case comparison:
		if s.Exit == 0 {
			return "The trees are equal: " + ui.Things(s.Found, "entry was", "entries were") + " compared.", true
		}
		return "The trees differ: of " + ui.Things(s.Found, "entry", "entries") + " of the source, the destination lacks or has otherwise " +
			ui.Count(s.Copied) + "; it has " + ui.Count(s.Deleted) + " that the source lacks.", false
	case dryRun:
		return "The last run was a dry run, which does nothing: " + ui.Things(s.Copied, "entry", "entries") + " would be copied and " +
			ui.Count(s.Deleted) + " removed.", false
	case removal:
		return "All is removed: " + ui.Things(s.Deleted, "entry", "entries") + ".", true
	}
	text = "All is there: " + ui.Things(s.Copied, "entry was", "entries were") + " copied and " + ui.Count(s.Unchanged) + " were current"
	if s.Skipped > 0 {
		text += ", and " + ui.Count(s.Skipped) + " were skipped"
	}
	return text + ".", true
}

// String returns what the journal proves, as a sentence.
func (a *audit) String() string {
	if a.Complete {
		return "The journal proves that " + ui.Things(a.Found, "directory that was found is", "directories that were found are all") + " done."
	}
	return fmt.Sprintf("By the journal, %s of %s are done, %s failed and %s were not reached.",
		ui.Count(a.Done), ui.Things(a.Found, "directory", "directories"), ui.Count(a.Failed), ui.Count(a.Missing))
}

// ending describes in a few words how the run ended.
func (r *Run) ending() string {
	s := r.Summary
	switch {
	case s == nil:
		return "no end in the log"
	case s.Interrupted:
		return "interrupted"
	case r.EndedEarly():
		return "ended early"
	case r.Kind() == comparison && s.Exit == 0:
		return "equal"
	case r.Kind() == comparison && s.Exit == 1:
		return "different"
	case r.Failed() > 0:
		return ui.Count(r.Failed()) + " failed"
	case s.Exit != 0:
		return cmp.Or(s.Error, fmt.Sprintf("exit status %d", s.Exit))
	}
	return "complete"
}

// nextPass says how long another copy with the operands of the last one takes, or "" if no copy came to its end.
func nextPass(runs []*Run) string {
	var last *Run // copy that came to its end
	var operands *Run
	for i := len(runs) - 1; i >= 0 && last == nil; i-- {
		r := runs[i]
		if r.Kind() != copying {
			continue
		}
		operands = cmp.Or(operands, r)
		if r.sameOperands(operands) && !r.EndedEarly() {
			last = r
		}
	}
	switch {
	case operands == nil:
		return ""
	case last == nil:
		return "No copy has come to its end, so there is no telling how long the next one takes."
	case 2*last.Summary.Copied > last.Summary.Found:
		return fmt.Sprintf("The next pass looks at all entries again and copies what has changed: it takes less than the %s of the pass that copied most of them.", seconds(last.Seconds()))
	}
	if last.Summary.Copied == 0 {
		return fmt.Sprintf("The next pass takes some %s, as the last one did, if there is as little to copy.", seconds(last.Seconds()))
	}
	return fmt.Sprintf("The next pass takes some %s, as the last one did, if as much changes as before it (%s, %s).", seconds(last.Seconds()),
		ui.Things(last.Summary.Copied, "entry", "entries"), ui.Size(last.Summary.BytesCopied))
}

// sentence returns a clause as a sentence.
func sentence(clause string) string {
	if clause == "" {
		return ""
	}
	return strings.ToUpper(clause[:1]) + clause[1:] + "."
}

func sentences(clauses []string) []string {
	var all []string
	for _, c := range clauses {
		all = append(all, sentence(c))
	}
	return all
}
