package wire

import (
	"math"

	"psync/internal/metadata"
)

// opSize is how many bytes an operation takes at least.
const opSize = 16

// op codes an operation on the metadata of an entry.
func op(o *metadata.Op, c *coder) {
	unsigned(c, &o.Class, metadata.Flags, "class of an operation")
	unsigned(c, &o.Diff, math.MaxUint16, "difference")
	unsigned(c, &o.Attr, math.MaxUint16, "attribute")
	unsigned(c, &o.Lost, math.MaxUint16, "attribute")
	c.bools(&o.Never, &o.Remove, &o.OnlySetID, &o.Quiet, &o.Xattr.Long, &o.Xattr.Unread, &o.Xattr.Trivial)
	c.mode(&o.Mode)
	c.id(&o.UID)
	c.id(&o.GID)
	c.time(&o.Atime)
	c.time(&o.Mtime)
	c.time(&o.Btime)
	c.uint32(&o.Flags)
	c.uint32(&o.Locked)
	c.uint32(&o.Modest)
	c.uint32(&o.DOS)
	c.string(&o.Xattr.Name, maxName)
	c.bytes(&o.Xattr.Value, MaxData)
}

func (m *Carry) fields(c *coder) {
	c.target(&m.Target)
	c.ops(&m.Ops)
}

func (m *Carried) fields(c *coder) {
	list(c, &m.Errors, 1, func(err **Error, c *coder) { optional(c, err, (*Error).fields) })
	optional(c, &m.Failure, (*Error).fields)
}

func (m *Xattrs) fields(c *coder) {
	c.target(&m.Target)
	c.bool(&m.ACLs)
}

func (m *Names) fields(c *coder) {
	list(c, &m.Names, 2, func(name *string, c *coder) { c.attrName(name) })
}

func (m *ReadXattr) fields(c *coder) {
	c.target(&m.Target)
	c.attrName(&m.Attr)
	c.bool(&m.Long)
	c.offset(&m.Off)
	unsigned(c, &m.N, MaxData, "size")
}

func (m *XattrSize) fields(c *coder) {
	c.target(&m.Target)
	c.attrName(&m.Attr)
}

func (m *WriteXattr) fields(c *coder) {
	c.target(&m.Target)
	c.attrName(&m.Attr)
	c.dataAt(&m.Off, &m.Data)
}

func (m *Flags) fields(c *coder) { c.target(&m.Target) }

func (m *FlagsAnswer) fields(c *coder) { c.uint32(&m.Flags) }
