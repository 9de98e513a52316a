// Package memfs is a file system in memory, for tests.
//
// It behaves like Linux, or like macOS if it is made by [NewMac], and can lose what was not synced in a power cut. Only
// tests import this package.
package memfs

import (
	"io/fs"
	"sync"
	"sync/atomic"
	"time"

	"psync/internal/vfs"
	"psync/internal/vfs/memfs/kernel"
)

// devices counts the FSs of the process, so that each is a device of its own
// and entries of two FSs never have the same [vfs.ID].
var devices atomic.Uint64

// memCaps are the optional operations that an FS offers.
const memCaps = vfs.CanOpenCreate | vfs.CanMknod | vfs.CanLink | vfs.CanNode | vfs.HasIdentity

// An FS is a file system in memory. It behaves as Linux does for root: modes and owners are kept but not enforced, a
// directory's modification time changes with its entries, and a change of owner removes the set-id bits of a file.
// Reading does not change access times. Time is a count of operations, so that every run sees the same times.
//
// It is stricter than a real file system where that uncovers mistakes: a handle made for writing cannot be read, and a
// closed one returns [fs.ErrClosed]. An absolute link starts from the root of the FS. Files offer neither clones, nor
// ranges, nor holes, so bytes are copied by reading and writing.
//
// Metadata is kept, and has few effects. An extended attribute may have any name, but those of users are only for files
// and directories, and security.capability is removed when an owner or the contents change. ACLs are such attributes,
// and nothing more: setting one changes no mode, chmod changes no ACL, nothing is inherited, and their contents are
// ignored. Flags do not lock anything. The creation time is the time at which the entry was made, and cannot be set.
// All of that is different in an FS made by [NewMac]. All methods are safe for concurrent use.
type FS struct {
	dev    uint64
	kernel kernel.Kernel
	naming *kernel.Naming

	mu   sync.Mutex // guards what follows, all inodes and all handles
	root *kernel.Inode
	now  time.Time
	ino  uint64 // the last inode number that was assigned
	open int
	// listing is how directories are listed.
	listing Listing
	// disks holds what a power cut would leave of files; nil if that is everything. See NewVolatile.
	disks map[*kernel.Inode]*disk
}

// New returns an empty file system whose clock begins at the start of 2020 in UTC.
func New() *FS { return newFS(kernel.Linux{}, new(kernel.Naming)) }

// NewFolding returns an FS that ignores case in names, as Linux does on vfat and in case-folding directories of ext4:
// an entry is listed by the name that it was made with, even after a rename to a name that differs only in case, and
// after another file was renamed onto it.
func NewFolding() *FS { return newFS(kernel.Linux{}, kernel.Folding()) }

// NewFar returns an FS that behaves like that of a psync on another host: its volume is remote, and its files offer
// checksums and copies of ranges within the FS.
func NewFar() *FS { return newFS(kernel.Linux{Far: true}, new(kernel.Naming)) }

func newFS(k kernel.Kernel, names *kernel.Naming) *FS {
	m := &FS{
		dev:    devices.Add(1),
		kernel: k,
		naming: names,
		now:    time.Date(2020, time.January, 1, 0, 0, 0, 0, time.UTC),
	}
	m.root = m.newInode(fs.ModeDir | 0o755)
	m.kernel.Made(m.root, ".", m.root)
	m.root.Parent = m.root
	return m
}

// Root opens the root directory, which the caller closes.
func (m *FS) Root() vfs.Dir {
	m.mu.Lock()
	defer m.mu.Unlock()
	root := handle{m: m, kernel: m.kernel}
	return root.newDir(m.root, ".")
}

// Open returns the number of directories and files that are not closed yet.
func (m *FS) Open() int {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.open
}

// Now returns the time of the last operation. Each operation advances the clock by a millisecond.
func (m *FS) Now() time.Time {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.now
}
