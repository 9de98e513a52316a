package page

import (
	"fmt"
	"strings"

	"psync/internal/ui"
)

// A card is a figure of a run.
type card struct{ Label, Value, Note string }

// cardLabels are the labels of what became of entries, by the kind of the run.
var cardLabels = [...]struct{ copied, unchanged, deleted string }{
	copying:    {"Copied", "Current", "Removed"},
	dryRun:     {"To be copied", "Current", "To be removed"},
	comparison: {"Missing or different", "Equal", "Only in destination"},
}

// cards returns the figures of the run: eight, or four, so that they fill rows.
func (r *Run) cards() []card {
	failed := card{"Failed", ui.Count(r.Failed()), ""}
	if r.failedDirs > 0 {
		failed.Note = ui.Things(r.failedDirs, "directory", "directories")
	}
	took := card{"Time taken", seconds(r.Seconds()), ""}
	s := r.Summary
	switch {
	case s == nil:
		return []card{
			{"Files copied so far", ui.Count(r.Copied.Count), ui.Size(r.Copied.Bytes)},
			{"Removed so far", ui.Count(r.Removed), ""},
			failed, took,
		}
	case r.Kind() == removal:
		return []card{
			{"Removed", ui.Count(s.Deleted), ""}, {"Removed a second", ui.Count(int64(float64(s.Deleted) / max(s.T, 0.001))), ""}, failed, took,
		}
	}
	labels := cardLabels[r.Kind()]
	found := card{"Found", ui.Count(s.Found), "and " + ui.Things(s.DirsFound, "directory", "directories")}
	if s.Unfinished > 0 {
		found.Note = ui.Count(s.Unfinished) + " not reached"
	}
	bytes := card{"Bytes copied", ui.Size(s.BytesCopied), "of " + ui.Size(s.BytesFound)}
	if r.Start.DryRun {
		bytes = card{"Bytes found", ui.Size(s.BytesFound), ""}
	}
	return []card{
		found,
		{labels.copied, ui.Count(s.Copied), ""},
		{labels.unchanged, ui.Count(s.Unchanged), ""},
		{"Skipped", ui.Count(s.Skipped), ""},
		failed,
		{labels.deleted, ui.Count(s.Deleted), ""},
		bytes, took,
	}
}

// balance says what became of the entries that are not directories, or "" if none were found.
func (r *Run) balance() string {
	s := r.Summary
	if s == nil || s.Found == 0 {
		return ""
	}
	labels := cardLabels[r.Kind()]
	text := fmt.Sprintf("%s: %s %s, %s %s, %s skipped, %s failed", ui.Things(s.Found, "entry other than directories", "entries other than directories"),
		ui.Count(s.Copied), strings.ToLower(labels.copied), ui.Count(s.Unchanged), strings.ToLower(labels.unchanged), ui.Count(s.Skipped), ui.Count(s.Failed))
	if s.Unfinished > 0 {
		text += ", " + ui.Count(s.Unfinished) + " not reached"
	}
	return text
}
