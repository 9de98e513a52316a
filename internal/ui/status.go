package ui

import (
	"fmt"

	"psync/internal/ui/estimate"
)

// parts returns s in words, without the percentage. The least important part comes first.
func parts(s estimate.Status) []string {
	var parts []string
	switch {
	case s.Removal:
		parts = []string{"removed " + Things(s.Done.Files, "entry", "entries")}
	case s.DryRun:
		parts = []string{filesOf(s)}
	default:
		parts = []string{filesOf(s), bytesOf(s)}
	}
	if s.Stalled > 0 {
		parts = append(parts, "stalled "+About(s.Stalled))
	} else {
		if s.Rate > 0 {
			parts = append(parts, speedOf(s))
		}
		if s.Left > 0 {
			parts = append(parts, "ETA "+About(s.Left))
		}
	}
	if s.DryRun {
		parts[len(parts)-1] += " (dry run)"
	}
	return parts
}

func filesOf(s estimate.Status) string {
	switch {
	case s.Known:
		total := Count(s.Total.Files)
		return fmt.Sprintf("%*s/%s", len(total), Count(s.Done.Files), Things(s.Total.Files, "file", "files"))
	case s.Total.Files > s.Done.Files:
		return Count(s.Done.Files) + " of at least " + Things(s.Total.Files, "file", "files")
	}
	return Things(s.Done.Files, "file", "files")
}

func speedOf(s estimate.Status) string {
	if s.Removal {
		return Count(s.Rate) + "/s"
	}
	return speed(s.Rate)
}

func bytesOf(s estimate.Status) string {
	switch {
	case s.Known:
		return sizes(s.Done.Bytes, s.Total.Bytes)
	case s.Total.Bytes > s.Done.Bytes:
		return Size(s.Done.Bytes) + " of " + Size(s.Total.Bytes) + " and counting"
	}
	return Size(s.Done.Bytes)
}
