package filter

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"strings"
)

// maxDepth bounds the nesting of merged files, because a file may merge itself.
const maxDepth = 32

// maxEntry bounds an entry of a file, which is a path or a rule about paths: 16 times PATH_MAX. A file with a
// longer entry is not a file of paths or rules.
const maxEntry = 16 * 4096

// The bytes that end an entry of a file.
const (
	atNUL   = "\x00"
	atLines = "\n\r"
	atWords = " \t\n\v\f\r"
)

// merge adds the rules in a file.
func (b *Builder) merge(name string, in context) (err error) {
	if in.depth > maxDepth {
		return fmt.Errorf("%s: merge files are nested more than %d deep; does one merge itself?", name, maxDepth)
	}
	if b.Open == nil {
		return fmt.Errorf("%s: rules cannot be read from files here", name)
	}
	f, err := b.Open(name)
	if errors.Is(err, fs.ErrNotExist) {
		return &missingError{name, in.depth, err}
	}
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	ends := atLines
	switch {
	case b.From0 && in.words:
		ends = atNUL + atWords
	case b.From0:
		ends = atNUL
	case in.words:
		ends = atWords
	}
	err = each(f, ends, func(n int, text string) error {
		if !in.words && comment(text) {
			return nil
		}
		if err := b.add(text, in); err != nil {
			return fmt.Errorf("entry %d: %w", n, err)
		}
		return nil
	})
	if err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	return nil
}

func comment(text string) bool {
	return text != "" && (text[0] == '#' || text[0] == ';')
}

// each calls do for every entry of r, including empty entries. Entries are counted from one, as an editor
// counts lines: the pair CR LF ends one entry. An entry that cannot be a path is an error, which names the
// entry.
func each(r io.Reader, ends string, do func(n int, text string) error) error {
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
