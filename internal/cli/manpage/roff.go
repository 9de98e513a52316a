package manpage

import (
	"fmt"
	"strings"
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
	fmt.Fprintf(r, "%s\n%s\n", tag, plain(text))
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
			r.WriteString(plain(line) + "\n")
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
	return line
}
