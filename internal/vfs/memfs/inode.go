package memfs

import (
	"io/fs"

	"psync/internal/vfs"
	"psync/internal/vfs/memfs/kernel"
)

// enter gives an inode a name, replacing any entry that has it.
func (m *FS) enter(dir *kernel.Inode, name string, n *kernel.Inode) {
	dir.Entries.Put(name, n)
	if n.Mode.IsDir() {
		n.Parent = dir
	}
	n.Ctime = vfs.StampOf(m.now)
	dir.Mtime, dir.Ctime = m.now, vfs.StampOf(m.now)
}

func (m *FS) newInode(mode fs.FileMode) *kernel.Inode {
	m.ino++
	n := &kernel.Inode{Attr: vfs.Attr{Mode: mode, Atime: m.now, Mtime: m.now, Ctime: vfs.StampOf(m.now), Btime: m.now, Dev: m.dev, Ino: m.ino, Nlink: 1}}
	if mode.IsDir() {
		n.Entries = m.naming.Names()
	}
	return n
}
