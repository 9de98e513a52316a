package content

import "psync/internal/vfs"

// PlainBuffer returns a buffer for the contents of one file. Files without holes that are shorter are copied over
// a route by one read and one write, if any. It returns nil if there are none. dst is what the destination offers.
func (c *Copier) PlainBuffer(route *Route, dst vfs.Caps) []byte {
	switch {
	case c.Sparse || c.Dense || c.Preallocate || c.Pace != nil || route.far || c.Reflink == ReflinkAlways:
		return nil
	case c.Reflink == ReflinkNever || !dst.Has(vfs.CanClone) || !route.clone.open():
		return c.plainBuffer(smallFile)
	case route.clone.worked():
		return nil
	}
	return c.plainBuffer(1) // an empty file has no blocks to be shared
}

// plainBuffer returns n bytes, at most smallFile, that are valid until the next call. They are those of the Copier, as
// no such file is on another host, whose answers many Copiers would wait for.
func (c *Copier) plainBuffer(n int) []byte {
	if c.plain == nil {
		c.plain = make([]byte, smallFile)
	}
	return c.plain[:n]
}
