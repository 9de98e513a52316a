package manpage

import "strings"

// usage writes the help of a command that parses its flags itself, from "Usage:" on, as the sections SYNOPSIS,
// DESCRIPTION and OPTIONS, of which the first has begun. A line that begins with a blank and a dash is that of an
// option, or of a table of options; lines between options that are not indented and end with a colon are headings.
func (r *roff) usage(text string) {
	var tag, help string
	described, listed, ended := false, false, false // ended: the last line was empty
	end := func() {
		if tag != "" {
			r.item(tag, help)
		}
		tag = ""
	}
	for line := range strings.Lines(text) {
		line = strings.TrimSuffix(line, "\n")
		trimmed := strings.TrimSpace(line)
		command, isUsage := strings.CutPrefix(trimmed, "Usage: ")
		if alternative, ok := strings.CutPrefix(trimmed, "or:  "); ok && !described {
			r.macro("br")
			command, isUsage = alternative, true
		}
		switch {
		case isUsage:
			r.WriteString(plain(command) + "\n")
		case trimmed == "":
			end()
		case strings.HasPrefix(line, " ") && strings.HasPrefix(trimmed, "-"):
			end()
			if !listed {
				r.macro("SH", "OPTIONS")
				listed = true
			}
			if tag, help = splitOption(line); strings.Contains(help, "  ") || help == "" {
				r.prose(line) // a line of a table, or a list
				tag = ""
			}
		case strings.HasPrefix(line, " "):
			help += " " + trimmed
		case listed && strings.HasSuffix(line, ":"):
			r.macro("SS", strings.TrimSuffix(line, ":"))
		default:
			if !described {
				r.macro("SH", "DESCRIPTION")
				described = true
			}
			if ended {
				r.macro("PP")
			}
			r.fill(plain(line))
		}
		ended = trimmed == ""
	}
	end()
}

// splitOption splits the line of an option into the marked-up option and its help, which begins in a column of its
// own, or after two blanks if the option is too long for that.
func splitOption(line string) (tag, help string) {
	const column = 29
	option := strings.TrimSpace(line)
	if len(line) > column && line[column-1] == ' ' && !strings.Contains(strings.TrimSpace(line[:column]), "  ") {
		option, help = strings.TrimSpace(line[:column]), line[column:]
	} else if before, after, ok := strings.Cut(option, "  "); ok {
		option, help = before, after
	}
	names := strings.Split(option, ", ")
	for i, name := range names {
		end := strings.IndexAny(name, "[= ")
		if end < 0 {
			end = len(name)
		}
		names[i] = bold(name[:end]) + plain(name[end:])
	}
	return strings.Join(names, ", "), strings.TrimSpace(help)
}
