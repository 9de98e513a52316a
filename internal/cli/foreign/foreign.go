// Package foreign knows the flags and verbs of rsync, rclone, cp, robocopy and other copiers that psync does not have, and
// says what to write instead. It reads them from the tables of psync-rsync(7) and psync-others(7), which few command lines
// need.
package foreign

import (
	"slices"
	"strings"

	"psync/internal/cli/manual"
)

// A Flag is a flag of another program that psync does not have.
type Flag struct {
	Names   []string // long ones, and letters, without dashes
	Value   bool     // it takes a value
	Refused bool     // otherwise it has no effect
	Why     string   // it has no effect, or what to write instead
}

// Ignored returns the flags that are accepted without effect: what they ask for is so anyway, or does not matter here.
func Ignored() []Flag { return flags("Flags without effect", false) }

// Refused returns the flags that are refused.
func Refused() []Flag { return flags("Flags that are refused", true) }

func flags(heading string, refused bool) (flags []Flag) {
	for _, r := range append(rows("psync-rsync.md", heading), rows("psync-others.md", heading)...) {
		f := Flag{Refused: refused, Why: r.says}
		for _, typed := range r.words { // --NAME=VALUE or -N VALUE
			end := strings.IndexAny(typed+"=", "= ")
			f.Names, f.Value = append(f.Names, strings.TrimLeft(typed[:end], "-")), f.Value || end < len(typed)
		}
		flags = append(flags, f)
	}
	return flags
}

// Named returns the row of a flag, given by its name or letter.
func Named(name string) (Flag, bool) {
	for _, f := range append(Ignored(), Refused()...) {
		if slices.Contains(f.Names, name) {
			return f, true
		}
	}
	return Flag{}, false
}

// InsteadOfVerb returns the hint for a word that is a program, or a verb of another one; or "".
func InsteadOfVerb(word string) string { return insteadOf("Programs and verbs", word) }

// InsteadOfRobocopy returns what to write instead of a flag of robocopy, which a value may follow behind a colon; or "".
func InsteadOfRobocopy(flag string) string {
	name, _, _ := strings.Cut(flag, ":")
	if strings.LastIndexByte(name, '/') != 0 { // no flag, as most operands
		return ""
	}
	return insteadOf("Flags of robocopy", strings.ToUpper(name))
}

func insteadOf(heading, word string) string {
	for _, r := range rows("psync-others.md", heading) {
		if slices.Contains(r.words, word) {
			return r.says
		}
	}
	return ""
}

// A row is a row of a table: the words that the first column has in backquotes, and the second column.
type row struct {
	words []string
	says  string
}

// rows returns the rows of the table below a heading of a page.
func rows(page, heading string) (rows []row) {
	text, err := manual.Texts.ReadFile(page)
	if err != nil {
		panic(err)
	}
	_, section, _ := strings.Cut(string(text), "\n## "+heading+"\n")
	section, _, _ = strings.Cut(section, "\n## ")
	for line := range strings.Lines(section) {
		if cells, isRow := strings.CutPrefix(line, "| `"); isRow {
			words, says, _ := strings.Cut(strings.TrimSuffix(cells, " |\n"), "` | ")
			rows = append(rows, row{strings.Split(words, "`, `"), says})
		}
	}
	return rows
}
