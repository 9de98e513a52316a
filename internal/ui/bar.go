package ui

import (
	"bytes"
	"fmt"
	"io"
	"strings"

	"github.com/schollz/progressbar/v3"

	"psync/internal/ui/estimate"
)

// A bar is a line on a terminal that is redrawn repeatedly, with lines below it if there are any: the bar stays where it is
// when they come and go. It is a spinner while the total is unknown. A bar has a fixed terminal width; another width needs
// another bar.
type bar struct {
	terminal io.Writer
	known    bool
	columns  int
	room     int // columns for the text

	// drawn buffers the output of progressbar, because a drawing in a single write does not flicker.
	drawn bytes.Buffer
	line  *progressbar.ProgressBar
	turns int      // of the spinner
	below []string // the lines below the bar
}

const (
	scale        = 10_000 // steps of the bar
	barFrame     = 11     // columns that progressbar adds to the bar and the words
	spinnerFrame = 4      // columns that progressbar adds to the words of a spinner
)

const (
	eraseToEnd = "\x1b[0K" // erases the rest of a longer line
	eraseBelow = "\x1b[0J" // erases the rest of the line, and the lines below it
)

var spinner = []string{"|", "/", "-", `\`}

func newBar(terminal io.Writer, columns int, known bool) *bar {
	b := &bar{terminal: terminal, known: known, columns: columns}
	width := min(max(4, columns/4-15), 30)
	maximum := int64(scale)
	b.room = columns - 1 - barFrame - width // the last column is left free: some terminals wrap there
	if !known {
		maximum = -1
		b.room = columns - 1 - spinnerFrame
	}
	b.line = progressbar.NewOptions64(maximum,
		progressbar.OptionSetWriter(&b.drawn),
		progressbar.OptionUseANSICodes(true),
		progressbar.OptionSetWidth(width),
		progressbar.OptionSetTheme(progressbar.Theme{
			Saucer: "=", SaucerHead: ">", SaucerPadding: " ", BarStart: "[", BarEnd: "]",
		}),
		progressbar.OptionShowDescriptionAtLineEnd(),
		// progressbar averages from the start of the run; our estimates use recent samples.
		progressbar.OptionSetPredictTime(false),
		progressbar.OptionSetElapsedTime(false),
	)
	return b
}

// draw draws s over the previous contents of the line, and the lines below it.
func (b *bar) draw(s estimate.Status, below []string) {
	if b.known {
		_ = b.line.Set64(int64(s.Share() * scale)) // never fails: Share is below 1
		b.drawn.Reset()                            // Describe draws it again, with the right words
	} else {
		// progressbar's own spinner depends on the clock, and would show every other frame at our pace.
		frame := b.turns % len(spinner)
		progressbar.OptionSpinnerCustom(spinner[frame : frame+1])(b.line)
		b.turns++
	}
	b.line.Describe(fit(parts(s), b.room) + eraseToEnd)
	fewer := len(below) < len(b.below)
	b.below = below
	b.drawBelow(fewer)
	b.flush()
}

// drawBelow draws the lines below the bar, and puts the cursor back into its line. fewer says that there were more.
func (b *bar) drawBelow(fewer bool) {
	for _, line := range b.below {
		b.drawn.WriteString("\n" + line + eraseToEnd)
	}
	if fewer {
		b.drawn.WriteString(eraseBelow)
	}
	if n := len(b.below); n > 0 {
		fmt.Fprintf(&b.drawn, "\x1b[%dA\r", n)
	}
}

// redraw repeats the last drawing.
func (b *bar) redraw() {
	b.drawn.WriteString(b.line.String())
	b.drawBelow(false)
	b.flush()
}

// erase leaves an empty line, with the cursor at its beginning, and nothing below it.
func (b *bar) erase() {
	_ = b.line.Clear()
	if len(b.below) > 0 {
		b.drawn.WriteString(eraseBelow)
	}
	b.flush()
}

func (b *bar) flush() {
	_, _ = b.drawn.WriteTo(b.terminal)
	b.drawn.Reset() // output for a terminal that is gone must not accumulate in memory
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
