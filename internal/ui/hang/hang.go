// Package hang reports what a program waits for that has been interrupted and does not end.
package hang

import (
	"fmt"
	"slices"
	"strings"

	"psync/internal/ui"
)

// Describe describes the system calls that have not returned, by the paths that workers are busy with: each
// worker is in one call. It is unknown whether a call concerns SRC or DST.
func Describe(paths []string) string {
	const most = 3 // paths that help to find out what hangs
	if len(paths) == 0 {
		return "a call of the system has not returned yet"
	}
	calls := "1 call of the system has"
	if len(paths) > 1 {
		calls = fmt.Sprintf("%d calls of the system have", len(paths))
	}
	paths = slices.Compact(slices.Sorted(slices.Values(paths))) // several workers may copy ranges of one file
	var shown []string
	for _, path := range paths[:min(len(paths), most)] {
		shown = append(shown, ui.Escape(path))
	}
	at := strings.Join(shown, ", ")
	if others := len(paths) - len(shown); others > 0 {
		at += fmt.Sprintf(" and %d more", others)
	}
	return calls + " not returned yet, at " + at
}
