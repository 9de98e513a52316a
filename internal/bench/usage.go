package bench

import (
	"fmt"
	"strings"
)

// introduction explains the program, before its flags.
func introduction() string {
	var b strings.Builder
	b.WriteString(`psync-bench measures psync against the copiers that this machine has: those of
a table that are found on PATH, and those given by -peer. It prints one Markdown
table for each workload and kind of run. A tool that cannot do a kind is not in
its tables.

Kinds of run, and the tool that the others are compared with:
`)
	for _, k := range kinds() {
		fmt.Fprintf(&b, "  %-8s %-9s %s\n", k, k.baseline(), k.about())
	}
	b.WriteString(`A copy that has to be there before is made by cp -a, outside of the time measured.

Workloads, made of random bytes; files are made smaller where there is no room:
`)
	for _, s := range shapes() {
		fmt.Fprintf(&b, "  %-8s %s\n", s.name, s.about)
		for _, p := range s.parts {
			fmt.Fprintf(&b, "  %-8s   %s\n", "", p)
		}
	}
	b.WriteString(`
Columns:
  keeps      times, or all (times, modes and owners); a tool that drops links or
             directories is measured, and the column says so
  × cp -r    median of the ratios to cp -r in the same round, and their range
  CPU s      user and system time, median
  peak RSS   highest of all rounds; "≤": not above that of psync-bench itself,
             which Linux counts in

`)
	return b.String()
}

// String describes p for people.
func (p part) String() string {
	sizes := bytesText(p.minSize)
	if p.minSize != p.maxSize {
		sizes += " to " + bytesText(p.maxSize)
	}
	files := "files"
	if p.files == 1 {
		files = "file"
	}
	text := fmt.Sprintf("%d %s of %s", p.files, files, sizes)
	switch p.dirs {
	case 0:
	case 1:
		text += " in a directory"
	default:
		text += fmt.Sprintf(" in %d directories", p.dirs)
	}
	return text
}

// bytesText renders a size in the unit in which it is short.
func bytesText(n int64) string {
	switch {
	case n >= 1e6 && n%1e6 == 0:
		return fmt.Sprintf("%d MB", n/1e6)
	case n >= gib && n%gib == 0:
		return fmt.Sprintf("%d GiB", n/gib)
	case n >= mib && n%mib == 0:
		return fmt.Sprintf("%d MiB", n/mib)
	case n >= kib && n%kib == 0:
		return fmt.Sprintf("%d KiB", n/kib)
	default:
		return fmt.Sprintf("%d B", n)
	}
}
