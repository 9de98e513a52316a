package source

import (
	"io/fs"

	"psync/internal/vfs"
)

// Rename returns dir with another name for one of its entries, which is not a directory. The new name hides an
// existing entry of that name, and other names are unaffected. Only operations on a source use the new name.
func Rename(dir vfs.Dir, oldname, newname string) vfs.Dir {
	return renamingDir{dir, oldname, newname}
}

// A renamingDir has no Unwrap method: operations on two directories use the same name in both.
type renamingDir struct {
	vfs.Dir
	oldname, newname string
}

func (d renamingDir) original(name string) string {
	if name == d.newname {
		return d.oldname
	}
	return name
}

func (d renamingDir) Statx(name string, want vfs.StatxWant) (vfs.Attr, error) {
	return d.Dir.Statx(d.original(name), want)
}

func (d renamingDir) OpenFile(name string, mode vfs.OpenMode, perm fs.FileMode) (vfs.File, error) {
	return d.Dir.OpenFile(d.original(name), mode, perm)
}

func (d renamingDir) Readlink(name string) (string, error) { return d.Dir.Readlink(d.original(name)) }

func (d renamingDir) Node(name string) (vfs.Node, error) { return d.Dir.Node(d.original(name)) }

func (d renamingDir) Remove(name string, only *vfs.Premise) error {
	return d.Dir.Remove(d.original(name), only)
}
