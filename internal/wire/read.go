package wire

import (
	"math"

	"psync/internal/blocksum"
	"psync/internal/vfs"
)

// Get opens a file for reading. It is answered by Got, with its contents if it is regular, has at most Max bytes,
// and has not changed for so long that any change from now on would show in its attributes. Then it is closed
// again, and New is not valid. If Max is 0, even an empty file stays open.
type Get struct {
	New  Handle
	Dir  Handle
	Name string
	How  vfs.Resolve
	Max  uint32
}

func (m *Get) fields(c *coder) {
	c.opens(&m.New)
	c.handle(&m.Dir)
	c.name(&m.Name)
	unsigned(c, &m.How, vfs.Follow, "way to open")
	unsigned(c, &m.Max, MaxData, "size")
}

// Got answers Get.
type Got struct {
	Attr  vfs.Attr
	Caps  vfs.Caps
	Extra *Extra
	Whole bool     // Data is all of the contents, and the file is not open
	Data  []byte   // if Whole
	After vfs.Attr // if Whole: what File.Statx said when Data had been read
}

func (m *Got) fields(c *coder) {
	c.attr(&m.Attr)
	c.caps(&m.Caps)
	optional(c, &m.Extra, (*Extra).fields)
	c.bool(&m.Whole)
	if m.Whole {
		c.data(&m.Data)
		c.attr(&m.After)
	}
}

// Read reads up to N bytes.
type Read struct {
	File Handle
	Off  int64
	N    uint32
}

func (m *Read) fields(c *coder) {
	c.handle(&m.File)
	c.offset(&m.Off)
	unsigned(c, &m.N, MaxData, "size")
}

// Data answers Read, ReadXattr and Sums. At the end of the file, EOF is set.
type Data struct {
	Data []byte
	EOF  bool
}

func (m *Data) fields(c *coder) {
	c.data(&m.Data)
	c.bool(&m.EOF)
}

// NextData asks for the first range at or after Off where a file may have data, as File.NextData does. It is answered by
// Range.
type NextData struct {
	File Handle
	Off  int64
}

func (m *NextData) fields(c *coder) {
	c.handle(&m.File)
	c.offset(&m.Off)
}

// A Range is [Start, End) in bytes.
type Range struct{ Start, End int64 }

func (r *Range) fields(c *coder) {
	c.offset(&r.Start)
	c.offset(&r.End)
	c.check(r.Start <= r.End, "range")
}

// Sums asks for the checksums, as package blocksum makes them, of the blocks of Block bytes of the N bytes at Off; the
// last one may be shorter, and none begins beyond the end of the file. It is answered by Data.
type Sums struct {
	File   Handle
	Off, N int64
	Block  uint32 // at most MaxKeyedBlock if there is a Key
	Key    []byte // none, or blocksum.KeySize bytes
}

func (m *Sums) fields(c *coder) {
	c.handle(&m.File)
	c.offset(&m.Off)
	c.offset(&m.N)
	c.uint32(&m.Block)
	c.bytes(&m.Key, blocksum.KeySize)
	c.check(len(m.Key) == 0 || len(m.Key) == blocksum.KeySize && m.Block <= MaxKeyedBlock, "key")
	c.check(m.Block > 0 && m.N/int64(max(m.Block, 1)) < int64(MaxData/blocksum.Size(nil)), "number of blocks")
	c.check(m.Off <= math.MaxInt64-m.N, "range")
}

// MaxKeyedBlock is the largest block of Sums with a key, in bytes.
const MaxKeyedBlock = 256 << 10
