package kernel

import (
	"bytes"
	"encoding/binary"
)

// decmpfs is the extended attribute that begins with the header of a compressed file
// (decmpfs.h). In files of type 1, the contents follow as they are.
const (
	decmpfs       = "com.apple.decmpfs"
	decmpfsMagic  = 0x636d7066
	decmpfsHeader = 16
)

// isDecmpfs reports whether the value of the attribute decmpfs is one of type 1.
func isDecmpfs(value []byte) bool {
	return len(value) >= decmpfsHeader && binary.LittleEndian.Uint32(value) == decmpfsMagic &&
		binary.LittleEndian.Uint32(value[4:]) == 1 &&
		binary.LittleEndian.Uint64(value[8:]) == uint64(len(value)-decmpfsHeader)
}

// compress makes a file with the right attribute a compressed one, as chflags(2) with
// UF_COMPRESSED does (decmpfs_update_attributes of decmpfs.c), and reports whether it is one.
func (k *XNU) compress(n *Inode) bool {
	value := n.Xattrs[decmpfs]
	if n.Flags&flagCompressed != 0 || !n.Mode.IsRegular() || !isDecmpfs(value) {
		return n.Flags&flagCompressed != 0
	}
	n.Data = bytes.Clone(value[decmpfsHeader:])
	return true
}

// Rewrites makes a compressed file an ordinary one before anything is written (hfs_vnops.c:474).
func (k *XNU) Rewrites(n *Inode) {
	if !k.Free && n.Flags&flagCompressed != 0 {
		n.Flags &^= flagCompressed
		delete(n.Xattrs, decmpfs)
	}
}
