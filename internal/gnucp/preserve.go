package gnucp

import (
	"cmp"
	"errors"
	"io/fs"

	"psync/internal/gnucp/policy"
	"psync/internal/vfs"
)

// sides are the source and the copy, as far as they are asked for attributes.
type sides struct {
	src, dst vfs.Node

	listed bool
	names  []string // of extended attributes of src, ACLs included
	err    error    // why there are none
}

// xattrs returns the names of the extended attributes that the source has.
func (s *sides) xattrs() ([]string, error) {
	if !s.listed {
		s.listed = true
		s.names, s.err = s.src.Xattrs(true)
	}
	return s.names, s.err
}

// dress gives a file that is open its attributes. now is what is known of it, extra what its
// mode has for a while.
func (w *worker) dress(it *item, src, dst vfs.File, now vfs.Attr, extra fs.FileMode) bool {
	nodes := w.Preserve.Mode || w.Preserve.Xattr || w.Preserve.Context || w.Preserve.NoMode
	s := new(sides)
	if nodes {
		s.src, s.dst = src, dst
	}
	if w.Preserve.Timestamps {
		err := dst.Chtimes(it.attr.Atime, it.attr.Mtime)
		if errors.Is(err, errors.ErrUnsupported) {
			err = it.dst.At.Chtimes(cmp.Or(it.temp, it.dst.Name), it.attr.Atime, it.attr.Mtime, true)
		}
		if err != nil && !w.excuses(it, err, "preserving times for %s") {
			return false
		}
	}
	mode := it.attr.Mode
	if w.Preserve.Ownership && (now.UID != it.attr.UID || now.GID != it.attr.GID) {
		owned, ok := w.give(it, dst, now.Mode)
		if !ok {
			return false
		}
		if !owned {
			mode &^= policy.SpecialBits
		}
	}
	ok := w.copyXattrs(it, s)
	switch {
	case w.Preserve.Mode:
		return w.copyMode(it, s, mode) && ok
	case w.Preserve.NoMode && it.isNew:
		return w.plainMode(it, s, policy.Plain(0, 0)) && ok
	}
	var missing fs.FileMode
	if it.isNew {
		missing = w.Omitted(it.attr.Mode) &^ w.umask
	}
	if missing|extra != 0 {
		if err := dst.Chmod(it.attr.Mode.Perm() &^ w.umask); err != nil && !w.excuses(it, err, "preserving permissions for %s") {
			return false
		}
	}
	return ok
}

// excuses tells what could not be kept, and reports whether that is no failure.
func (w *worker) excuses(it *item, err error, format string) bool {
	it.out.Fail(err, format, it.dst)
	return !w.Preserve.Required
}

// finish gives what is no regular file, and exists by its name, its attributes.
func (w *worker) finish(it *item) bool {
	mode, link := it.attr.Mode, w.SymbolicLink && !it.attr.Mode.IsDir() || policy.IsLink(it.attr.Mode)
	if w.Preserve.Timestamps {
		err := it.dst.At.Chtimes(it.dst.Name, it.attr.Atime, it.attr.Mtime, it.link)
		if err != nil && !w.excuses(it, err, "preserving times for %s") {
			return false
		}
	}
	s, err := w.reach(it)
	if err != nil {
		return it.out.Fail(err, "preserving permissions for %s", it.dst)
	}
	defer s.close()
	if !link && w.Preserve.Ownership && (it.isNew || it.was == nil || it.was.UID != it.attr.UID || it.was.GID != it.attr.GID) {
		was := it.attr.Mode
		if it.was != nil {
			was = it.was.Mode
		}
		owned, ok := w.give(it, s.dst, was)
		if !ok {
			return false
		}
		if !owned {
			mode &^= policy.SpecialBits
		}
	}
	if !w.copyXattrs(it, s) {
		return false
	}
	if link {
		return true
	}
	return w.finishMode(it, s, mode)
}

// finishMode sets the mode of what is neither a regular file nor a link.
func (w *worker) finishMode(it *item, s *sides, mode fs.FileMode) bool {
	switch {
	case w.Preserve.Mode:
		return w.copyMode(it, s, mode)
	case w.Preserve.NoMode && it.isNew:
		var made fs.FileMode
		if it.made != nil {
			made = it.made.Mode
		}
		return w.plainMode(it, s, policy.Plain(mode, made))
	case it.isNew:
		return w.restoreMode(it, s)
	}
	return true
}

// restoreMode gives back what a new entry lacked, and takes what it had too much, while it was filled.
func (w *worker) restoreMode(it *item, s *sides) bool {
	omitted := w.Omitted(it.attr.Mode) &^ w.umask
	narrowed := it.made != nil && it.made.Mode&0o700 != 0o700
	if omitted == 0 && !narrowed {
		return true
	}
	var mode fs.FileMode
	if it.made != nil {
		mode = it.made.Mode
	} else {
		now, err := it.dst.At.Stat(it.dst.Name, false)
		if err != nil {
			return it.out.Fail(err, "cannot stat %s", it.dst)
		}
		mode = now.Mode
	}
	if omitted&^mode == 0 && !narrowed {
		return true
	}
	if err := it.dst.At.Chmod(it.dst.Name, mode|omitted); err != nil {
		return w.excuses(it, err, "preserving permissions for %s")
	}
	return true
}

// reach returns source and copy, if it takes more than their names to do what is left.
func (w *worker) reach(it *item) (s *sides, err error) {
	s = new(sides)
	if !w.Preserve.Ownership && !w.Preserve.Mode && !w.Preserve.Xattr && !w.Preserve.Context && !w.Preserve.NoMode {
		return s, nil
	}
	if s.src, err = it.src.At.Node(it.src.Name); err != nil {
		return s, err
	}
	if s.dst, err = it.dst.At.Node(it.dst.Name); err != nil {
		s.close()
	}
	return s, err
}

func (s *sides) close() {
	for _, n := range []vfs.Node{s.src, s.dst} {
		if n != nil {
			_ = n.Close() // nothing was written through it
		}
	}
}

// An owner is what can be given away.
type owner interface {
	Chown(uid, gid int) error
	Chmod(mode fs.FileMode) error
}

// give makes a copy belong to whom the source does, as far as the user may. Before an existing one
// changes hands, nobody else may use what its old mode allows. It returns false for owned if
// the copy must have no set-id bits, and for ok if that is a failure.
func (w *worker) give(it *item, dst owner, was fs.FileMode) (owned, ok bool) {
	if !it.isNew && w.Preserve.Mode {
		if err := dst.Chmod(was & it.attr.Mode & 0o700); err != nil {
			if !w.mayIgnore(err) {
				it.out.Fail(err, "clearing permissions for %s", it.dst)
			}
			return false, !w.Preserve.Required
		}
	}
	err := dst.Chown(int(it.attr.UID), int(it.attr.GID))
	if err == nil {
		return true, true
	}
	if w.mayIgnore(err) {
		_ = dst.Chown(-1, int(it.attr.GID)) // the user may be in that group
		return false, true
	}
	it.out.Fail(err, "failed to preserve ownership for %s", it.dst)
	return false, !w.Preserve.Required
}
