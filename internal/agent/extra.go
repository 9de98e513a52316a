package agent

import (
	"errors"
	"io/fs"

	"psync/internal/vfs"
	"psync/internal/wire"
)

const (
	maxExtra  = 64 << 10 // bytes of the metadata that comes with an entry
	longXattr = 32 << 10 // bytes of an attribute that may be too long to be held in memory
)

// extraOf returns the metadata of an entry that the client has asked for beforehand, or nil if it is to ask again.
func extraOf(n vfs.Node, p vfs.Preparation) *wire.Extra {
	var x wire.Extra
	if p.Flags {
		flags, err := n.Flags()
		x.Flags, x.FlagsError = flags, wire.ErrorOf(err)
	}
	if !p.Xattrs && !p.ACLs {
		return &x
	}
	names, err := n.Xattrs(p.ACLs)
	if err != nil {
		x.XattrError = wire.ErrorOf(err)
		return &x
	}
	size := 0
	for _, name := range names {
		a, err := readAttribute(n, name)
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if size += len(name) + len(a.Value); err != nil || size > maxExtra {
			return nil
		}
		x.Xattrs = append(x.Xattrs, a)
	}
	return &x
}

// readAttribute reads an extended attribute unless it is long.
func readAttribute(n vfs.Node, name string) (wire.Xattr, error) {
	if size, err := vfs.XattrSize(n, name); err == nil && size > longXattr {
		return wire.Xattr{Name: name, Long: true}, nil
	}
	value, err := n.Xattr(name)
	return wire.Xattr{Name: name, Value: value}, err
}

// wantsExtra reports whether any metadata comes with entries.
func wantsExtra(p vfs.Preparation) bool { return p.Xattrs || p.ACLs || p.Flags }

// sizeOf returns about how many bytes x takes in an answer.
func sizeOf(x *wire.Extra) (n int) {
	if x == nil {
		return 0
	}
	for _, a := range x.Xattrs {
		n += attributeSize + len(a.Name) + len(a.Value)
	}
	for _, e := range []*wire.Error{x.FlagsError, x.XattrError} {
		if e != nil {
			n += len(e.Name) + len(e.Text)
		}
	}
	return n
}
