// Package flaggroup lists flags under headings.
package flaggroup

import (
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/pflag"
)

// A Group is a heading with the flags below it.
type Group struct {
	Heading string
	Flags   []*pflag.Flag
}

// key is that of the heading among the annotations of a flag.
const key = "psync_group"

// Annotation returns the annotations that put flags below a heading. Flags may share them.
func Annotation(heading string) map[string][]string { return map[string][]string{key: {heading}} }

// HeadingOf returns the heading of a flag, or "" if the flag has none.
func HeadingOf(f *pflag.Flag) string {
	if headings := f.Annotations[key]; len(headings) > 0 {
		return headings[0]
	}
	return ""
}

// Of returns the flags of a set that are not hidden, in the order of their definition. The groups are in the order
// of headings. Flags with another heading, or with none, come last, in a group without a heading.
func Of(fs *pflag.FlagSet, headings []string) []Group {
	groups := make([]Group, len(headings)+1)
	for i, heading := range headings {
		groups[i].Heading = heading
	}
	fs.VisitAll(func(f *pflag.Flag) {
		if f.Hidden {
			return
		}
		i := slices.Index(headings, HeadingOf(f))
		if i < 0 {
			i = len(headings)
		}
		groups[i].Flags = append(groups[i].Flags, f)
	})
	return slices.DeleteFunc(groups, func(g Group) bool { return len(g.Flags) == 0 })
}

// Spelling returns how a flag is typed, as in "-j, --threads N", and what it does.
func Spelling(f *pflag.Flag) (spelling, usage string) {
	value, usage := pflag.UnquoteUsage(f)
	spelling = "--" + f.Name
	if f.Shorthand != "" && f.Name != f.Shorthand {
		spelling = "-" + f.Shorthand + ", " + spelling
	}
	if f.Name == f.Shorthand {
		spelling = "-" + f.Shorthand
	}
	if value != "" {
		spelling += " " + value
	}
	return spelling, usage
}

// Widths of the lines of a help, and of the spelling of a flag at the beginning of a line.
const (
	width       = 79
	columnWidth = 27
)

// Text returns the lines of a group, each of at most 79 columns.
func (g Group) Text() string {
	var b strings.Builder
	for _, f := range g.Flags {
		spelling, usage := Spelling(f)
		if f.Shorthand == "" {
			spelling = "    " + spelling // below those that have a letter
		}
		spelling = "  " + spelling
		lines := Wrap(usage, width-columnWidth)
		if len(spelling) > columnWidth-2 {
			fmt.Fprintf(&b, "%s\n", spelling)
		} else {
			fmt.Fprintf(&b, "%-*s%s\n", columnWidth, spelling, lines[0])
			lines = lines[1:]
		}
		for _, line := range lines {
			fmt.Fprintf(&b, "%*s%s\n", columnWidth, "", line)
		}
	}
	return b.String()
}

// Wrap splits a text at blanks into lines of at most n bytes, or of one word.
func Wrap(text string, n int) []string {
	var lines []string
	line := ""
	for word := range strings.FieldsSeq(text) {
		switch {
		case line == "":
			line = word
		case len(line)+1+len(word) <= n:
			line += " " + word
		default:
			lines = append(lines, line)
			line = word
		}
	}
	return append(lines, line)
}
