package fstest

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"regexp"
	"strconv"
	"strings"
)

// A line is one line of [Fill].
type line struct {
	path  string
	mode  fs.FileMode       // type and settable bits
	attrs map[string]string // by name; that of the modification time is ""
	text  string            // contents or target
	rdev  uint64            // of a device
	same  string            // another path of the entry, whose attributes the line does not change
}

// The words of a line: a word may be a Go string, and a value one that is repeated.
const (
	goString  = `"(?:[^"\\]|\\.)*"`
	attrName  = `(?:` + goString + `|[^"= ]+)`
	attrValue = `(?:` + goString + `(?:\*\d+)?|[^"( ][^" ]*)`
)

// lineParts matches the path, a slash, the mode, all attributes, and the rest of a line; attrParts matches
// the name and the value of one attribute.
var (
	lineParts = regexp.MustCompile(`^(` + goString + `|[^" ][^ ]*?)(/?)(?: +([0-7]{3,4}))?((?: +@(?:` + attrName + `=)?` + attrValue + `)*)(?: +(.+))?$`)
	attrParts = regexp.MustCompile(` +@(?:(` + attrName + `)=)?(` + attrValue + `)`)
)

// parseLine parses a line. The values of attributes are checked when they are set.
func parseLine(s string) (l line, err error) {
	m := lineParts.FindStringSubmatch(s)
	if m == nil {
		return l, errors.New("no path")
	}
	slash, mode, rest := m[2], m[3], m[5]
	if l.path, err = unquote(m[1]); err != nil {
		return l, err
	}
	if l.attrs, err = parseAttrs(m[4]); err != nil {
		return l, err
	}
	target, isLink := strings.CutPrefix(rest, "-> ")
	note := strings.HasPrefix(rest, "(")
	switch {
	case slash != "" && rest != "":
		return l, errors.New("a directory with contents")
	case slash != "":
		l.mode = fs.ModeDir | parseMode(cmp.Or(mode, "755"))
		return l, nil
	case isLink && mode != "":
		return l, errors.New("a link with a mode")
	case isLink:
		l.mode, rest = fs.ModeSymlink, strings.TrimLeft(target, " ")
	case mode == "" && rest != "" && !note:
		return l, errors.New("contents without a mode")
	default:
		l.mode = parseMode(cmp.Or(mode, "644"))
	}
	if note {
		return l, l.parseNote(rest)
	}
	if strings.HasPrefix(rest, "@") {
		return l, errors.New("malformed attribute")
	}
	l.text, err = unquote(rest)
	return l, err
}

func parseAttrs(s string) (map[string]string, error) {
	attrs := make(map[string]string)
	for _, m := range attrParts.FindAllStringSubmatch(s, -1) {
		name, nerr := unquote(m[1])
		value, verr := unquote(m[2])
		if err := errors.Join(nerr, verr); err != nil {
			return nil, err
		}
		attrs[name] = value
	}
	return attrs, nil
}

// parseNote parses a note that describes an entry to make: a special file or a hard link.
func (l *line) parseNote(note string) (err error) {
	inner, ok := strings.CutSuffix(note[1:], ")")
	word, number, _ := strings.Cut(inner, " ")
	if ok && word == "=" && number != "" {
		l.same, err = unquote(number)
		return err
	}
	for _, s := range specials {
		if !ok || s.word != word || (s.mode&fs.ModeDevice != 0) != (number != "") {
			continue
		}
		l.mode |= s.mode
		if number != "" {
			l.rdev, err = strconv.ParseUint(number, 0, 64)
		}
		return err
	}
	return errors.New("not the contents but a note about them")
}

// unquote returns what a word or the end of a line stands for: itself, or the value of a Go string, repeated if "*" and
// a number follow it.
func unquote(s string) (string, error) {
	if !strings.HasPrefix(s, `"`) {
		return s, nil
	}
	prefix, err := strconv.QuotedPrefix(s)
	if err != nil {
		return "", err
	}
	text, err := strconv.Unquote(prefix)
	times, repeated := strings.CutPrefix(s[len(prefix):], "*")
	if err != nil || times == "" && !repeated {
		return text, err
	}
	n, err := strconv.ParseUint(times, 10, 31)
	if err != nil || !repeated {
		return "", fmt.Errorf("%q after a string", s[len(prefix):])
	}
	return strings.Repeat(text, int(n)), nil
}

func parseMode(s string) fs.FileMode {
	octal, _ := strconv.ParseUint(s, 8, 32) // lineParts has matched it
	mode := fs.FileMode(octal).Perm()
	for digit, bit := range setIDs {
		if fs.FileMode(octal)&digit != 0 {
			mode |= bit
		}
	}
	return mode
}
