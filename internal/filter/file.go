package filter

import (
	"errors"
	"fmt"
	"io/fs"

	"psync/internal/filter/entries"
)

// maxDepth bounds the nesting of merged files, because a file may merge itself.
const maxDepth = 32

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
	ends := entries.Lines
	switch {
	case b.From0 && in.words:
		ends = entries.NUL + entries.Words
	case b.From0:
		ends = entries.NUL
	case in.words:
		ends = entries.Words
	}
	err = entries.Each(f, ends, func(n int, text string) error {
		if !in.words && entries.IsComment(text) {
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
