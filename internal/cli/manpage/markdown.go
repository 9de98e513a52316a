package manpage

import (
	"io/fs"
	"regexp"
	"strings"
)

// A Manual is a directory of texts in Markdown: NAME.md becomes part of the page of the command NAME, or a page of section 7
// if it begins with a title. The rows of a section "Options" say more of flags, and stand where these are explained.
type Manual struct {
	fs.FS
	Headings []string // those that flags are listed under, in their order
}

// text returns the text about a command, or "".
func (m Manual) text(name string) string {
	text, err := fs.ReadFile(m, name+".md")
	if err != nil {
		return ""
	}
	return strings.TrimSpace(string(text))
}

// isTopic reports whether a text is a page of its own.
func isTopic(text string) bool { return strings.HasPrefix(text, "# ") }

// splitText splits the text about a command into what stands before its flags, details of flags by their names, and the rest,
// which is all if there are no details.
func splitText(text string) (before string, details map[string]string, after string) {
	before, rest, ok := strings.Cut(text, "## Options\n")
	if !ok {
		return "", nil, text
	}
	table, after, more := strings.Cut(rest, "\n## ")
	if more {
		after = "## " + after
	}
	details = make(map[string]string)
	for line := range strings.Lines(table) {
		if flag, detail, ok := strings.Cut(strings.Trim(line, "| \n"), " | "); ok {
			details[strings.Trim(flag, "`")] = detail
		}
	}
	return before, details, after
}

// markdown writes the part of Markdown that the texts of the manual use: headings of the levels 2 and 3, paragraphs,
// lists of bullets, fenced code, tables, of which the first column becomes a tag and the heading is left out, and in
// them `code` and **bold**.
func (r *roff) markdown(text string) {
	var state struct{ code, head, begun, ended bool } // begun: text stands in the section; ended: its paragraph has ended
	for line := range strings.SplitSeq(text, "\n") {
		cells, isRow := strings.CutPrefix(line, "|")
		switch {
		case strings.HasPrefix(line, "```"):
			state.code = !state.code
			if state.code {
				if state.begun {
					r.macro("PP")
				}
				r.macro("EX")
			} else {
				r.macro("EE")
			}
		case state.code:
			r.WriteString("    " + plain(line) + "\n")
		case strings.HasPrefix(line, "### "):
			r.macro("SS", line[4:])
		case strings.HasPrefix(line, "## "):
			r.macro("SH", strings.ToUpper(line[3:]))
		case isRow && !state.head:
			state.head = true // the heading
		case isRow && strings.Trim(cells, "|:- ") == "":
		case isRow:
			r.row(strings.Split(strings.TrimSuffix(cells, "|"), " | "))
		case strings.HasPrefix(line, "* "):
			r.WriteString(".IP \\(bu 2\n")
			r.fill(inline(line[2:]))
		case line == "":
			state.ended = true
			continue
		default:
			if state.ended && state.begun {
				r.macro("PP")
			}
			r.fill(inline(strings.TrimSpace(line)))
		}
		state.head = state.head && isRow
		state.begun, state.ended = !strings.HasPrefix(line, "##") || state.code, false
	}
}

// row writes a row of a table.
func (r *roff) row(cells []string) {
	for i, cell := range cells {
		cells[i] = inline(strings.TrimSpace(cell))
	}
	r.macro("TP")
	r.WriteString(cells[0] + "\n")
	r.fill(strings.Join(cells[1:], ". "))
}

// inline marks up a line.
func inline(line string) string {
	var b strings.Builder
	end := 0
	markup := regexp.MustCompile("`[^`]*`|\\*\\*[^*]*\\*\\*") // most runs write no pages, so it is not there before
	for _, m := range markup.FindAllStringIndex(line, -1) {
		b.WriteString(plain(line[end:m[0]]))
		word := line[m[0]:m[1]]
		if strings.HasPrefix(word, "`") {
			word = word[1 : len(word)-1]
		} else {
			word = strings.ReplaceAll(word[2:len(word)-2], "`", "")
		}
		b.WriteString(bold(word))
		end = m[1]
	}
	rest := plain(line[end:])
	if end > 0 {
		rest = strings.TrimPrefix(rest, `\&`) // it does not begin the line
	}
	return b.String() + rest
}
