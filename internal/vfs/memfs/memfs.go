// Package memfs is a file system in memory, for tests.
//
// It behaves as Linux does, or as macOS does if it is made by [NewMac], and can lose in a power cut
// what was not synced. Only tests import this package.
package memfs

import (
	"io/fs"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"time"

	"psync/internal/vfs"
)

// devices counts the FSs of the process, so that each is a device of its own
// and entries of two FSs never have the same [vfs.ID].
var devices atomic.Uint64

// memCaps are what an FS offers.
const memCaps = vfs.CanPreallocate | vfs.CanSync | vfs.CanFollow | vfs.CanOpenParent | vfs.CanRewrite | vfs.CanOpenCreate |
	vfs.CanMknod | vfs.CanLink | vfs.CanMove | vfs.CanSyncVolume | vfs.CanNode

// An FS is a file system in memory. It behaves as Linux does for root: modes and
// owners are kept but not enforced, a directory's time follows its entries, and a
// change of owner takes the set-id bits of a file away. Reading leaves access times
// alone. Time is a count of operations, so that every run sees the same times.
//
// It is stricter than a real file system where that uncovers mistakes: a handle
// made for writing cannot be read, and a closed one answers [fs.ErrClosed].
// An absolute link leads down from the root of the FS. Its files offer neither clones, nor ranges,
// nor holes, so bytes take the general way.
//
// Metadata is kept, and has few effects. An extended attribute may have any name, but
// those of users are for files and directories only, and security.capability is gone
// when an owner or the contents change. ACLs are such attributes, and nothing more:
// setting one changes no mode, chmod changes no ACL, nothing is inherited, and nobody
// looks at what they hold. Flags do not lock anything. A time of birth is that
// of making, and cannot be set. All of that is different in one made by [NewMac].
// All methods are safe for concurrent use.
type FS struct {
	dev    uint64
	kernel kernel
	naming *naming
	// volatile says that what a power cut would leave is kept; see NewVolatile.
	volatile bool

	mu   sync.Mutex // guards what follows, all inodes and all handles
	root *inode
	now  time.Time
	ino  uint64 // the last number given
	open int
}

// New returns an empty file system whose clock stands at the start of 2020 in UTC.
func New() *FS { return newFS(linux{}, &naming{}) }

// NewFolding returns an FS that ignores the case of ASCII letters in names, as
// Linux does on vfat and in folding directories of ext4: an entry is listed by the
// name that it was made with, also after a rename to one that differs in case only,
// and after another file was renamed onto it.
func NewFolding() *FS { return newFS(linux{}, &naming{key: lowerASCII}) }

func newFS(k kernel, names *naming) *FS {
	m := &FS{
		dev:    devices.Add(1),
		kernel: k,
		naming: names,
		now:    time.Date(2020, time.January, 1, 0, 0, 0, 0, time.UTC),
	}
	m.root = m.newInode(fs.ModeDir | 0o755)
	m.kernel.made(m.root, ".", m.root)
	m.root.parent = m.root
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

// Now returns the time that the last operation saw. Each moves it by a millisecond.
func (m *FS) Now() time.Time {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.now
}

// enter gives an inode a name, in the place of whatever has it.
func (m *FS) enter(dir *inode, name string, n *inode) {
	dir.entries.put(name, n)
	if n.Mode.IsDir() {
		n.parent = dir
	}
	n.Ctime = vfs.StampOf(m.now)
	dir.Mtime, dir.Ctime = m.now, vfs.StampOf(m.now)
}

func (m *FS) newInode(mode fs.FileMode) *inode {
	m.ino++
	n := &inode{Attr: vfs.Attr{Mode: mode, Atime: m.now, Mtime: m.now, Ctime: vfs.StampOf(m.now), Btime: m.now, Dev: m.dev, Ino: m.ino, Nlink: 1}}
	if mode.IsDir() {
		n.entries = names{m.naming, make(map[string]named)}
	}
	return n
}

// checkName returns why name cannot be that of an entry.
func checkName(name string) error {
	switch {
	case name == "", name == ".", name == "..", strings.ContainsAny(name, "/\x00"):
		return syscall.EINVAL
	case len(name) > 255:
		return syscall.ENAMETOOLONG
	}
	return nil
}
