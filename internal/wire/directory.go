package wire

import (
	"math"
	"time"

	"psync/internal/vfs"
)

func (m *OpenDir) fields(c *coder) {
	c.handle(&m.New)
	c.handle(&m.Dir)
	unsigned(c, &m.How, OpenUp, "way to open")
	if m.How != OpenUp {
		c.name(&m.Name)
	}
}

func (d *DirInfo) fields(c *coder) {
	c.attr(&d.Attr)
	c.volume(&d.Volume)
	c.caps(&d.Caps)
	c.bool(&d.HasDefaultACL)
}

// attr codes attributes. Numbers that are zero take one byte.
func (c *coder) attr(a *vfs.Attr) {
	c.mode(&a.Mode)
	c.uint32(&a.Flags)
	c.offset(&a.Size)
	c.offset(&a.Blocks)
	c.uint32(&a.UID)
	c.uint32(&a.GID)
	c.time(&a.Atime)
	c.time(&a.Mtime)
	c.int64((*int64)(&a.Ctime))
	c.uint64(&a.Dev)
	c.uint64(&a.Ino)
	c.uint64(&a.Nlink)
	c.uint64(&a.Rdev)
	c.time(&a.Btime)
}

// attrSize is how many bytes attributes take at least.
const attrSize = 14

func (c *coder) volume(v *vfs.Volume) {
	var reserved bool // peers of this version of the protocol may set it; it means nothing
	c.bools(&v.Network, &v.Folds, &v.KeepsAttrs, &v.OwnersIgnored, &v.SlowExclusive, &v.AppleDouble, &v.ServerACLs,
		&v.LacksACLs, &v.DOSFlags, &reserved, &v.CopiesUp, &v.TimesStay)
	granularity := uint64(v.Granularity)
	unsigned(c, &granularity, math.MaxInt64, "granularity")
	v.Granularity = time.Duration(granularity)
	c.uint64(&v.RootIno)
}

func (m *Mkdir) fields(c *coder) {
	c.handle(&m.New)
	c.handle(&m.Dir)
	c.name(&m.Name)
	c.mode(&m.Perm)
}

func (m *Opened) fields(c *coder) { m.DirInfo.fields(c) }

func (m *Close) fields(c *coder) { c.handle(&m.Handle) }

func (m *List) fields(c *coder) {
	c.handle(&m.Dir)
	c.uint32(&m.Ahead)
	c.uint32(&m.Most)
	c.uint64(&m.Cursor)
	c.bool(&m.Continue)
}

// maxEntries is how many entries a Listing has at most: a decoded one takes many times the bytes of the frame.
const maxEntries = 1 << 12

func (m *Listing) fields(c *coder) {
	c.below(&m.Path)
	c.bools(&m.First, &m.Last, &m.End, &m.More)
	c.uint32(&m.Seq)
	optional(c, &m.Info, (*DirInfo).fields)
	c.atMost(maxEntries, len(m.Entries), "number of entries")
	list(c, &m.Entries, 2+attrSize+3, (*Entry).fields)
	optional(c, &m.Failure, (*Error).fields)
}

func (e *Entry) fields(c *coder) {
	c.name(&e.Name)
	c.attr(&e.Attr)
	c.bool(&e.Gone)
	c.path(&e.Target)
	optional(c, &e.Extra, (*Extra).fields)
}

// AppendEntry appends an entry that Decode has returned, in the form in which it came.
func AppendEntry(dst []byte, e *Entry) []byte {
	c := coders.Get().(*coder)
	defer c.free()
	c.buf = dst
	e.fields(c)
	return c.buf
}

// DecodeEntry decodes the first one of the entries that AppendEntry has appended, and returns those that follow.
func DecodeEntry(entries []byte) (e Entry, rest []byte) {
	c := coders.Get().(*coder)
	defer c.free()
	c.decoding, c.buf = true, entries
	e.fields(c)
	return e, c.buf
}

func (x *Extra) fields(c *coder) {
	c.uint32(&x.Flags)
	optional(c, &x.FlagsError, (*Error).fields)
	list(c, &x.Xattrs, 4, (*Xattr).fields)
	optional(c, &x.XattrError, (*Error).fields)
}

func (x *Xattr) fields(c *coder) {
	c.attrName(&x.Name)
	c.bytes(&x.Value, MaxData)
	c.bool(&x.Long)
}

func (m *Lstat) fields(c *coder) {
	c.target(&m.Target)
	c.bool(&m.Follow)
}

func (m *AttrAnswer) fields(c *coder) { c.attr(&m.Attr) }

func (m *Readlink) fields(c *coder) { c.entry(&m.Target) }

func (m *Symlink) fields(c *coder) {
	c.entry(&m.Target)
	c.path(&m.To)
}

func (m *Link) fields(c *coder) {
	c.entry(&m.Old)
	c.entry(&m.Target)
}

func (m *Mknod) fields(c *coder) {
	c.entry(&m.Target)
	c.mode(&m.Mode)
	c.uint64(&m.Dev)
}

func (m *Rename) fields(c *coder) {
	c.entry(&m.Old)
	c.entry(&m.Target)
}

func (m *Remove) fields(c *coder) {
	c.entry(&m.Target)
	c.bool(&m.IsDir)
}

func (m *Statfs) fields(c *coder) { c.handle(&m.Handle) }

func (m *VolumeAnswer) fields(c *coder) { c.volume(&m.Volume) }

func (m *Count) fields(c *coder) { c.handle(&m.Dir) }

func (m *Counted) fields(c *coder) {
	c.offset(&m.Files)
	c.offset(&m.Bytes)
	c.bools(&m.Known)
}

func (m *Sync) fields(c *coder) {
	c.handle(&m.Handle)
	c.bool(&m.Volume)
}
