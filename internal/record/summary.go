package record

import (
	"errors"
	"fmt"
	"time"

	"psync/internal/report"
	"psync/internal/ui"
)

// An Outcome describes how a run ended.
type Outcome struct {
	Totals      report.Totals
	Err         error // why the run stopped early, or nil
	Exit        int
	Interrupted bool
}

// A Balance says what became of the entries of the source that are not directories.
// Found is the sum of all others.
type Balance struct {
	Found, Copied, Unchanged, Skipped, Failed int64
	// Unfinished entries were not dealt with before the run ended. Of a run that came to its end there are none.
	Unfinished int64
}

// BalanceOf returns the balance of a run.
func BalanceOf(t report.Totals) Balance {
	b := Balance{
		Found:     t[report.FilesSeen] + t[report.LinksSeen] + t[report.SpecialsSeen] + t[report.UnseenFailed],
		Copied:    t[report.FilesCopied] + t[report.OthersCopied] - t[report.CopiedFailed],
		Unchanged: t[report.FilesKept] + t[report.OthersKept] - t[report.KeptFailed],
		Skipped:   t[report.FilesSkipped] + t[report.OthersSkipped],
		Failed:    t[report.EntriesFailed],
	}
	b.Unfinished = b.Found - b.Copied - b.Unchanged - b.Skipped - b.Failed
	return b
}

// End writes the summary, and closes the logs. It returns why a log is not complete.
func (r *Recorder) End(o Outcome) error {
	if r == nil {
		return nil
	}
	b := BalanceOf(o.Totals)
	if r.json != nil {
		r.json.write(encode(r.summary(o, b)), false)
	}
	if r.text != nil {
		line := appendPrefix(nil, time.Now())
		line = fmt.Appendf(line, "found %d, copied %d, unchanged %d, skipped %d, failed %d, unfinished %d; %d bytes copied; exit status %d\n",
			b.Found, b.Copied, b.Unchanged, b.Skipped, b.Failed, b.Unfinished, o.Totals[report.BytesCopied], o.Exit)
		r.text.write(line, false)
	}
	return r.Close()
}

// Close closes the logs of a run that has no end. A nil Recorder has none.
func (r *Recorder) Close() error {
	if r == nil {
		return nil
	}
	var errs []error
	for _, l := range []*lines{r.json, r.text} {
		if l != nil {
			errs = append(errs, l.close())
		}
	}
	return errors.Join(errs...)
}

func (r *Recorder) summary(o Outcome, b Balance) object {
	r.mu.Lock()
	defer r.mu.Unlock()
	t := o.Totals
	all := object{
		{"event", "summary"},
		{"t", time.Since(r.start).Seconds()},
		{"time", time.Now()},
		{"exit", o.Exit},
		{"interrupted", o.Interrupted},
		{"found", b.Found},
		{"copied", b.Copied},
		{"unchanged", b.Unchanged},
		{"skipped", b.Skipped},
		{"failed", b.Failed},
		{"unfinished", b.Unfinished},
		{"bytes_copied", t[report.BytesCopied]},
		{"bytes_found", t[report.BytesSeen]},
		{"dirs_found", t[report.DirsSeen]},
		{"dirs_made", t[report.DirsMade]},
		{"deleted", t.Deleted()},
		{"failures", t[report.Failed]},
		{"vanished", t[report.Vanished]},
		{"attributes_not_kept", t[report.Unkeeps]},
		{"verified", t[report.Verified]},
		{"not_asked", object{
			{"hard_links", t[report.DroppedHardLinks]},
			{"acls", t[report.DroppedACLs]},
			{"xattrs", t[report.DroppedXattrs]},
		}},
		{"events", r.counts},
	}
	if o.Err != nil {
		all = append(all, member{"error", ui.Describe(o.Err)})
	}
	if r.audit != nil {
		all = append(all, member{"audit", r.audit})
	}
	return all
}
