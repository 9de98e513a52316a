// Package vfs defines what a file system must offer to be copied from or to:
// open directories, addressed by single names.
//
// Every operation is relative to an open directory and takes one path element,
// so no operation can be redirected by concurrent changes to a path,
// and trees deeper than any path limit work. No operation follows a symbolic link
// except Statx with StatxFollow, OpenDir with Follow, and OpenFile with ReadFollow.
//
// Errors are *fs.PathError whose Path is the name given. [Caps] lists operations that not every file system offers.
// Such a method returns [errors.ErrUnsupported] (or an error wrapping it) if it has changed nothing and the caller must
// do without it.
package vfs

import (
	"context"
	"errors"
	"io/fs"
	"time"
)

// A Dir is an open directory. A name is one path element: not empty, not "..",
// without slash and NUL. "." stands for the directory itself where a method says so.
// All methods are safe for concurrent use. Those that [Caps] names may return
// [errors.ErrUnsupported], and then have changed nothing.
type Dir interface {
	// Statx returns the attributes of an entry, or of the directory itself for ".", as want says. Callers that are about to
	// change something use StatxFresh.
	Statx(name string, want StatxWant) (Attr, error)
	// ReadDir calls yield with the entries, some at a time, in no particular
	// order, without "." and "..". The slice is valid until yield returns; the
	// names stay valid. It stops at the first error, including an error of yield.
	ReadDir(yield func([]Entry) error) error
	// OpenDir opens a subdirectory, or another directory if how says so. Anything else is an error.
	OpenDir(name string, how Resolve) (Dir, error)
	// OpenFile opens a regular file, or makes it if mode says so. perm has the rwx bits of a file that is made, whatever the
	// umask. Opening never blocks; the caller must check by Statx whether the entry is still a regular file.
	OpenFile(name string, mode OpenMode, perm fs.FileMode) (File, error)
	// Make makes an entry that is not a regular file: a directory, symbolic link, fifo, socket or device. If name exists,
	// the error matches fs.ErrExist.
	Make(name string, s Spec) error
	// MakeDirs makes empty directories, in their order, and changes each as Set does. It need not wait for that: wait
	// does, and returns an error for each directory, or nil if there are none. A *PartialError says that a directory was made, but
	// not all of its changes. The caller calls wait before it sets the times of this directory. It is offered if the
	// caps have CanMkdirAsync and CanCreateAsync.
	MakeDirs(dirs []NewDir) (wait func() []error, err error)
	// Readlink returns the target of a symbolic link.
	Readlink(name string) (string, error)
	// Rename renames an entry of this directory. If to is not nil, it moves the entry to that directory, which must be
	// on the same file system. An existing newname that is not a directory is replaced atomically. If only is not nil,
	// newname must exist and be what only says; otherwise nothing is done and the error matches [ErrChanged].
	Rename(oldname string, to Dir, newname string, only *Premise) error
	// Remove removes an entry that is not a directory. If only is not nil, the entry must be what only says; otherwise
	// nothing is done and the error matches [ErrChanged]. The check is made on the host of the entry, right before the
	// removal, so the caller need not ask first.
	Remove(name string, only *Premise) error
	// Rmdir removes an empty directory.
	Rmdir(name string) error
	// Set changes an entry, or the directory itself for ".", as Set of a [Node] does. Only changes of owner, mode and times
	// need be supported.
	Set(name string, changes []Change) []error
	// Close closes the directory. No other method may run then or later.
	Close() error

	// Caps returns which of the methods that [Caps] lists, including those of files, are offered. The methods below
	// that have no cap may also return [errors.ErrUnsupported].
	Caps() Caps
	// CopyPlain copies a plain file of src to the same name in this directory, where it must not exist, and returns the
	// file's size. It does in few system calls what OpenFile, Statx and other methods do. A plain file is a regular
	// file that has nothing but contents shorter than o.Buf, rwx bits, an owner, and a modification time that every
	// file system can store (see UsualTime), and that has not changed lately. If the file is not plain, or that cannot
	// be determined, CopyPlain does nothing and returns ErrNotPlain; a size of len(o.Buf) or more then means that the
	// file is too long. If the file was made but not completed, the error is a *PartialError. Any other error says that
	// the file could not be made. If o.Dir is not nil, CopyPlain does the same for a directory of src without entries.
	CopyPlain(src Dir, name string, o *PlainOptions) (size int64, err error)
	// QuickCheck reports whether name is a regular file both in this directory and in src, with equal size,
	// modification time, rwx bits, owner and group, and without other mode bits. It returns the size. It is a shortcut
	// for two calls of Statx: false only means that the caller must compare the files itself.
	QuickCheck(src Dir, name string, o *QuickCheckOptions) (size int64, equal bool)
	// CloneFile makes name as a clone of src, including metadata, as clonefile(2) of macOS does, but
	// without flags that lock it, set-id bits and ACL, and opens it. The file is open for reading only,
	// which is enough to set metadata: opening a compressed file for writing would expand it. The clone has the owner
	// and group that a new file would have, or, if owner is true and the user is root, those of src. If name exists,
	// the error matches fs.ErrExist.
	CloneFile(src File, name string, owner bool) (File, error)
	// Link makes newname another name of the entry called oldname in oldDir, which may be the same directory. If
	// newname exists, the error matches fs.ErrExist.
	Link(oldDir Dir, oldname, newname string) error
	// Node returns the entry called name, or the directory itself for ".", for access to its
	// metadata. The caller closes it. Node may succeed without accessing the entry; then only the methods of the result
	// fail for a name that does not exist.
	Node(name string) (Node, error)
	// Statfs describes the volume that the directory is on.
	Statfs() (Volume, error)
	// CountTree returns the number of regular files below the directory and the sum of their sizes. It does not follow
	// links, and leaves out what cannot be read. known is false if the count is not complete.
	CountTree(ctx context.Context) (files, bytes int64, known bool)
	// HasDefaultACL reports whether the directory is known to have a default ACL. Such an ACL may narrow the
	// permissions of entries made in the directory, so that they must be set afterwards.
	HasDefaultACL() bool
	// SyncVolume waits until all changes that were made so far to the file system will survive a power
	// cut. Some systems promise that for the contents of a file only if the file was synced as well.
	SyncVolume() error
}

// A File is an open file. Its methods may be used by one goroutine at a time, except Statx, ReadAt, WriteAt, CopyRange,
// NextData, Fallocate and Sums, which are safe for concurrent use. Methods below Caps may return
// [errors.ErrUnsupported], and then have changed nothing.
type File interface {
	// Node gives access to the metadata of the file. Setting times may be unsupported; the caller then closes the file and
	// uses the Dir's Set. When the times of a new file were set, only Close may be called. For a file
	// opened for writing, only the error of Close finally says whether the contents have been stored.
	Node
	// ReadAt and WriteAt follow io.ReaderAt and io.WriterAt.
	ReadAt(p []byte, off int64) (int, error)
	WriteAt(p []byte, off int64) (int, error)
	// Truncate sets the length in bytes.
	Truncate(size int64) error

	// Caps returns which of the methods that [Caps] lists are offered.
	Caps() Caps
	// Clone replaces the contents with those of src, sharing its blocks.
	Clone(src File) error
	// CopyRange copies up to n bytes at offset off of src to the same offset, without
	// passing them through the process, and returns how many it copied; 0 with a nil error means
	// that src ended.
	CopyRange(src File, off, n int64) (int64, error)
	// NextData returns the next range [start, end) at or after off that may
	// hold data. It returns io.EOF when only a hole remains.
	NextData(off int64) (start, end int64, err error)
	// Fallocate allocates or frees the blocks of the n bytes at off, as mode says. The length of the file stays the same.
	Fallocate(mode FallocateMode, off, n int64) error
	// Commit makes changes, as Set does, when all that was written has arrived, syncs the file if sync is true, and closes
	// it. err says that the file could not be made, its contents could not be stored, or that one of errs is fatal, as
	// [FirstFatal] says; then nothing of it is left. Only files opened with CreateAsync have Commit. Nothing is left of such
	// a file, either, if Close is called in its place, unless that returns an error.
	Commit(changes []Change, sync bool) (errs []error, err error)
	// Sync waits until the contents, and the length, will survive a power cut.
	Sync() error
	// Sums returns the checksums of the n bytes at off, in blocks of block bytes, without passing the bytes to the
	// process. The last block may be shorter. The checksums are those of package blocksum for key, which may be empty.
	Sums(off, n, block int64, key []byte) ([]byte, error)
	// HasWriter reports whether a process has, or may have, the file open for writing. It returns false on a system
	// that does not report that.
	HasWriter() bool
	// Advise says how the file will be used, as posix_fadvise(2) does.
	Advise(a Advice) error
}

// A StatxWant says which attributes Statx returns, like the mask and the flags of statx(2).
type StatxWant uint8

// The values of StatxWant.
const (
	// StatxAll asks for all attributes. The system may have cached them on a network. On a remote host, those of an open
	// directory itself may be as old as its opening or listing.
	StatxAll    StatxWant = iota
	StatxID               // the identity, without a round trip; Dir.Statx may not support it
	StatxChange           // of a file: the size, the modification time and the change time
	StatxFresh            // as StatxChange, or all attributes of an entry of a directory, even if they are cached
	StatxFollow           // of an entry of a directory: those of what a symbolic link leads to, inside the tree or not
)

// Lstat returns the attributes of an entry of d, or of d itself for ".", as [Dir].Statx does with StatxAll.
func Lstat(d Dir, name string) (Attr, error) { return d.Statx(name, StatxAll) }

// Stat returns all attributes of n.
func Stat(n Node) (Attr, error) { return n.Statx(StatxAll) }

// Identify returns the identity of an open file, or zero if it is unknown. It takes no round trip.
func Identify(f File) ID {
	attr, _ := f.Statx(StatxID) // zero after an error
	return attr.ID()
}

// A Volume describes the file system that a directory is on.
type Volume struct {
	Network bool // an operation may take a round trip (NFS, CIFS, FUSE and the like)
	// Granularity is the resolution of the modification times that the volume keeps if that is known to be coarser than
	// a nanosecond, or 0.
	Granularity time.Duration
	// Folds says that names which differ only in case, or in how Unicode composes
	// a letter, may name the same entry.
	Folds bool
	// KeepsAttrs says that setting owners, modes and usual times either stores them exactly or returns an error.
	// Servers and foreign file systems may report success and store something else.
	KeepsAttrs bool
	// OwnersIgnored says that changing an owner succeeds and has no effect.
	OwnersIgnored bool
	// SlowExclusive says that opening with Create, which is O_EXCL, takes one more round trip than OpenCreate, and that no
	// other entry can be made in the directory during that time.
	SlowExclusive bool
	// AppleDouble says that the system keeps the extended attributes of NAME in an AppleDouble
	// file "._NAME" beside it, which is not an entry of its own.
	AppleDouble bool
	// ServerACLs says that access control lists are those of a server, for the server's accounts:
	// each entry may show an ACL that no one has set, and setting or removing one may be ignored.
	ServerACLs bool
	// LacksACLs says that no entry can have an access control list, though it may have extended attributes.
	LacksACLs bool
	// RootIno is the inode number of the volume's root directory if it is known where the volume is mounted, or 0.
	RootIno uint64
	// DOSFlags says that the flags of chflags(2) are mapped to DOS attributes: an entry can be hidden, and a
	// file locked.
	DOSFlags bool
	// CopiesUp says that the volume has layers, and that an entry is copied to the upper layer when it is first
	// changed. The system then restores the earlier times of the entry's directory, and so undoes any change that was
	// made to them in the meantime.
	CopiesUp bool
	// TimesStay says that times set on a file that is still open are kept, although the volume is on a network. Without
	// it, data that the system sends when the file is closed may change them.
	TimesStay bool
	// Space is how much room there was when Statfs was called, or nil if that is not known, as on other hosts.
	Space *Space
}

// ErrMount says that something is mounted on a directory.
var ErrMount = errors.New("is a mount point")
