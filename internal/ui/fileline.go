package ui

import (
	"fmt"
	"unicode"
	"unicode/utf8"

	"psync/internal/ui/inhand"
)

// A terminal of at least this size shows files in hand below the bar.
const fileColumns, fileRows = 72, 10

// fileLines returns the lines of files in hand, for a terminal of this size: share, size, rate, and as much of the end of
// the path as there is room for.
func fileLines(files []inhand.File, columns, rows int) []string {
	if columns < fileColumns || rows < fileRows {
		return nil
	}
	var lines []string
	for _, f := range files {
		line := fmt.Sprintf("%4d%%  %13s, %-10s  ", f.Done*100/max(1, f.Size), sizes(f.Done, f.Size), speed(f.Rate))
		lines = append(lines, line+lastColumns(Escape(f.Path), columns-1-len(line)))
	}
	return lines
}

// lastColumns returns the end of text that takes at most n columns. It takes all characters that are not ASCII for wide
// ones.
func lastColumns(text string, n int) string {
	const cut = "..."
	begin, whole := len(text), true
	for at, width := len(text), 0; at > 0; {
		r, size := utf8.DecodeLastRuneInString(text[:at])
		at -= size
		width += 1
		if r >= utf8.RuneSelf {
			width++
		}
		if width > n {
			whole = false
			break
		}
		if width <= n-len(cut) && !unicode.Is(unicode.M, r) { // a combining character needs the one before it
			begin = at
		}
	}
	if whole {
		return text
	}
	return cut + text[begin:]
}
