package kernel

import (
	"bytes"

	"psync/internal/vfs"
)

// shadow sets the numbers of companions apart from those of other inodes.
const shadow = 1 << 63

// appleDouble begins what a companion holds.
var appleDouble = []byte{0x00, 0x05, 0x16, 0x07, 0x00, 0x02, 0x00, 0x00}

// asCompanion returns the file "._NAME" that shows that an entry has extended
// attributes on a volume which has none of its own. It is found as long as there are
// some, whatever becomes of NAME, and removing it removes them. Moved away it
// is a file like any other, and what is made under its name where NAME has
// no extended attributes is one too.
func (n *Inode) asCompanion() *Inode {
	if n.companion == nil {
		n.companion = &Inode{
			Attr: vfs.Attr{
				Mode: n.Mode.Perm() &^ 0o111, UID: n.UID, GID: n.GID, Atime: n.Mtime, Mtime: n.Mtime, Btime: n.Mtime,
				Dev: n.Dev, Ino: n.Ino | shadow, Nlink: 1,
			},
			Data: append(bytes.Clone(appleDouble), make([]byte, 4096-len(appleDouble))...),
		}
	}
	return n.companion
}
