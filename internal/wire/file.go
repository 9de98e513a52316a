package wire

import (
	"math"

	"psync/internal/blocksum"
	"psync/internal/metadata"
)

// maxRanges is how many ranges of data a message holds at most.
const maxRanges = 16 << 10

func (m *Get) fields(c *coder) {
	c.handle(&m.New)
	c.handle(&m.Dir)
	c.name(&m.Name)
	unsigned(c, &m.How, OpenFollow, "way to open")
	unsigned(c, &m.Max, MaxData, "size")
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

func (m *Read) fields(c *coder) {
	c.handle(&m.File)
	c.offset(&m.Off)
	unsigned(c, &m.N, MaxData, "size")
}

func (m *Data) fields(c *coder) {
	c.data(&m.Data)
	c.bool(&m.EOF)
}

func (m *Extents) fields(c *coder) {
	c.handle(&m.File)
	c.offset(&m.Off)
	unsigned(c, &m.Most, maxRanges, "number of ranges")
}

func (m *ExtentsAnswer) fields(c *coder) {
	list(c, &m.Ranges, 2, (*Range).fields)
	c.check(len(m.Ranges) <= maxRanges, "number of ranges")
	c.bool(&m.Last)
}

func (r *Range) fields(c *coder) {
	c.offset(&r.Start)
	c.offset(&r.End)
	c.check(r.Start <= r.End, "range")
}

func (m *StatFile) fields(c *coder) {
	c.handle(&m.File)
	c.bools(&m.Change, &m.Fresh)
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

func (m *SumsAnswer) fields(c *coder) {
	c.bytes(&m.Sums, MaxData)
}

func (m *Create) fields(c *coder) {
	c.handle(&m.New)
	c.handle(&m.Dir)
	c.name(&m.Name)
	c.mode(&m.Perm)
	unsigned(c, &m.How, CreateNone, "way to create")
	c.bool(&m.Unfinished)
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

func (m *Resize) fields(c *coder) {
	c.handle(&m.File)
	unsigned(c, &m.How, Preallocate, "way to resize")
	c.offset(&m.Off)
	c.offset(&m.N)
	c.check(m.Off <= math.MaxInt64-m.N, "range")
}

func (m *Copy) fields(c *coder) {
	c.handle(&m.File)
	c.handle(&m.From)
	c.offset(&m.Off)
	c.int64(&m.N)
	c.check(m.N >= -1 && m.Off <= math.MaxInt64-max(m.N, 0), "range")
}

func (m *Copied) fields(c *coder) { c.offset(&m.N) }

func (m *Finish) fields(c *coder) {
	c.handle(&m.File)
	c.uint64(&m.Writes)
	c.ops(&m.Ops)
	c.bool(&m.Sync)
}

func (m *Put) fields(c *coder) {
	c.handle(&m.Dir)
	c.name(&m.Name)
	c.mode(&m.Perm)
	c.offset(&m.Size)
	list(c, &m.Parts, 2, (*Part).fields)
	c.ops(&m.Ops)
	c.bool(&m.Sync)
}

func (p *Part) fields(c *coder) { c.dataAt(&p.Off, &p.Data) }

func (c *coder) ops(ops *[]metadata.Op) { list(c, ops, opSize, op) }
