package check

import (
	"errors"
	"io/fs"

	"psync/internal/metadata"
	"psync/internal/vfs"
)

// A sweeper removes entries, even if locks, modes or ACLs protect them.
type sweeper struct{ profile *metadata.Profile }

// remove removes an entry of a type, and if it is a directory, what is in it.
func (s sweeper) remove(in vfs.Dir, name string, t fs.FileMode) error {
	if !t.IsDir() {
		err := in.Remove(name, nil)
		if err == nil || errors.Is(err, fs.ErrNotExist) { // it may have been removed with another entry
			return nil
		}
		s.unlock(in, name, t)
		return in.Remove(name, nil)
	}
	s.unlock(in, name, t)
	if err := s.empty(in, name); err != nil {
		return err
	}
	return in.Rmdir(name)
}

func (s sweeper) empty(in vfs.Dir, name string) error {
	dir, err := in.OpenDir(name, vfs.NoFollow)
	if err != nil {
		return err
	}
	defer dir.Close()
	var entries []vfs.Entry
	err = dir.ReadDir(func(some []vfs.Entry) error {
		entries = append(entries, some...)
		return nil
	})
	for _, e := range entries {
		err = errors.Join(err, s.remove(dir, e.Name, e.Type))
	}
	return err
}

// unlock removes flags and ACLs that may prevent a removal, and gives the owner of a directory all rights. It
// ignores errors, because the removal will fail if they matter.
func (s sweeper) unlock(in vfs.Dir, name string, t fs.FileMode) {
	if n, err := in.Node(name); err == nil {
		s.disarm(n)
		_ = n.Close()
	}
	if t.IsDir() {
		_ = vfs.Chmod(vfs.In(in, name), 0o700)
	}
}

func (s sweeper) disarm(n vfs.Node) {
	if flags, err := n.Flags(); err == nil && flags&s.profile.LockFlags != 0 {
		_ = vfs.SetFlags(n, flags&^s.profile.LockFlags)
	}
	names, _ := n.Xattrs(true)
	for _, name := range names {
		if s.profile.Xattr(name)&metadata.IsACL != 0 {
			_ = vfs.RemoveXattr(n, name)
		}
	}
}
