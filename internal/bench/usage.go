package bench

import (
	"fmt"
	"strings"

	"psync/internal/bench/tree"
)

// introduction explains the program, before its flags.
func introduction() string {
	var b strings.Builder
	b.WriteString(`psync-bench measures psync against the copiers that this machine has: those of
a table that are found on PATH, and those given by -peer. It prints one Markdown
table for each workload and kind of run. A tool that cannot do a kind is not in
its tables.

Kinds of run, and the tool that the others are compared with if no C compiler (cc)
is there, or something is far:
`)
	for _, k := range kinds() {
		fmt.Fprintf(&b, "  %-8s %-9s %s\n", k, k.baseline(), k.about())
	}
	b.WriteString(`A copy that has to be there before is made by cp -a, outside of the time measured.

Workloads, made of random bytes; files are made smaller where there is no room:
`)
	for _, s := range tree.Shapes() {
		fmt.Fprintf(&b, "  %-8s %s\n", s.Name, s.About)
		for _, p := range s.Parts {
			fmt.Fprintf(&b, "  %-8s   %s\n", "", p)
		}
	}
	b.WriteString(`
Columns:
  keeps      times, or all (times, modes and owners); a tool that drops links or
             directories is measured, and the column says so
  × TOOL     median of the ratios to that tool in the same round, and their range
  CPU s      user and system time, median; with -ssh, on Linux, of both sides
  peak RSS   highest of all rounds; "≤": not above that of psync-bench itself,
             which Linux counts in

How to read the tables:
  "C limit" is a program of two threads that is compiled for the run. It copies
  contents, modes and times with the fewest calls, and checks next to nothing: what a
  tool is above 1.00 is what its layers and its care cost. It is no limit of a single
  directory or a large file, which it does not share between its threads.
  Compare ratios, not seconds, and only within a table. A ratio whose range holds 1.00
  may be noise, as may differences below 10 %.
  Mind what a tool keeps: one that sets no times saves a call for each file.
  Much CPU in little time means more threads, and less is left to others.
  On a busy machine, run psync-bench by chrt -r 5, trust CPU before time, and take more
  rounds. With -image, each run has a fresh file system, and nothing waits for the disk.

`)
	return b.String()
}
