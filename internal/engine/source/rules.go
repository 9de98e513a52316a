package source

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math"
	"path"

	"psync/internal/filter"
	"psync/internal/vfs"
)

// InForce holds the rules in force in a pair of directories: those of the run, and those added by files in these
// directories and the ones above.
type InForce struct {
	Source Rules // hide entries of the source
	Dest   Rules // protect entries of the destination
}

// ReadsFiles reports whether files in directories add to rules.
func ReadsFiles(rules Rules) bool {
	f, ok := rules.(*filter.Rules)
	return ok && f.ReadsFiles()
}

// RulesIn returns the rules in force in dir, whose counterpart has the given path below the destination. outer are
// the rules in force in its parent.
func RulesIn(outer Rules, dir vfs.Dir, path string) (Rules, error) {
	f, ok := outer.(*filter.Rules)
	if !ok || !f.ReadsFiles() {
		return outer, nil
	}
	in, err := f.In(path, func(name string) (io.ReadCloser, error) { return openRules(dir, name) })
	if err != nil {
		return nil, err
	}
	return in, nil
}

// RulesInRemoved is RulesIn for a directory of the destination that will be removed.
func RulesInRemoved(outer Rules, dir vfs.Dir, path string) (Rules, error) {
	if f, ok := outer.(*filter.Rules); ok {
		outer = f.InRemoved()
	}
	return RulesIn(outer, dir, path)
}

// RulesAt returns rules for a tree whose root has an absolute path on h. The directories above the root may have
// files that add to the rules. If whole is false, only entries of the root are copied, and the root counts as one of
// those directories.
func RulesAt(rules Rules, root string, whole bool, h vfs.Host) (Rules, error) {
	f, ok := rules.(*filter.Rules)
	if !ok {
		return rules, nil
	}
	at, err := f.At(root, whole, func(file string) (io.ReadCloser, error) {
		dir, err := h.Open(path.Dir(file), vfs.OpenOptions{})
		if errors.Is(err, fs.ErrPermission) {
			// Even a directory that may only be searched reveals that it has no such file.
			if _, missing := h.Stat(file, vfs.NoFollow); errors.Is(missing, fs.ErrNotExist) {
				return nil, missing
			}
		}
		if err != nil {
			return nil, err
		}
		defer dir.Close()
		return openRules(dir, path.Base(file))
	})
	if err != nil {
		return nil, err
	}
	return at, nil
}

// RulesOfOperands returns the rules that hold for operands themselves, as in rsync: rules from files in the directory
// of an operand, or in directories above it, do not count.
func RulesOfOperands(rules Rules) Rules {
	if f, ok := rules.(*filter.Rules); ok {
		return f.OfCommandLine()
	}
	return rules
}

// NeedsRoot reports whether RulesAt makes a difference.
func NeedsRoot(rules Rules) bool {
	f, ok := rules.(*filter.Rules)
	return ok && f.NeedsRoot()
}

// openRules opens a file with rules. A directory of that name, or a dangling link, counts as a missing file.
//
// A link is followed only if it belongs to root or to the owner of its target: users cannot cause rules to be read,
// and possibly shown in an error, from files that are not theirs.
func openRules(dir vfs.Dir, name string) (io.ReadCloser, error) {
	f, err := dir.OpenFile(name, vfs.ReadOnly, 0)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	attr, statErr := vfs.Lstat(dir, name)
	link := statErr == nil && attr.Mode.Type() == fs.ModeSymlink
	if link {
		f, err = dir.OpenFile(name, vfs.ReadFollow, 0)
	}
	if err != nil {
		if attr.Mode.IsDir() {
			err = fs.ErrNotExist
		}
		return nil, err
	}
	of, err := vfs.Stat(f)
	switch {
	case err != nil:
	case !of.Mode.IsRegular():
		err = fmt.Errorf("%s: is no regular file, so no rules are read from it", name)
	case link && attr.UID != 0 && attr.UID != of.UID:
		err = fmt.Errorf("%s: is a link to a file of another user, so no rules are read from it", name)
	}
	if err != nil {
		return nil, errors.Join(err, f.Close())
	}
	return rulesFile{io.NewSectionReader(f, 0, math.MaxInt64), f}, nil
}

// A rulesFile is read from its start.
type rulesFile struct {
	io.Reader
	io.Closer
}
