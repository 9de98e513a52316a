package session

import (
	"psync/internal/vfs"
	"psync/internal/wire"
)

// ExtraOf returns the metadata that came with an entry because p asked for them, or nil.
func ExtraOf(name string, x *wire.Extra, p vfs.Preparation) *vfs.Extra {
	if x == nil || !p.Flags && !p.Xattrs && !p.ACLs {
		return nil
	}
	e := &vfs.Extra{
		Holds: p, FileFlags: x.Flags,
		FlagsErr:  PathError("flags", name, x.FlagsError.Err()),
		XattrsErr: PathError("listxattr", name, x.XattrError.Err()),
	}
	for _, a := range x.Xattrs {
		e.All = append(e.All, vfs.Xattr(a))
	}
	return e
}
