package operand

import (
	"cmp"
	"errors"
	"fmt"
	"strings"
	"syscall"
)

// placeBySlash determines where sources go as rsync does: the contents of a directory into DEST if the operand ends in a
// slash, or in . or .. as a name, and everything else to DEST/NAME.
func (r *Roots) placeBySlash(args []string) error {
	o := &r.options
	byDir := make(map[string]int)     // index in r.placed of the placement with names
	byName := make(map[string]string) // the operand that a name below DEST comes from
	whole := make(map[string]bool)    // operands whose contents are copied
	var failed error                  // the first operand that fails
	for _, arg := range args {
		s, err := o.examineBySlash(arg)
		switch {
		case errors.Is(err, ErrMissing) && o.IgnoreMissing:
			continue
		case isMissing(err):
			failed = cmp.Or(failed, err)
			r.placed = append(r.placed, missingOperand(arg, err))
			continue
		case err != nil:
			return err
		case o.skipsDir(s.name, s.name, s.isDir):
			continue
		case s.name == "":
			if !whole[s.path] {
				r.placed = append(r.placed, placement{dir: s.path})
				clear(byDir) // the first operand comes first where entries of several have one name
			}
			whole[s.path] = true
			continue
		}
		switch other, taken := byName[s.name]; {
		case other == s.path && taken:
			continue
		case taken:
			clear(byDir) // likewise
		}
		if len(args) == 1 && !s.isDir && o.hides(s.name, false) {
			continue // under another name it would take part
		}
		byName[s.name] = s.path
		dir, _ := split(s.path)
		i, known := byDir[dir]
		if !known {
			i = len(r.placed)
			byDir[dir] = i
			r.placed = append(r.placed, placement{dir: dir})
		}
		r.placed[i].names = append(r.placed[i].names, s.name)
		if len(args) == 1 {
			r.DestPath, err = o.renameFile(s, &r.placed[0], r.DestPath)
			return err
		}
	}
	if len(whole) == 0 && len(byName) == 0 && failed != nil {
		r.placed = nil
		return failed
	}
	return nil
}

// isMissing reports whether an operand fails because of err while the others are copied.
func isMissing(err error) bool {
	return errors.Is(err, ErrMissing) || errors.Is(err, syscall.ENOTDIR) || errors.Is(err, syscall.ELOOP) || errors.Is(err, syscall.EACCES)
}

// missingOperand returns the placement of an operand that fails because of err.
func missingOperand(arg string, err error) placement {
	dir, name := split(strings.TrimRight(arg, "/"))
	return placement{dir: dir, names: []string{name}, err: errors.Unwrap(err)}
}

// examineBySlash examines an operand. The name of the source is "" if its contents are meant.
func (o Options) examineBySlash(arg string) (sourceOperand, error) {
	h := o.Hosts.Source
	_, last := split(arg)
	whole := last == "" || last == "." || last == ".."
	attr, err := statSource(h, arg, whole || o.FollowLinks)
	if err == nil && whole && !attr.Mode.IsDir() {
		err = fmt.Errorf("%s: %w", h.Called(arg), syscall.ENOTDIR)
	}
	if whole {
		last = ""
	}
	return sourceOperand{path: arg, name: last, isDir: attr.Mode.IsDir()}, err
}

// skipsDir reports whether an operand, whose counterpart has the path path, is left out as a directory called name.
func (o Options) skipsDir(name, path string, isDir bool) bool {
	skips := o.SkipDir != nil && isDir
	if skips && (path == "" || !o.hides(path, true)) {
		o.SkipDir(cmp.Or(name, "."))
	}
	return skips
}

// hides reports whether a rule leaves out an operand.
func (o Options) hides(path string, isDir bool) bool {
	hidden := o.Rules != nil && o.Rules.Hidden(path, isDir)
	if hidden && o.HideOperand != nil {
		o.HideOperand(path, isDir)
	}
	return hidden
}

// clash says that two sources would get the same name.
func (h Host) clash(one, other string) error {
	return fmt.Errorf("%w: %s and %s", ErrClash, h.Called(one), h.Called(other))
}
