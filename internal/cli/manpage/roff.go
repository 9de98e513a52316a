package manpage

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"psync/internal/cli/flaggroup"
)

// A roff is a page that is being written, with the macros of man(7).
type roff struct{ strings.Builder }

// macro writes a line that calls a macro.
func (r *roff) macro(name string, args ...string) {
	r.WriteString("." + name)
	for _, arg := range args {
		fmt.Fprintf(r, ` "%s"`, strings.ReplaceAll(plain(arg), `"`, `\(dq`))
	}
	r.WriteString("\n")
}

// item writes an entry of a list: a tag with markup, and plain text.
func (r *roff) item(tag, text string) {
	r.macro("TP")
	r.WriteString(tag + "\n")
	r.fill(plain(text))
}

// fill writes a line with markup that is to be filled, as several lines that are short enough to be edited.
func (r *roff) fill(line string) {
	const width = 80
	for _, line := range flaggroup.Wrap(line, width-len(`\&`)) {
		if strings.HasPrefix(line, ".") { // the line would be a macro
			line = `\&` + line
		}
		r.WriteString(line + "\n")
	}
}

// prose writes plain text. Paragraphs are filled, indented lines are not.
func (r *roff) prose(text string) {
	verbatim := false
	for line := range strings.SplitSeq(text, "\n") {
		if indented := strings.HasPrefix(line, " ") || strings.HasPrefix(line, "\t"); indented != verbatim {
			verbatim = indented
			if verbatim {
				r.macro("EX")
			} else {
				r.macro("EE")
			}
		}
		if line == "" {
			r.macro("PP")
		} else {
			line = strings.TrimPrefix(line, "#### ") // cobra writes headings in Markdown
			if verbatim {
				r.WriteString(plain(line) + "\n")
			} else {
				r.fill(plain(line))
			}
		}
	}
	if verbatim {
		r.macro("EE")
	}
}

// bold and italic mark up plain text.
func bold(text string) string   { return `\fB` + plain(text) + `\fR` }
func italic(text string) string { return `\fI` + plain(text) + `\fR` }

// plain escapes a line of text for roff. Characters that roff would replace by typographic characters stay
// unchanged, because readers copy them to a shell.
func plain(line string) string {
	line = strings.NewReplacer(`\`, `\e`, "-", `\-`, "'", `\(aq`, "`", `\(ga`, "^", `\(ha`, "~", `\(ti`).Replace(line)
	if strings.HasPrefix(line, ".") { // the line would be a macro
		line = `\&` + line
	}
	var b strings.Builder
	for _, c := range line {
		if c < utf8.RuneSelf {
			b.WriteRune(c)
		} else {
			fmt.Fprintf(&b, `\[u%04X]`, c) // groff takes Latin-1 only
		}
	}
	return b.String()
}
