package filter

import (
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"

	"psync/internal/lazymap"
)

// ReadsFiles reports whether rules are to be read from files in directories.
func (r *Rules) ReadsFiles() bool { return r != nil && len(r.files) > 0 }

// An OpenFunc opens a file of a directory. Its error matches fs.ErrNotExist if there is none.
type OpenFunc func(name string) (io.ReadCloser, error)

// In returns the rules in force in a directory, where r are those in force in the directory above it, or, for the
// transfer root, "", those of the command line. It reads the files in the directory that add to the rules; open opens
// them.
func (r *Rules) In(dir string, open OpenFunc) (*Rules, error) {
	if !r.ReadsFiles() {
		return r, nil
	}
	return r.with(place{base: dir}, open)
}

// A place is a directory with a file of rules.
type place struct {
	base     string // the path that a leading slash of patterns stands for
	absolute bool   // base is not below the transfer root, but above it
}

func (p place) String() string {
	switch {
	case p.absolute:
		return "/" + p.base
	case p.base == "":
		return "."
	}
	return p.base
}

// with adds the rules of the files in one directory.
func (r *Rules) with(at place, open OpenFunc) (*Rules, error) {
	next := *r
	changed := false
	for i := 0; i < len(next.files); i++ { // files of the directory may add others
		f := next.files[i]
		if at.absolute && !f.isSearched(at.base, r.root) {
			continue
		}
		in := f.in
		in.depth = 0
		b := Builder{From0: r.user.From0, user: r.user, Open: localOnly(open), files: next.files, known: len(next.files), at: &at}
		err := b.merge(f.name, in)
		inherited := next.lists[f]
		if f.alone || b.cleared {
			inherited = nil
		}
		if err != nil && !isMissing(err, f.name) {
			return nil, fmt.Errorf("rules of %s: %w", at, err)
		}
		if len(b.rules) == 0 && len(inherited) == len(next.lists[f]) {
			continue
		}
		if !changed {
			changed, next.lists = true, maps.Clone(next.lists)
		}
		lazymap.Set(&next.lists, f, slices.Concat(b.rules, inherited))
		next.files = slices.Clip(b.files)
	}
	if !changed {
		return r, nil
	}
	next.arrange()
	return &next, nil
}

// isMissing reports whether an error says that there is no file called name, rather than that it names another one that
// is missing.
func isMissing(err error, name string) bool {
	missing, ok := errors.AsType[*missingError](err)
	return ok && missing.name == name && missing.depth == 0
}

// A missingError says that a file that rules name does not exist.
type missingError struct {
	name  string
	depth int
	err   error
}

func (e *missingError) Error() string { return e.err.Error() }
func (e *missingError) Unwrap() error { return e.err }

// localOnly opens files of one directory. The files of a tree must not have others read: they are another user's, perhaps.
func localOnly(open OpenFunc) func(string) (io.ReadCloser, error) {
	return func(name string) (io.ReadCloser, error) {
		if name != lastElement(name) || name == "" || name == "." || name == ".." {
			return nil, fmt.Errorf("%s: a file of rules in a directory can only merge others there", name)
		}
		return open(name)
	}
}

// At returns the rules for a tree whose root has an absolute path: patterns with the modifier "/" are compared with
// such paths, and files may be read in the directories above. If whole is false, the tree is not the root but only entries
// of it, and the root is one of those directories. open opens a file by its absolute path.
func (r *Rules) At(root string, whole bool, open OpenFunc) (*Rules, error) {
	if !r.NeedsRoot() {
		return r, nil
	}
	bound := *r
	at := &bound
	at.root = strings.Trim(root, "/")
	if !r.ReadsAbove() {
		return at, nil
	}
	for _, dir := range above(at.root, whole) {
		next, err := at.with(place{base: dir, absolute: true}, func(name string) (io.ReadCloser, error) {
			return open("/" + join(dir, name))
		})
		if err != nil {
			return nil, err
		}
		at = next
	}
	return at, nil
}

// above returns the directories above root, from the topmost one, and root itself unless it is a whole tree. Paths have no
// leading slash.
func above(root string, whole bool) []string {
	var dirs []string
	if root != "" {
		dirs = append(dirs, "")
	}
	for i := range len(root) {
		if root[i] == '/' {
			dirs = append(dirs, root[:i])
		}
	}
	if !whole {
		dirs = append(dirs, root)
	}
	return dirs
}

// ReadsAbove reports whether At reads files in directories above the root.
func (r *Rules) ReadsAbove() bool {
	return r != nil && slices.ContainsFunc(r.files, func(f *mergeRule) bool { return f.above != "" })
}

// OfCommandLine returns the rules without those that were read from files in directories.
func (r *Rules) OfCommandLine() *Rules {
	if r == nil || len(r.lists) == 0 {
		return r
	}
	next := *r
	next.lists = nil
	next.arrange()
	return &next
}

// NeedsRoot reports whether At makes a difference.
func (r *Rules) NeedsRoot() bool {
	if r == nil {
		return false
	}
	if slices.ContainsFunc(r.rules, func(r *rule) bool { return r.absolute }) {
		return true
	}
	return slices.ContainsFunc(r.files, func(f *mergeRule) bool { return f.above != "" || f.in.absolute || f.in.style == newStyle })
}

// InRemoved returns the rules in force in a directory of the destination that is to be removed, where r are
// those in force in the directory that it is in: perishable rules do not keep entries there.
func (r *Rules) InRemoved() *Rules {
	if r == nil || r.removed || !slices.ContainsFunc(r.protect.rules, func(r *rule) bool { return r.perishable }) && !r.ReadsFiles() {
		return r
	}
	next := *r
	next.removed = true
	next.arrange()
	return &next
}
