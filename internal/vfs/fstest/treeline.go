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

// A treeLine is one line of [Fill] and [Tree].
type treeLine struct {
	path string
	mode fs.FileMode // type and settable bits
	lineAttrs
	text string // contents or target
	note string // stands in Tree for contents that a line cannot hold
	rdev uint64 // of a device
	same string // another path of the entry, of which the line tells no more
}

// setIDs gives the special bits of a numeric mode, as chmod(1) takes it.
var setIDs = []struct {
	octal fs.FileMode
	bit   fs.FileMode
}{
	{0o4000, fs.ModeSetuid},
	{0o2000, fs.ModeSetgid},
	{0o1000, fs.ModeSticky},
}

func (l treeLine) String() string {
	words := []string{quoteWord(l.path)}
	if l.same != "" {
		return words[0] + " (= " + quoteWord(l.same) + ")"
	}
	if l.mode.IsDir() {
		words[0] += "/"
	}
	link := l.mode.Type() == fs.ModeSymlink
	if !link {
		words = append(words, formatMode(l.mode))
	}
	words = append(words, l.words()...)
	switch {
	case link:
		words = append(words, "->", quoteRest(l.text))
	case l.note != "":
		words = append(words, "("+l.note+")")
	case l.text != "":
		words = append(words, quoteRest(l.text))
	}
	return strings.Join(words, " ")
}

// afterPath matches the mode that may follow the path in a line, and afterAttrs the
// arrow and text that may follow attributes.
var (
	afterPath  = regexp.MustCompile(`^ *(?:([0-7]{3,4})(?: +|$))?(.*)$`)
	afterAttrs = regexp.MustCompile(`^(?:(->)(?: +|$))?(.*)$`)
)

// parseTreeLine is the inverse of String, but for notes about contents, which are an error.
func parseTreeLine(s string) (l treeLine, err error) {
	path, rest, err := cutPath(s)
	if err != nil {
		return l, err
	}
	m := afterPath.FindStringSubmatch(rest)
	mode := m[1]
	var attrs lineAttrs
	if rest, err = attrs.cut(m[2]); err != nil {
		return l, err
	}
	m = afterAttrs.FindStringSubmatch(rest)
	arrow, text := m[1], m[2]
	note := strings.HasPrefix(text, "(")
	dir, isDir := strings.CutSuffix(path, "/")
	switch {
	case isDir && arrow+text != "":
		return l, errors.New("a directory with contents")
	case arrow != "" && mode != "":
		return l, errors.New("a link with a mode")
	case arrow == "" && mode == "" && text != "" && !note:
		return l, errors.New("contents without a mode")
	case isDir:
		l = treeLine{path: dir, mode: fs.ModeDir | parseMode(cmp.Or(mode, "755"))}
	case arrow != "":
		l = treeLine{path: path, mode: fs.ModeSymlink}
	default:
		l = treeLine{path: path, mode: parseMode(cmp.Or(mode, "644"))}
	}
	l.lineAttrs = attrs
	if arrow == "" && note {
		return l, l.parseNote(text)
	}
	l.text, err = parseRest(text)
	return l, err
}

// cutWord splits off the first word of a line, which is a Go string or ends before one of the bytes
// of stop.
func cutWord(s, stop string) (word, rest string, quoted bool, err error) {
	if !strings.HasPrefix(s, `"`) {
		end := strings.IndexAny(s+stop, stop)
		return s[:end], s[end:], false, nil
	}
	prefix, err := strconv.QuotedPrefix(s)
	if err != nil {
		return "", "", true, err
	}
	word, err = strconv.Unquote(prefix)
	return word, s[len(prefix):], true, err
}

// cutPath splits a line after its path, which may be quoted but for a slash at its end.
func cutPath(s string) (path, rest string, err error) {
	path, rest, _, err = cutWord(s, " ")
	slash, rest, _ := strings.Cut(rest, " ")
	return path + slash, rest, err
}

// parseRest reads what ends a line: plain text, a Go string, or one to be repeated.
func parseRest(s string) (string, error) {
	switch {
	case strings.HasPrefix(s, "("):
		return "", errors.New("not the contents but a note about them")
	case !strings.HasPrefix(s, `"`):
		return s, nil
	}
	text, rest, _, err := cutWord(s, "")
	if err != nil || rest == "" {
		return text, err
	}
	times, ok := strings.CutPrefix(rest, "*")
	n, err := strconv.Atoi(times)
	if !ok || err != nil || n < 0 {
		return "", fmt.Errorf("%q after the contents", rest)
	}
	return strings.Repeat(text, n), nil
}

// plain reports whether a Go string needs no escapes to hold s.
func plain(s string) bool { return strconv.Quote(s) == `"`+s+`"` }

// quoteWord returns s as the first word of a line.
func quoteWord(s string) string {
	if plain(s) && !strings.Contains(s, " ") {
		return s
	}
	return strconv.Quote(s)
}

// notText matches plain text that would be taken for something else.
var notText = regexp.MustCompile(`^(@|->|\()`)

// quoteRest returns s as what ends a line.
func quoteRest(s string) string {
	if !plain(s) || s != strings.TrimSpace(s) || notText.MatchString(s) {
		return strconv.Quote(s)
	}
	return s
}

func formatMode(mode fs.FileMode) string {
	octal := mode.Perm()
	for _, id := range setIDs {
		if mode&id.bit != 0 {
			octal |= id.octal
		}
	}
	return fmt.Sprintf("%03o", uint32(octal))
}

// parseMode is the inverse of formatMode for what afterPath matches.
func parseMode(s string) fs.FileMode {
	var octal fs.FileMode
	for _, digit := range s {
		octal = octal<<3 | fs.FileMode(digit-'0')
	}
	mode := octal.Perm()
	for _, id := range setIDs {
		if octal&id.octal != 0 {
			mode |= id.bit
		}
	}
	return mode
}
