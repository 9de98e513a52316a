package wire

import "psync/internal/vfs"

// MinListing is how many bytes of Ahead each directory below that of a List takes at least, listed or not.
const MinListing = 64

// List lists a directory and, as far as Ahead bytes of listings go, the directories below it, breadth first and
// not beyond mount points. It is answered by any number of Listing, the last one of which has End set.
//
// The answer ends when it has about Most bytes of entries of the directory itself, unless Most is 0. If there are more,
// none below follow, and another List with the same Cursor and Continue lists these. The server remembers where a few
// listings of a directory ended; the client chooses the numbers.
//
// With Below, only the directories at these paths below Dir are listed, and those below them, as if Dir had been.
type List struct {
	Dir      Handle
	Ahead    uint32
	Most     uint32
	Cursor   uint64
	Continue bool
	Below    []string
}

func (m *List) fields(c *coder) {
	c.handle(&m.Dir)
	c.uint32(&m.Ahead)
	c.uint32(&m.Most)
	c.uint64(&m.Cursor)
	c.bool(&m.Continue)
	c.atMost(MaxBelow, len(m.Below), "number of directories")
	list(c, &m.Below, 2, func(path *string, c *coder) {
		c.below(path)
		c.check(*path != "", "path of a directory")
	})
}

// MaxBelow is how many directories List has in Below at most.
const MaxBelow = 1 << 12

// maxEntries is how many entries a Listing has at most: a decoded one takes many times the bytes of the frame.
const maxEntries = 1 << 12

// A Listing is a part of the listing of a directory. The parts of one directory follow each other without parts of
// others between.
type Listing struct {
	Path    string   // relative to the directory of List; "" for that itself
	First   bool     // this part is the first one of its directory
	Info    *DirInfo // with First, of a directory other than that of List, unless Failure is set
	Entries []Entry
	Last    bool   // this part is the last one of its directory
	More    bool   // with Last: the directory has more entries; one below that of List has too many to be listed unasked
	Failure *Error // why the directory could not be opened, or listed to its end; with Last
	End     bool   // List is answered
	Seq     uint32 // the number of this Listing within its answer, from 0: on several channels, frames may overtake one another
}

func (m *Listing) fields(c *coder) {
	c.below(&m.Path)
	c.bools(&m.First, &m.Last, &m.End, &m.More)
	c.uint32(&m.Seq)
	optional(c, &m.Info, (*DirInfo).fields)
	c.atMost(maxEntries, len(m.Entries), "number of entries")
	list(c, &m.Entries, 2+attrSize+3, (*Entry).fields)
	optional(c, &m.Failure, (*Error).fields)
}

// An Entry is an entry of a listing.
type Entry struct {
	Name   string
	Attr   vfs.Attr
	Gone   bool   // it was listed but could not be looked at: only Name and the type in Attr.Mode are known
	Target string // of a symbolic link
	Extra  *Extra // nil if Prepare did not ask for any, or it is too long, or could not be read
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
	return e, c.rest()
}

// Extra holds metadata that comes with an entry because Prepare asked for it.
type Extra struct {
	Flags      uint32
	FlagsError *Error  // why there are no Flags
	Xattrs     []Xattr // all of them, ACLs included if they were asked for
	XattrError *Error  // why there are no Xattrs
}

func (x *Extra) fields(c *coder) {
	c.uint32(&x.Flags)
	optional(c, &x.FlagsError, (*Error).fields)
	list(c, &x.Xattrs, 4, (*Xattr).fields)
	optional(c, &x.XattrError, (*Error).fields)
}

// An Xattr is an extended attribute. Long ones have no Value, which must be asked for.
type Xattr struct {
	Name  string
	Value []byte
	Long  bool
}

func (x *Xattr) fields(c *coder) {
	c.attrName(&x.Name)
	c.bytes(&x.Value, MaxData)
	c.bool(&x.Long)
}
