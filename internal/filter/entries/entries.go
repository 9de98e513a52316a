// Package entries reads files whose entries are rules or paths.
package entries

import (
	"bufio"
	"fmt"
	"io"
	"strings"
)

// maxEntry bounds an entry, which is a path or a rule about paths: 16 times PATH_MAX. A file with a
// longer entry is not a file of paths or rules.
const maxEntry = 16 * 4096

// The bytes that end an entry.
const (
	NUL   = "\x00"
	Lines = "\n\r"
	Words = " \t\n\v\f\r"
)

// IsComment reports whether an entry that is a line of its own is a comment.
func IsComment(text string) bool {
	return text != "" && (text[0] == '#' || text[0] == ';')
}

// Each calls do for every entry of r, including empty entries. Entries are counted from one, as an editor
// counts lines: the pair CR LF ends one entry. An entry that cannot be a path is an error, which names the
// entry.
func Each(r io.Reader, ends string, do func(n int, text string) error) error {
	in := bufio.NewReader(r)
	var text []byte
	n, last := 1, byte(0)
	for {
		c, err := in.ReadByte()
		if err != nil && err != io.EOF {
			return err
		}
		if err == nil && strings.IndexByte(ends, c) < 0 {
			if text, last = append(text, c), c; c == 0 || len(text) > maxEntry {
				return entryError(n, c == 0, ends)
			}
			continue
		}
		if err == nil && c == '\n' && last == '\r' {
			last = c
			continue
		}
		if do := do(n, string(text)); do != nil {
			return do
		}
		if err == io.EOF {
			return nil
		}
		text, last = text[:0], c
		n++
	}
}

// entryError returns the error for entry n, which contains a NUL byte or is too long.
func entryError(n int, nul bool, ends string) error {
	switch {
	case nul:
		return fmt.Errorf("entry %d holds a NUL byte, which no name does; if entries end in NUL, use -0 (--from0)", n)
	case ends[0] == 0:
		return fmt.Errorf("entry %d is longer than %d bytes; if entries end in line breaks, leave out -0 (--from0)", n, maxEntry)
	}
	return fmt.Errorf("entry %d is longer than %d bytes, which no path is", n, maxEntry)
}
