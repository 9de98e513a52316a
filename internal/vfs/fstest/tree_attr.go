package fstest

import (
	"errors"
	"io/fs"
	"slices"

	"psync/internal/vfs"
)

// provenance is an extended attribute by which macOS marks what a program has made.
const provenance = "com.apple.provenance"

func (w *treeWriter) with(o TreeOption) bool { return slices.Contains(w.opts, o) }

// attrs returns what the options ask for.
func (w *treeWriter) attrs(d vfs.Dir, name string, a vfs.Attr) (l lineAttrs, err error) {
	if w.with(WithMtimes) {
		l.mtime = a.Mtime
	}
	if w.with(WithBtimes) {
		l.btime = a.Btime
	}
	if w.with(WithOwners) {
		l.owner = &[2]int{int(a.UID), int(a.GID)}
	}
	if !w.with(WithFlags) && !w.with(WithXattrs) {
		return l, nil
	}
	n, err := d.Node(name)
	if err != nil {
		return l, unless(err)
	}
	if w.with(WithFlags) {
		flags, ferr := n.Flags()
		if flags != 0 {
			l.flags = &flags
		}
		err = unless(ferr)
	}
	if w.with(WithXattrs) {
		var xerr error
		l.xattrs, xerr = xattrsOf(n)
		err = errors.Join(err, unless(xerr))
	}
	return l, errors.Join(err, n.Close())
}

// unless forgives that there is no such thing here, or not for the caller.
func unless(err error) error {
	if errors.Is(err, errors.ErrUnsupported) || errors.Is(err, fs.ErrPermission) {
		return nil
	}
	return err
}

// xattrsOf returns the extended attributes but for those that are the system's affair.
func xattrsOf(n vfs.Node) ([]xattr, error) {
	names, err := n.Xattrs(true)
	if err != nil {
		return nil, err
	}
	var all []xattr
	for _, name := range names {
		if name == provenance || name == "security.selinux" {
			continue
		}
		value, err := n.Xattr(name)
		if err != nil {
			return all, err
		}
		all = append(all, xattr{name, value})
	}
	return all, nil
}
