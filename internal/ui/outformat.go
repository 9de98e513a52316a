package ui

import (
	"fmt"
	"os"
	"strconv"
	"strings"
	"time"

	"psync/internal/quote"
	"psync/internal/report"
)

// An OutFormat is a format for listing steps, in the syntax of rsync's --out-format.
type OutFormat struct {
	parts []formatPart
	has   map[byte]bool // escapes
}

// A formatPart is literal text or an escape.
type formatPart struct {
	text   string // literal text; "" for an escape
	escape byte
	width  int // the minimum width, in columns
	left   bool
	zeros  bool // pad numbers with zeros, not blanks
	human  int  // number of apostrophes: 1 groups digits, 2 uses units of 1000, 3 units of 1024
}

// ParseOutFormat parses a format. It returns an error for unsupported escapes.
func ParseOutFormat(text string) (*OutFormat, error) {
	f := &OutFormat{has: make(map[byte]bool)}
	for text != "" {
		before, rest, found := strings.Cut(text, "%")
		if !found || rest == "" || rest[0] == '%' {
			if found { // a trailing % stands for itself, as %% does
				before, rest = before+"%", strings.TrimPrefix(rest, "%")
			}
			f.parts = append(f.parts, formatPart{text: before})
			text = rest
			continue
		}
		if before != "" {
			f.parts = append(f.parts, formatPart{text: before})
		}
		part, rest, err := parseEscape(rest)
		if err != nil {
			return nil, err
		}
		f.parts = append(f.parts, part)
		f.has[part.escape] = true
		text = rest
	}
	return f, nil
}

// parseEscape parses what follows a percent sign.
func parseEscape(text string) (p formatPart, rest string, err error) {
	quotes := func() {
		for strings.HasPrefix(text, "'") {
			p.human, text = p.human+1, text[1:]
		}
	}
	quotes()
	text, p.left = strings.CutPrefix(text, "-")
	digits := len(text) - len(strings.TrimLeft(text, "0123456789"))
	if digits > 0 {
		p.zeros = text[0] == '0' && !p.left
		p.width, err = strconv.Atoi(text[:digits])
		if err != nil || p.width > 4096 {
			return p, "", fmt.Errorf("a width of %s is too much", text[:digits])
		}
		text = text[digits:]
	}
	quotes()
	if text == "" {
		return p, "", fmt.Errorf("it ends within an escape")
	}
	p.escape = text[0]
	switch {
	case strings.IndexByte("nfLlioBMUGbtp", p.escape) >= 0:
		return p, text[1:], nil
	case strings.IndexByte("Cc", p.escape) >= 0:
		err = fmt.Errorf("%%%c: psync makes no checksums of whole files; leave it out", p.escape)
	case strings.IndexByte("ahmPu", p.escape) >= 0:
		err = fmt.Errorf("%%%c is about connections to a daemon of rsync, and psync has none; leave it out", p.escape)
	default:
		err = fmt.Errorf("%%%c is no escape; those of rsync that psync has are %%n %%f %%L %%l %%i %%o %%B %%M %%U %%G %%b %%t %%p", p.escape)
	}
	return p, "", err
}

// Details returns the details of entries that f shows. f may be nil.
func (f *OutFormat) Details() (d report.Detail) {
	if f == nil {
		return 0
	}
	if f.has['f'] {
		d |= report.DetailPath
	}
	if f.has['l'] {
		d |= report.DetailDirSize
	}
	if f.has['M'] || f.has['B'] || f.has['U'] || f.has['G'] {
		d |= report.DetailAttrs
	}
	return d
}

// Itemizes reports whether f shows in what entries differ.
func (f *OutFormat) Itemizes() bool { return f.has['i'] }

// Appender returns the function that appends the line of a step. As in rsync, a format without %i lists no
// files whose attributes alone change, and a format with neither %i nor %o has a fixed text for removals. An empty
// format lists nothing.
func (f *OutFormat) Appender(receives bool) func([]byte, report.Event) []byte {
	if len(f.parts) == 0 {
		return nil
	}
	does := "send"
	if receives {
		does = "recv"
	}
	return func(line []byte, e report.Event) []byte {
		switch {
		case e.Kind == report.Skip, e.Kind == report.SetAttr && !e.IsDir && !f.has['i']:
			return line
		case e.Kind == report.Delete && !f.has['i'] && !f.has['o']:
			line = appendPath(append(line, "deleting "...), e, appendAsRsync)
			return append(line, '\n')
		}
		for _, p := range f.parts {
			if p.text != "" {
				line = append(line, p.text...)
				continue
			}
			line = p.expand(line, e, does)
		}
		return append(line, '\n')
	}
}

// expand appends the value of an escape.
func (p formatPart) expand(line []byte, e report.Event, does string) []byte {
	start := len(line)
	if p.escape == 'L' && p.width > 0 { // the width applies to the target, and to blanks in place of the arrow
		return p.appendWideTarget(line, e)
	}
	switch p.escape {
	case 'n':
		line = appendPath(line, e, appendAsRsync)
	case 'f':
		line = appendSourcePath(line, e)
	case 'L':
		line = appendTarget(line, e, appendAsRsync)
	case 'i':
		line = appendLetters(line, e)
	case 'o':
		if e.Kind == report.Delete {
			does = "del."
		}
		line = append(line, does...)
	case 't':
		line = appendTime(line, time.Now())
	default:
		line = p.appendDetail(line, e)
	}
	return p.pad(line, start)
}

// appendDetail appends a figure or attribute of an entry.
func (p formatPart) appendDetail(line []byte, e report.Event) []byte {
	more := e.More
	if more == nil {
		more = new(report.Details)
	}
	switch p.escape {
	case 'l':
		return append(line, p.number(length(e, more))...)
	case 'b':
		n := int64(0)
		if isTransfer(e) {
			n = e.Size
		}
		return append(line, p.number(n)...)
	case 'B':
		return append(line, quote.Permissions(more.Mode)...)
	case 'M':
		if e.More == nil {
			return append(line, "1970/01/01-00:00:00"...) // as rsync shows for removed entries
		}
		return appendTime(line, more.Mtime)
	case 'U':
		return strconv.AppendUint(line, uint64(more.UID), 10)
	case 'G':
		return strconv.AppendUint(line, uint64(more.GID), 10)
	}
	return strconv.AppendInt(line, int64(os.Getpid()), 10)
}

// length returns the size of an entry in bytes. For a symbolic link, it is the length
// of the target.
func length(e report.Event, more *report.Details) int64 {
	switch {
	case e.Kind == report.Delete:
		return 0
	case isLink(e):
		return int64(len(e.Target))
	case e.IsDir:
		return more.Size
	}
	return e.Size
}

// isTransfer reports whether a step copies the contents of a file.
func isTransfer(e report.Event) bool {
	return (e.Kind == report.Copy || e.Kind == report.Replace) && entryType(e) == 'f'
}

func appendSourcePath(line []byte, e report.Event) []byte {
	if e.More == nil || e.More.Path == "" {
		return appendAsRsync(line, relative(e))
	}
	line = appendAsRsync(line, strings.TrimPrefix(e.More.Path, "/"))
	if e.Dir == "" && e.Name == "" {
		line = append(line, "/."...) // the operand itself, as rsync writes it
	}
	return line
}

func (p formatPart) appendWideTarget(line []byte, e report.Event) []byte {
	target := appendTarget(nil, e, appendAsRsync)
	const arrow = 4
	if len(target) < arrow {
		line, target = append(line, "    "...), nil
	} else {
		line, target = append(line, target[:arrow]...), target[arrow:]
	}
	start := len(line)
	return p.pad(append(line, target...), start)
}

// pad pads the part of line after start.
func (p formatPart) pad(line []byte, start int) []byte {
	missing := p.width - (len(line) - start)
	if missing <= 0 {
		return line
	}
	text := string(line[start:])
	line = line[:start]
	switch {
	case p.left:
		return append(append(line, text...), strings.Repeat(" ", missing)...)
	case p.zeros && strings.IndexByte("UGp", p.escape) >= 0:
		return append(append(line, strings.Repeat("0", missing)...), text...)
	}
	return append(append(line, strings.Repeat(" ", missing)...), text...)
}

// number formats n. One, two and three apostrophes correspond to rsync's -h, -hh and
// -hhh.
func (p formatPart) number(n int64) string {
	switch p.human {
	case 0:
		return strconv.FormatInt(n, 10)
	case 1:
		return Count(n)
	}
	unit := 1000.0
	if p.human > 2 {
		unit = 1024
	}
	scaled := float64(n)
	if scaled < unit {
		return Count(n)
	}
	const units = "KMGTPE"
	i := -1
	for ; scaled >= unit && i < len(units)-1; i++ {
		scaled /= unit
	}
	return fmt.Sprintf("%.2f%c", scaled, units[i])
}

func appendTime(line []byte, t time.Time) []byte {
	return t.Local().AppendFormat(line, "2006/01/02-15:04:05")
}
