package ui

import (
	"fmt"
	"io"
	"strings"
)

// A bar is a line on a terminal that is redrawn repeatedly. It is a spinner while the total is unknown. A bar
// has a fixed terminal width; another width needs another bar.
type bar struct {
	terminal io.Writer
	known    bool
	columns  int
	width    int    // columns between the brackets
	room     int    // columns for the text
	drawn    string // the last drawing, or ""
	turns    int    // of the spinner
}

const (
	barFrame     = 11 // columns for what else is drawn of a bar
	spinnerFrame = 4  // columns for what else is drawn of a spinner
)

const (
	eraseLine  = "\x1b[2K\r"
	eraseToEnd = "\x1b[0K" // erases the rest of a longer line
)

const spinner = `|/-\`

func newBar(terminal io.Writer, columns int, known bool) *bar {
	b := &bar{terminal: terminal, known: known, columns: columns, width: min(max(4, columns/4-15), 30)}
	b.room = columns - 1 - spinnerFrame // the last column is left free: some terminals wrap there
	if known {
		b.room = columns - 1 - barFrame - b.width
	}
	return b
}

// draw draws s over the previous contents of the line.
func (b *bar) draw(s status) {
	text := fit(s.parts(), b.room) + eraseToEnd
	if b.known {
		done := strings.Repeat("=", int(s.share()*float64(b.width)))
		if done != "" {
			done = done[1:] + ">"
		}
		b.drawn = fmt.Sprintf("\r%4d%% [%-*s]  %s ", int(s.share()*100), b.width, done, text)
	} else {
		b.drawn = fmt.Sprintf("\r%c  %s ", spinner[b.turns%len(spinner)], text)
		b.turns++
	}
	b.redraw()
}

// redraw repeats the last drawing of the line. A drawing in a single write does not flicker.
func (b *bar) redraw() { _, _ = io.WriteString(b.terminal, b.drawn) }

// erase leaves an empty line, with the cursor at its beginning.
func (b *bar) erase() {
	if b.drawn != "" {
		_, _ = io.WriteString(b.terminal, eraseLine)
	}
}

// fit joins parts to at most n columns, leaving out the first parts if necessary. It counts bytes, because all
// words are ASCII.
func fit(parts []string, n int) string {
	for len(parts) > 0 {
		if s := strings.Join(parts, ", "); len(s) <= n {
			return s
		}
		parts = parts[1:]
	}
	return ""
}
