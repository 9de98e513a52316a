package wire

import "psync/internal/vfs"

// Set is Node.Set.
type Set struct {
	Target
	Changes []vfs.Change
}

func (m *Set) fields(c *coder) {
	c.target(&m.Target)
	c.changes(&m.Changes)
}

// SetAnswer answers Set, Finish and Put: it has the error of each change, or nil, or nothing if all have succeeded. Failure is why the
// contents of the file were not stored, or it could not be made.
type SetAnswer struct {
	Errors  []*Error
	Failure *Error
}

func (m *SetAnswer) fields(c *coder) {
	list(c, &m.Errors, 1, func(err **Error, c *coder) { optional(c, err, (*Error).fields) })
	optional(c, &m.Failure, (*Error).fields)
}

// Xattrs is Node.Xattrs.
type Xattrs struct {
	Target
	ACLs bool
}

func (m *Xattrs) fields(c *coder) {
	c.target(&m.Target)
	c.bool(&m.ACLs)
}

// Names answers Xattrs.
type Names struct{ Names []string }

func (m *Names) fields(c *coder) {
	list(c, &m.Names, 2, func(name *string, c *coder) { c.attrName(name) })
}

// ReadXattr is Node.Xattr or, if Long is true, Node.ReadXattrAt of N bytes at Off.
type ReadXattr struct {
	Target
	Attr string
	Long bool
	Off  int64
	N    uint32
}

func (m *ReadXattr) fields(c *coder) {
	c.target(&m.Target)
	c.attrName(&m.Attr)
	c.bool(&m.Long)
	c.offset(&m.Off)
	unsigned(c, &m.N, MaxData, "size")
}

// XattrSize is Node.ReadXattrAt without room for bytes: it asks for the length.
type XattrSize struct {
	Target
	Attr string
}

func (m *XattrSize) fields(c *coder) {
	c.target(&m.Target)
	c.attrName(&m.Attr)
}

// Flags is Node.Flags.
type Flags struct{ Target }

func (m *Flags) fields(c *coder) { c.target(&m.Target) }
