package wire

import (
	"io/fs"
	"math"

	"psync/internal/vfs"
)

// Create opens a file for writing. It is answered by AttrAnswer. A file made with vfs.Create that is closed by
// another request than Finish, or with the connection, is removed if Unfinished is true.
type Create struct {
	New        Handle
	Dir        Handle
	Name       string
	Perm       fs.FileMode
	Mode       vfs.OpenMode // ReadWrite, Create or OpenCreate
	Unfinished bool
}

func (m *Create) fields(c *coder) {
	c.opens(&m.New)
	c.handle(&m.Dir)
	c.name(&m.Name)
	c.mode(&m.Perm)
	unsigned(c, &m.Mode, vfs.OpenCreate, "way to create")
	c.check(m.Mode >= vfs.ReadWrite, "way to create")
	c.bool(&m.Unfinished)
}

// Write writes at an offset.
type Write struct {
	File Handle
	Off  int64
	Data []byte
}

func (m *Write) fields(c *coder) {
	c.handle(&m.File)
	c.dataAt(&m.Off, &m.Data)
}

// dataAt codes bytes that are at an offset.
func (c *coder) dataAt(off *int64, p *[]byte) {
	c.offset(off)
	c.data(p)
	c.check(*off <= math.MaxInt64-int64(len(*p)), "offset")
}

// Resize changes how a file's length or blocks are laid out.
type Resize struct {
	File   Handle
	How    ResizeHow
	Off, N int64
}

func (m *Resize) fields(c *coder) {
	c.handle(&m.File)
	unsigned(c, &m.How, Preallocate, "way to resize")
	c.offset(&m.Off)
	c.offset(&m.N)
	c.check(m.Off <= math.MaxInt64-m.N, "range")
}

// ResizeHow says which method of vfs.File a Resize asks for.
type ResizeHow uint8

// The kinds of Resize.
const (
	Truncate ResizeHow = iota // to N bytes
	PunchHole
	Preallocate // N bytes
)

// Copy copies N bytes at Off of the file From to the same offset of File or, if N is -1, clones all of it. It is
// answered by Number.
type Copy struct {
	File, From Handle
	Off, N     int64
}

func (m *Copy) fields(c *coder) {
	c.handle(&m.File)
	c.other(&m.From)
	c.offset(&m.Off)
	c.int64(&m.N)
	c.check(m.N >= -1 && m.Off <= math.MaxInt64-max(m.N, 0), "range")
}

// Number answers Copy and XattrSize with a number of bytes, and Flags with the flags.
type Number struct{ N int64 }

func (m *Number) fields(c *coder) { c.offset(&m.N) }

// Finish ends writing a file: when Writes requests Write, Resize and Copy of it have been dealt with, it carries
// out Changes as Node.Set does, syncs the file if Sync is true, and closes it. It is answered by SetAnswer. If it
// fails, or any of the writes has, or Create, a file that was made with Unfinished is removed.
type Finish struct {
	File    Handle
	Writes  uint64
	Changes []vfs.Change
	Sync    bool
}

func (m *Finish) fields(c *coder) {
	c.handle(&m.File)
	c.uint64(&m.Writes)
	c.changes(&m.Changes)
	c.bool(&m.Sync)
}

// Put is Create, Write of each of Parts, Truncate to Size and Finish in one.
type Put struct {
	Dir     Handle
	Name    string
	Perm    fs.FileMode
	Size    int64
	Parts   []Part
	Changes []vfs.Change
	Sync    bool
}

func (m *Put) fields(c *coder) {
	c.handle(&m.Dir)
	c.name(&m.Name)
	c.mode(&m.Perm)
	c.offset(&m.Size)
	list(c, &m.Parts, 2, (*Part).fields)
	c.changes(&m.Changes)
	c.bool(&m.Sync)
}

// A Part is bytes at an offset of a file.
type Part struct {
	Off  int64
	Data []byte
}

func (p *Part) fields(c *coder) { c.dataAt(&p.Off, &p.Data) }
