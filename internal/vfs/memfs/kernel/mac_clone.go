package kernel

import "bytes"

// MakeClone makes n a clone of another file, except for its stamp, and removes flags that lock it.
func (k *XNU) MakeClone(dir *Inode, name string, n, from *Inode, owner bool) error {
	n.Data = bytes.Clone(from.Data)
	for attr, value := range from.Xattrs {
		if attr != ACLName {
			n.setXattr(attr, value)
		}
	}
	k.Made(dir, name, n)
	if owner && k.UID == 0 {
		n.UID, n.GID = from.UID, from.GID
	}
	n.Atime, n.Mtime, n.Btime = from.Atime, from.Mtime, from.Btime
	n.Flags = from.Flags &^ (flagDataVault | flagRestricted)
	if locks := n.Flags & flagsLock; locks != 0 {
		return k.SetFlags(n, n.Flags&^locks)
	}
	return nil
}
