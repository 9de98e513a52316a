package wire

import (
	"io/fs"
	"math"
	"time"

	"psync/internal/vfs"
)

// OpenDir opens a directory.
type OpenDir struct {
	New  Handle
	Dir  Handle
	Name string // "" for OpenParent
	How  OpenHow
}

func (*OpenDir) kind() (byte, Role) { return 14, RoleQuery }
func (*OpenDir) answer() *Opened    { return nil }

func (m *OpenDir) fields(c *coder) {
	c.opens(&m.New)
	c.handle(&m.Dir)
	unsigned(c, &m.How, OpenParent, "way to open")
	if m.How != OpenParent {
		c.name(&m.Name)
	}
}

// OpenHow says which method of vfs.Dir opens a directory or file.
type OpenHow uint8

// The ways to open.
const (
	OpenPlain  OpenHow = iota // OpenDir, Open
	OpenFollow                // FollowDir, FollowFile
	OpenWithin                // OpenDirWithin
	OpenParent                // OpenParent
)

// DirInfo is what is known of a directory that was opened.
type DirInfo struct {
	Attr          vfs.Attr // with the device number of the server's system
	Volume        vfs.Volume
	Caps          vfs.Caps // of its localfs.Dir
	HasDefaultACL bool
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

// Opened answers OpenPath, OpenDir and Mkdir.
type Opened struct{ DirInfo }

func (*Opened) kind() (byte, Role) { return 15, RoleAnswer }

func (m *Opened) fields(c *coder) { m.DirInfo.fields(c) }

// Mkdir makes a directory and, unless New is 0, opens it. It is answered by Opened, empty if New is 0.
type Mkdir struct {
	New  Handle
	Dir  Handle
	Name string
	Perm fs.FileMode
}

func (*Mkdir) kind() (byte, Role) { return 16, RoleChange }
func (*Mkdir) answer() *Opened    { return nil }

func (m *Mkdir) fields(c *coder) {
	c.opens(&m.New)
	c.handle(&m.Dir)
	c.name(&m.Name)
	c.mode(&m.Perm)
}

// Close closes a directory or file. It is answered, by Done when that is done, only if the ID of its frame is not 0.
type Close struct{ Handle Handle }

func (*Close) kind() (byte, Role) { return 17, RoleSession }
func (*Close) answer() *Done      { return nil }

func (m *Close) fields(c *coder) { c.handle(&m.Handle) }

// LeastListing is how many bytes of Ahead each directory below that of a List takes at least, listed or not.
const LeastListing = 64

// List lists a directory and, as far as Ahead bytes of listings go, the directories below it, breadth first and
// not beyond mount points. It is answered by any number of Listing, the last one of which has End set.
//
// The answer ends when it has about Most bytes of entries of the directory itself, unless Most is 0. If there are more,
// none below follow, and another List with the same Cursor and Continue lists these. The server remembers where a few
// listings of a directory ended; the client chooses the numbers.
type List struct {
	Dir      Handle
	Ahead    uint32
	Most     uint32
	Cursor   uint64
	Continue bool
}

func (*List) kind() (byte, Role) { return 18, RoleQuery }
func (*List) answer() *Listing   { return nil }

func (m *List) fields(c *coder) {
	c.handle(&m.Dir)
	c.uint32(&m.Ahead)
	c.uint32(&m.Most)
	c.uint64(&m.Cursor)
	c.bool(&m.Continue)
}

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
	More    bool   // with Last and End: but the directory has more entries
	Failure *Error // why the directory could not be opened, or listed to its end; with Last
	End     bool   // List is answered
	Seq     uint32 // the number of this Listing within its answer, from 0: on several channels, frames may overtake one another
}

func (*Listing) kind() (byte, Role) { return 19, RoleAnswer }

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
	return e, c.buf
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

// Lstat is answered by AttrAnswer. Name may be "". With Follow it is Stat.
type Lstat struct {
	Target
	Follow bool
}

func (*Lstat) kind() (byte, Role)  { return 20, RoleQuery }
func (*Lstat) answer() *AttrAnswer { return nil }

func (m *Lstat) fields(c *coder) {
	c.target(&m.Target)
	c.bool(&m.Follow)
}

// AttrAnswer answers with the attributes of an entry.
type AttrAnswer struct{ Attr vfs.Attr }

func (*AttrAnswer) kind() (byte, Role) { return 21, RoleAnswer }

func (m *AttrAnswer) fields(c *coder) { c.attr(&m.Attr) }

// Readlink is answered by Paths.
type Readlink struct{ Target }

func (*Readlink) kind() (byte, Role) { return 22, RoleQuery }
func (*Readlink) answer() *Paths     { return nil }

func (m *Readlink) fields(c *coder) { c.entry(&m.Target) }

// Symlink makes a symbolic link.
type Symlink struct {
	Target
	To string
}

func (*Symlink) kind() (byte, Role) { return 23, RoleChange }
func (*Symlink) answer() *Done      { return nil }

func (m *Symlink) fields(c *coder) {
	c.entry(&m.Target)
	c.path(&m.To)
}

// Link makes Target another name of Old.
type Link struct {
	Old Target
	Target
}

func (*Link) kind() (byte, Role) { return 24, RoleChange }
func (*Link) answer() *Done      { return nil }

func (m *Link) fields(c *coder) {
	c.oldEntry(&m.Old)
	c.entry(&m.Target)
}

// Mknod makes a special file.
type Mknod struct {
	Target
	Mode fs.FileMode
	Dev  uint64
}

func (*Mknod) kind() (byte, Role) { return 25, RoleChange }
func (*Mknod) answer() *Done      { return nil }

func (m *Mknod) fields(c *coder) {
	c.entry(&m.Target)
	c.mode(&m.Mode)
	c.uint64(&m.Dev)
}

// Rename renames Old to Target: with Only, if that is what Only says.
type Rename struct {
	Old Target
	Target
	Only *vfs.Premise
}

func (*Rename) kind() (byte, Role) { return 26, RoleChange }
func (*Rename) answer() *Done      { return nil }

func (m *Rename) fields(c *coder) {
	c.oldEntry(&m.Old)
	c.entry(&m.Target)
	optional(c, &m.Only, premise)
}

// Remove removes an entry that is not a directory, or with IsDir an empty directory: with Only, if that is what it says.
type Remove struct {
	Target
	IsDir bool
	Only  *vfs.Premise
}

func (*Remove) kind() (byte, Role) { return 27, RoleChange }
func (*Remove) answer() *Done      { return nil }

func (m *Remove) fields(c *coder) {
	c.entry(&m.Target)
	c.bool(&m.IsDir)
	optional(c, &m.Only, premise)
}

// premise codes what an entry must be. Inode numbers are those of the server's system.
func premise(p *vfs.Premise, c *coder) {
	c.mode(&p.Type)
	c.uint64(&p.Ino)
	c.offset(&p.Size)
	c.time(&p.Mtime)
	c.int64((*int64)(&p.Ctime))
	c.uint64(&p.Nlink)
	c.bool(&p.Follow)
}

// Statfs asks for the volume of a directory or file.
type Statfs struct{ Handle Handle }

func (*Statfs) kind() (byte, Role)    { return 28, RoleQuery }
func (*Statfs) answer() *VolumeAnswer { return nil }

func (m *Statfs) fields(c *coder) { c.handle(&m.Handle) }

// VolumeAnswer answers Statfs.
type VolumeAnswer struct{ Volume vfs.Volume }

func (*VolumeAnswer) kind() (byte, Role) { return 29, RoleAnswer }

func (m *VolumeAnswer) fields(c *coder) { c.volume(&m.Volume) }

// Count counts the regular files below a directory.
type Count struct{ Dir Handle }

func (*Count) kind() (byte, Role) { return 61, RoleQuery }
func (*Count) answer() *Counted   { return nil }

func (m *Count) fields(c *coder) { c.handle(&m.Dir) }

// Counted answers Count. What could not be read is left out.
type Counted struct {
	Files, Bytes int64
	Known        bool // nothing was left out but that
}

func (*Counted) kind() (byte, Role) { return 62, RoleAnswer }

func (m *Counted) fields(c *coder) {
	c.offset(&m.Files)
	c.offset(&m.Bytes)
	c.bools(&m.Known)
}

// Sync syncs a file, or with Volume the volume of a directory. A file that is open for reading also leaves the cache of
// the server's system.
type Sync struct {
	Handle Handle
	Volume bool
}

func (*Sync) kind() (byte, Role) { return 30, RoleQuery }
func (*Sync) answer() *Done      { return nil }

func (m *Sync) fields(c *coder) {
	c.handle(&m.Handle)
	c.bool(&m.Volume)
}
