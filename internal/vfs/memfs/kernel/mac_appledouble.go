package kernel

import (
	"bytes"

	"psync/internal/vfs"
)

// shadow distinguishes the numbers of AppleDouble files from those of other inodes.
const shadow = 1 << 63

// appleDoubleHeader is the beginning of the contents of an AppleDouble file.
var appleDoubleHeader = []byte{0x00, 0x05, 0x16, 0x07, 0x00, 0x02, 0x00, 0x00}

// appleDoubleFile returns the file "._NAME", which shows that the entry NAME has extended attributes on a volume without
// native ones. The file exists while NAME has any, whatever happens to NAME, and removing it removes them. After it is
// moved away, it is a file like any other. So is a file made under its name when NAME has no extended attributes.
func (n *Inode) appleDoubleFile() *Inode {
	if n.appleDouble == nil {
		n.appleDouble = &Inode{
			Attr: vfs.Attr{
				Mode: n.Mode.Perm() &^ 0o111, UID: n.UID, GID: n.GID, Atime: n.Mtime, Mtime: n.Mtime, Btime: n.Mtime,
				Dev: n.Dev, Ino: n.Ino | shadow, Nlink: 1,
			},
			Data: append(bytes.Clone(appleDoubleHeader), make([]byte, 4096-len(appleDoubleHeader))...),
		}
	}
	return n.appleDouble
}
