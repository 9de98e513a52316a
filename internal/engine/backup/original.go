package backup

import (
	"errors"
	"io/fs"
	"slices"
	"sync"

	"psync/internal/metadata"
	"psync/internal/report"
	"psync/internal/vfs"
)

// An Original holds the attributes that a directory of the destination had before the run changed it. Its counterpart
// among the directories for backups gets the same attributes.
type Original struct {
	attr vfs.Attr
	up   *Original // of the parent directory; nil for the root, or if unknown

	mu       sync.Mutex // guards the fields below until read is true; after that they do not change
	read     bool
	now      metadata.State // its state when it was read, with its ACLs and extended attributes
	extended bool           // the directory can have ACLs and extended attributes
	knowsACL bool
}

// Original returns the original state of a directory that has the attributes attr and had the mode found; up is the
// original of the parent directory. It returns nil if backups stay in their directories.
func (s *Store) Original(attr vfs.Attr, found fs.FileMode, up *Original) *Original {
	if !s.On || s.InPlace() {
		return nil
	}
	attr.Mode = found
	return &Original{attr: attr, up: up}
}

// path returns the originals of the last n directories on the path to o, outermost first. Unknown originals are nil.
func (o *Original) path(n int) []*Original {
	list := make([]*Original, n)
	for i := n - 1; i >= 0 && o != nil; i-- {
		list[i], o = o, o.up
	}
	return list
}

// BeforeSetting reads the attributes of an original that ops may change. The operations are about to be carried out
// on the directory, which is open as dst.
func (s *Store) BeforeSetting(ops []metadata.Op, o *Original, dst vfs.Dir) {
	if slices.ContainsFunc(ops, changesRights) {
		_ = s.read(o, dst) // if that fails, they count as changed
	}
}

// changesRights reports whether an operation changes an attribute that directories for backups copy.
func changesRights(op metadata.Op) bool {
	return !op.Never && !op.Class.IsTimes() && op.Class != metadata.Rename && op.Class != metadata.Flags
}

// read completes what is known about an original, open as dst, unless that was already done.
func (s *Store) read(o *Original, dst vfs.Dir) error {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.read {
		return nil
	}
	attr, err := vfs.Lstat(dst, ".")
	if err != nil {
		return err
	}
	o.now = metadata.State{Attr: attr}
	n, knowsACL := s.readExtended(dst, &o.now)
	if n != nil {
		vfs.CloseUnwritten(n)
	}
	o.extended, o.knowsACL, o.read = n != nil, knowsACL, true
	return nil
}

// readExtended adds the ACLs and extended attributes of an open directory to state. It returns the node, which the
// caller closes, or nil, and whether the ACLs are known.
func (s *Store) readExtended(dir vfs.Dir, state *metadata.State) (n vfs.Node, knowsACL bool) {
	n, err := dir.Node(".")
	if err != nil {
		return nil, errors.Is(err, errors.ErrUnsupported)
	}
	knowsACL = true
	err = s.Profile.Read(n, metadata.Keep{ACLs: true, Xattrs: true}, state, func(report.Attr, error) { knowsACL = false })
	return n, knowsACL && (err == nil || errors.Is(err, errors.ErrUnsupported))
}
