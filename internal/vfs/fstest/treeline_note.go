package fstest

import (
	"errors"
	"fmt"
	"io/fs"
	"strconv"
	"strings"
)

// specials are the types of entries that a note stands for. Those of devices are
// followed by a number.
var specials = []struct {
	word string
	mode fs.FileMode
}{
	{"fifo", fs.ModeNamedPipe},
	{"socket", fs.ModeSocket},
	{"block", fs.ModeDevice},
	{"char", fs.ModeDevice | fs.ModeCharDevice},
}

// specialNote returns the note for an entry that is neither file, link nor directory.
func specialNote(mode fs.FileMode, rdev uint64) string {
	for _, s := range specials {
		switch {
		case s.mode != mode.Type():
		case s.mode&fs.ModeDevice != 0:
			return fmt.Sprintf("%s %#x", s.word, rdev)
		default:
			return s.word
		}
	}
	return "irregular"
}

// parseNote reads a note about what can be made: a special entry, or a hard link.
func (l *treeLine) parseNote(note string) error {
	inner, ok := strings.CutSuffix(strings.TrimPrefix(note, "("), ")")
	if !ok {
		return fmt.Errorf("%q after the mode", note)
	}
	if target, ok := strings.CutPrefix(inner, "= "); ok {
		path, rest, err := cutPath(target)
		if err != nil || path == "" || rest != "" {
			return fmt.Errorf("%q is no path", target)
		}
		l.same = path
		return nil
	}
	word, number, _ := strings.Cut(inner, " ")
	for _, s := range specials {
		if s.word != word || (s.mode&fs.ModeDevice != 0) != (number != "") {
			continue
		}
		l.mode = s.mode | l.mode&settable
		if number == "" {
			return nil
		}
		var err error
		l.rdev, err = strconv.ParseUint(number, 0, 64)
		return err
	}
	return errors.New("not the contents but a note about them")
}
