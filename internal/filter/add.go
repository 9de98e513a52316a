package filter

import (
	"errors"
	"fmt"
	"io/fs"
	"slices"

	"psync/internal/filter/entries"
)

// maxDepth bounds the nesting of merged files, because a file may merge itself.
const maxDepth = 32

// add adds one rule, or does what it says about others.
func (b *Builder) add(text string, in context) error {
	if text == "" {
		return nil
	}
	s, err := parse(text, in)
	if err != nil {
		return err
	}
	switch s.kind {
	case clearRules:
		b.rules, b.files, b.cleared = nil, b.files[:b.known:b.known], true
	case cvsRules:
		return b.addCVS(s.cvs)
	case mergeFile, dirMerge:
		return b.addMerge(text, s)
	default:
		r := s.rule
		if r.xattr && b.at != nil {
			return fmt.Errorf("filter rule %q: a file in a directory cannot have rules for extended attributes; move it to the command line", text)
		}
		if r.rooted && !r.absolute {
			r.at = b.at
		}
		b.rules = append(b.rules, &r)
	}
	return nil
}

// addMerge reads the file of a merge rule in place of the rule, or has it read in each directory, unless there is a rule
// for files of this name.
func (b *Builder) addMerge(text string, s statement) error {
	m := &s.merge
	if m.excludesSelf {
		self := context{style: bareStyle}
		if b.at != nil {
			self.side = sending | receiving // in files of directories, rsync protects it even with --delete-excluded
		}
		if err := b.add(m.name, self); err != nil {
			return err
		}
	}
	if s.kind == mergeFile {
		return b.merge(m.file, m.in)
	}
	if b.at != nil && m.above != "" {
		return fmt.Errorf("filter rule %q: a file in a directory cannot have the directories above searched; write %q without the path", text, m.name)
	}
	if !slices.ContainsFunc(b.files, func(other *mergeRule) bool { return other.name == m.name }) {
		b.files = append(b.files, m)
		b.rules = append(b.rules, &rule{file: m})
	}
	return nil
}

// A depthError refuses to merge a file of this name.
type depthError string

func (e depthError) Error() string {
	return fmt.Sprintf("%s: merge-file include depth limit of %d exceeded; does a file merge itself?", string(e), maxDepth)
}

// merge adds the rules in a file.
func (b *Builder) merge(name string, in context) (err error) {
	if in.depth > maxDepth {
		return depthError(name)
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
	if deep, ok := errors.AsType[depthError](err); ok {
		return deep // the way there is long, and says the same over and over
	}
	if err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	return nil
}
