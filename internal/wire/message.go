package wire

import (
	"io/fs"

	"psync/internal/metadata"
	"psync/internal/vfs"
)

// A Handle stands for an open directory or file of the server. The client chooses it, and may use it in requests
// before it knows whether opening has succeeded: these wait, and fail with the error of opening. 0 is none.
type Handle uint64

// A Target is an entry: that called Name in the directory Dir, the directory itself if Name is ".", or an open
// file if Name is "" and Dir is the handle of the file.
type Target struct {
	Dir  Handle
	Name string
}

// # Session and host

// Hello is the first request, and an answer of the same form. The server refuses a different Major.
type Hello struct {
	Major, Minor uint32
	Name         string      // version of the program, for messages
	Compress     Compression // of what the server sends; 0 in its answer
	Resumes      bool        // the client comes back with Resume when it has lost its channels; false in the answer
}

// Compression says which frames are compressed.
type Compression uint8

// The values of Compression.
const (
	CompressAuto Compression = iota // those that shrink, while frames wait for channels that are slower than compressing
	CompressAlways
	CompressNever
)

// Welcome answers Hello.
type Welcome struct {
	Hello
	System string // as GOOS
	User   vfs.User
	Kernel vfs.Kernel
	Umask  fs.FileMode // of the server, until ClearUmask
	Limit  uint32      // requests that the server deals with at a time
	Socket string      // path of a socket of further channels, or ""
	Token  []byte      // that a further channel begins with
}

// Join is the first frame of a further channel, which gets a number that no other channel of the session has had. It
// is answered there by Done.
type Join struct {
	Token   []byte
	Channel uint32
}

// Resume is the first frame of a channel to a server that has lost all channels, or may have. It says what has arrived
// over those. Channel is the number of the new one. It is answered there by Resumed, or by Error if the server is gone.
type Resume struct {
	Session  string // the directory of the socket of Welcome, without the path to it
	Token    []byte
	Channel  uint32
	Received []Received
}

// Resumed answers Resume likewise.
type Resumed struct{ Received []Received }

// Received says how many frames have arrived over a channel.
type Received struct {
	Channel uint32
	Frames  uint64
}

// Ack says how many frames have arrived over a channel so far, so that the other side need not keep them. It is not
// answered.
type Ack struct{ Received }

// Goodbye is the last frame of a channel that is closed on purpose: one that ends without it is lost. It is not
// answered.
type Goodbye struct{}

// Ping is answered by Done.
type Ping struct{}

// Done answers requests whose success says all.
type Done struct{}

// Prepare sets how files are read, and what comes with entries unasked, for all requests that follow on the same
// channel. It is answered by Done.
type Prepare struct{ vfs.Preparation }

// ClearUmask clears the umask for all requests that follow on the same channel. It is answered by Umask.
type ClearUmask struct{}

// Umask answers ClearUmask with the umask from before.
type Umask struct{ Mode fs.FileMode }

// PathQuery asks about one or two paths of the host: see [vfs.Host].
type PathQuery struct {
	Query PathQueryKind
	Path  string
	Outer string // for QueryInside and QueryRoutes, where Path is the inner one
}

// A PathQueryKind says which method of vfs.Host a PathQuery asks for.
type PathQueryKind uint8

// The kinds: QueryStat and QueryLstat are answered by AttrAnswer, QueryResolve and QueryRoutes by Paths, and
// QueryInside by Truth.
const (
	QueryStat PathQueryKind = iota
	QueryLstat
	QueryResolve
	QueryInside
	QueryRoutes
)

// Paths answers a PathQuery.
type Paths struct{ Paths []string }

// Truth answers a PathQuery.
type Truth struct{ Is bool }

// Account asks for the name of a user or group if Name is "", and else for its number. Account answers it.
type Account struct {
	Group bool
	ID    uint32
	Name  string
}

// OpenPath opens a directory by path, as Host.Open does or, if Trusted is true, Host.OpenTrusted. It is answered
// by Opened.
type OpenPath struct {
	New     Handle
	Path    string
	Noatime bool
	Trusted bool
	Options vfs.OpenOptions
}

// # Directories

// OpenDir opens a directory. It is answered by Opened.
type OpenDir struct {
	New  Handle
	Dir  Handle
	Name string // "" for OpenUp
	How  OpenHow
}

// OpenHow says which method of vfs.Dir opens a directory or file.
type OpenHow uint8

// The ways to open.
const (
	OpenPlain  OpenHow = iota // OpenDir, Open
	OpenFollow                // FollowDir, FollowFile
	OpenWithin                // OpenDirWithin
	OpenUp                    // OpenParent
)

// DirInfo is what is known of a directory that was opened.
type DirInfo struct {
	Attr          vfs.Attr // with the device number of the server's system
	Volume        vfs.Volume
	Caps          vfs.Caps // of its localfs.Dir
	HasDefaultACL bool
}

// Opened answers OpenPath, OpenDir and Mkdir.
type Opened struct{ DirInfo }

// Mkdir makes a directory and, unless New is 0, opens it. It is answered by Opened, empty if New is 0.
type Mkdir struct {
	New  Handle
	Dir  Handle
	Name string
	Perm fs.FileMode
}

// Close closes a directory or file. It is answered, by Done when that is done, only if the ID of its frame is not 0.
type Close struct{ Handle Handle }

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

// An Entry is an entry of a listing.
type Entry struct {
	Name   string
	Attr   vfs.Attr
	Gone   bool   // it was listed but could not be looked at: only Name and the type in Attr.Mode are known
	Target string // of a symbolic link
	Extra  *Extra // nil if Prepare did not ask for any, or it is too long, or could not be read
}

// Extra holds metadata that comes with an entry because Prepare asked for it.
type Extra struct {
	Flags      uint32
	FlagsError *Error  // why there are no Flags
	Xattrs     []Xattr // all of them, ACLs included if they were asked for
	XattrError *Error  // why there are no Xattrs
}

// An Xattr is an extended attribute. Long ones have no Value, which must be asked for.
type Xattr struct {
	Name  string
	Value []byte
	Long  bool
}

// Lstat is answered by AttrAnswer. Name may be "". With Follow it is Stat.
type Lstat struct {
	Target
	Follow bool
}

// AttrAnswer answers with the attributes of an entry.
type AttrAnswer struct{ Attr vfs.Attr }

// Readlink is answered by Paths.
type Readlink struct{ Target }

// Symlink makes a symbolic link. It is answered by Done.
type Symlink struct {
	Target
	To string
}

// Link makes Target another name of Old. It is answered by Done.
type Link struct {
	Old Target
	Target
}

// Mknod makes a special file. It is answered by Done.
type Mknod struct {
	Target
	Mode fs.FileMode
	Dev  uint64
}

// Rename renames Old to Target. It is answered by Done.
type Rename struct {
	Old Target
	Target
}

// Remove removes an entry that is no directory, or with Dir an empty directory. It is answered by Done.
type Remove struct {
	Target
	IsDir bool
}

// Statfs asks for the volume of a directory or file. It is answered by VolumeAnswer.
type Statfs struct{ Handle Handle }

// VolumeAnswer answers Statfs.
type VolumeAnswer struct{ Volume vfs.Volume }

// Count counts the regular files below a directory. It is answered by Counted.
type Count struct{ Dir Handle }

// Counted answers Count. What could not be read is left out.
type Counted struct {
	Files, Bytes int64
	Known        bool // nothing was left out but that
}

// Sync syncs a file, or with Volume the volume of a directory. A file that is open for reading also leaves the cache of
// the server's system. It is answered by Done.
type Sync struct {
	Handle Handle
	Volume bool
}

// # Reading files

// Get opens a file for reading. It is answered by Got, with its contents if it is regular, has at most Max bytes,
// and has not changed for so long that any change from now on would show in its attributes. Then it is closed
// again, and New is not valid. If Max is 0, even an empty file stays open.
type Get struct {
	New  Handle
	Dir  Handle
	Name string
	How  OpenHow
	Max  uint32
}

// Got answers Get.
type Got struct {
	Attr  vfs.Attr
	Caps  vfs.Caps
	Extra *Extra
	Whole bool     // Data is all of the contents, and the file is not open
	Data  []byte   // if Whole
	After vfs.Attr // if Whole: what StatChange said when Data had been read
}

// Read reads up to N bytes. It is answered by Data.
type Read struct {
	File Handle
	Off  int64
	N    uint32
}

// Data answers Read and ReadXattr. At the end of the file, EOF is set.
type Data struct {
	Data []byte
	EOF  bool
}

// Extents asks where a file may have data at or after Off, up to Most ranges. It is answered by ExtentsAnswer.
type Extents struct {
	File Handle
	Off  int64
	Most uint32
}

// ExtentsAnswer answers Extents. With Last, a hole follows, or the end.
type ExtentsAnswer struct {
	Ranges []Range
	Last   bool
}

// A Range is [Start, End) in bytes.
type Range struct{ Start, End int64 }

// StatFile is File.Stat or, with Change, File.StatChange. It is answered by AttrAnswer.
type StatFile struct {
	File   Handle
	Change bool
	Fresh  bool
}

// Sums asks for the checksums, as package blocksum makes them, of the blocks of Block bytes of the N bytes at Off; the
// last one may be shorter, and none begins beyond the end of the file. It is answered by SumsAnswer.
type Sums struct {
	File   Handle
	Off, N int64
	Block  uint32 // at most MaxKeyedBlock if there is a Key
	Key    []byte // none, or blocksum.KeySize bytes
}

// MaxKeyedBlock is the largest block of Sums with a key, in bytes.
const MaxKeyedBlock = 256 << 10

// SumsAnswer answers Sums: blocksum.Size bytes for each block.
type SumsAnswer struct{ Sums []byte }

// # Writing files

// Create opens a file for writing. It is answered by AttrAnswer. A file made with CreateNew that is closed by
// another request than Finish, or with the connection, is removed if Unfinished is true.
type Create struct {
	New        Handle
	Dir        Handle
	Name       string
	Perm       fs.FileMode
	How        CreateHow
	Unfinished bool
}

// CreateHow says which method of vfs.Dir opens a file for writing.
type CreateHow uint8

// The ways to open for writing.
const (
	CreateNew    CreateHow = iota // Create
	CreateOrOpen                  // OpenCreate
	CreateNone                    // Rewrite
)

// Write writes at an offset. It is answered by Done.
type Write struct {
	File Handle
	Off  int64
	Data []byte
}

// Resize changes how a file's length or blocks are laid out. It is answered by Done.
type Resize struct {
	File   Handle
	How    ResizeHow
	Off, N int64
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
// answered by Copied.
type Copy struct {
	File, From Handle
	Off, N     int64
}

// Copied answers Copy with the number of bytes.
type Copied struct{ N int64 }

// Finish ends writing a file: when Writes requests Write, Resize and Copy of it have been dealt with, it carries
// out Ops as metadata.Carry does, syncs the file if Sync is true, and closes it. It is answered by Carried. If it
// fails, or any of the writes has, or Create, a file that was made with Unfinished is removed.
type Finish struct {
	File   Handle
	Writes uint64
	Ops    []metadata.Op
	Sync   bool
}

// Put is Create, Write of each of Parts, Truncate to Size and Finish in one.
type Put struct {
	Dir   Handle
	Name  string
	Perm  fs.FileMode
	Size  int64
	Parts []Part
	Ops   []metadata.Op
	Sync  bool
}

// A Part is bytes at an offset of a file.
type Part struct {
	Off  int64
	Data []byte
}

// # Metadata

// Carry carries out operations on an entry, as metadata.Carry does. It is answered by Carried.
type Carry struct {
	Target
	Ops []metadata.Op
}

// Carried answers Carry, Finish and Put: it has an error, or nil, for each of the operations. Failure is why the
// contents of the file were not stored, or it could not be made.
type Carried struct {
	Errors  []*Error
	Failure *Error
}

// Xattrs is Node.Xattrs. It is answered by Names.
type Xattrs struct {
	Target
	ACLs bool
}

// Names answers Xattrs.
type Names struct{ Names []string }

// ReadXattr is Node.Xattr or, if Long is true, Node.ReadXattrAt of N bytes at Off. It is answered by Data.
type ReadXattr struct {
	Target
	Attr string
	Long bool
	Off  int64
	N    uint32
}

// XattrSize is Node.XattrSize. It is answered by Copied.
type XattrSize struct {
	Target
	Attr string
}

// WriteXattr is Node.WriteXattrAt. It is answered by Done.
type WriteXattr struct {
	Target
	Attr string
	Off  int64
	Data []byte
}

// Flags is Node.Flags. It is answered by FlagsAnswer.
type Flags struct{ Target }

// FlagsAnswer answers Flags.
type FlagsAnswer struct{ Flags uint32 }

// An Error answers a request that failed, or is part of an answer.
type Error struct {
	Name string // of the error number, such as "ENOENT", or of an error of vfs, such as "unsupported"; may be ""
	Text string // what it says, if Name does not say it
}
