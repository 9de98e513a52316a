package survey

import (
	"fmt"
	"io"
	"strings"
	"time"

	"psync/internal/quote"
)

// A Printer prints the results of surveys.
type Printer struct {
	Out  io.Writer
	UTF8 bool // the terminal can show characters beyond ASCII
}

// Print prints what is not kept, then the required and available space, and then other features that the
// destination lacks.
func (p Printer) Print(r *Result) {
	fmt.Fprintf(p.Out, "SRC has %s (%s), and files of %s\n", entries(r.Entries), count(r.Directories, "directory", "directories"), size(r.Bytes))
	for _, f := range r.Findings {
		p.finding(&f, r.Granularity)
	}
	p.room(r)
	if len(r.Lacks) > 0 {
		fmt.Fprintf(p.Out, "DST also lacks what SRC does not need: %s\n", strings.Join(r.Lacks, ", "))
	}
	if r.Shares {
		fmt.Fprintln(p.Out, "DST can share blocks between files: copies within it take no room (--reflink)")
	}
	if r.Kept() {
		fmt.Fprintln(p.Out, "psync copy -aHAX will keep everything")
	} else {
		fmt.Fprintln(p.Out, "psync copy -aHAX will not keep everything")
	}
}

// finding prints a finding: the property, the number of entries with examples, then what happens and what can
// be done.
func (p Printer) finding(f *Finding, g Granularity) {
	t := texts[f.Kind]
	what := t.what
	switch {
	case f.Kind == Rounded:
		what += " (" + time.Duration(g).String() + ")"
	case len(f.Details) > 0:
		what += " (" + p.details(f) + ")"
	}
	fmt.Fprintf(p.Out, "NOT KEPT  %s: %s, as %s\n", what, entries(f.Entries), p.examples(f))
	fmt.Fprintf(p.Out, "          %s\n", t.happens)
	fmt.Fprintf(p.Out, "          remedy: %s\n", t.remedy)
}

func (p Printer) details(f *Finding) string {
	shown := make([]string, len(f.Details))
	for i, d := range f.Details {
		shown[i] = p.Printable(d)
	}
	if f.More {
		shown = append(shown, "and others")
	}
	if f.Kind == Name || f.Kind == Spelling {
		return strings.Join(shown, "  ") // a comma may be among them
	}
	return strings.Join(shown, ", ")
}

func (p Printer) examples(f *Finding) string {
	shown := make([]string, len(f.Examples))
	for i, path := range f.Examples {
		shown[i] = quote.Name(path, p.UTF8)
	}
	return strings.Join(shown, ", ")
}

// Printable returns a detail without terminal control characters.
func (p Printer) Printable(detail string) string {
	return strings.Map(func(r rune) rune {
		if r < ' ' || r == 0x7f || r > 0x7f && !p.UTF8 {
			return '?'
		}
		return r
	}, detail)
}

// entries returns n with the matching noun.
func entries(n int64) string { return count(n, "entry", "entries") }

func count(n int64, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return fmt.Sprintf("%d %s", n, many)
}

func inodes(n int64) string { return count(n, "inode", "inodes") }

// room prints the space that a copy takes, and the available space.
func (p Printer) room(r *Result) {
	fmt.Fprintf(p.Out, "needs %s and %s", size(r.NeedBytes), inodes(r.NeedInodes))
	switch {
	case !r.Room.Known:
		fmt.Fprintln(p.Out, "; the space of DST is unknown")
		return
	case r.Room.LimitsInodes:
		fmt.Fprintf(p.Out, "; DST has %s and %s\n", size(r.Room.Free), inodes(r.Room.Inodes))
	default:
		fmt.Fprintf(p.Out, "; DST has %s\n", size(r.Room.Free))
	}
	if n := r.LacksBytes(); n > 0 {
		fmt.Fprintf(p.Out, "NO ROOM   %s are missing\n", size(n))
	}
	if n := r.LacksInodes(); n > 0 {
		fmt.Fprintf(p.Out, "NO ROOM   %s are missing\n", inodes(n))
	}
}

// size returns a number of bytes in units of 1024.
func size(n int64) string {
	if n < 1024 {
		return fmt.Sprintf("%d bytes", n)
	}
	x, unit := float64(n)/1024, 0
	for ; x >= 1024 && unit < 5; unit++ {
		x /= 1024
	}
	return fmt.Sprintf("%.1f %ciB", x, "KMGTPE"[unit])
}
