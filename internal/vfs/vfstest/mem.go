package vfstest

import (
	"io/fs"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"time"

	"psync/internal/vfs"
)

// devices counts the Mems of the process, so that each is a device of its own
// and entries of two Mems never have the same [vfs.ID].
var devices atomic.Uint64

// A Mem is a file system in memory. It behaves as Linux does for root: modes and
// owners are kept but not enforced, a directory's time follows its entries, and a
// change of owner takes the set-id bits of a file away. Reading leaves access times
// alone. Time is a count of operations, so that every run sees the same times.
//
// It is stricter than a real file system where that uncovers mistakes: a handle
// made for writing cannot be read, and a closed one answers [fs.ErrClosed].
// Its directories are [vfs.Follower], [vfs.Linker], [vfs.Mover] and [vfs.Rewriter];
// an absolute link leads down from the root of the Mem. Its files have none of the
// optional abilities, so bytes take the general way.
// All methods are safe for concurrent use.
type Mem struct {
	dev  uint64
	fold bool // names differ by more than case

	mu   sync.Mutex // guards what follows, all inodes and all handles
	root *inode
	now  time.Time
	ino  uint64 // the last number given
	open int
}

// NewMem returns an empty file system whose clock stands at the start of 2020 in UTC.
func NewMem() *Mem { return newMem(false) }

// NewFoldingMem returns a Mem that ignores the case of ASCII letters in names, as
// Linux does on vfat and in folding directories of ext4: an entry is listed by the
// name that it was made with, also after a rename to one that differs in case only,
// and after another file was renamed onto it.
func NewFoldingMem() *Mem { return newMem(true) }

func newMem(fold bool) *Mem {
	m := &Mem{
		dev:  devices.Add(1),
		fold: fold,
		now:  time.Date(2020, time.January, 1, 0, 0, 0, 0, time.UTC),
	}
	m.root = m.newInodeLocked(fs.ModeDir | 0o755)
	m.root.parent = m.root
	return m
}

// Root opens the root directory, which the caller closes.
func (m *Mem) Root() vfs.Dir {
	m.mu.Lock()
	defer m.mu.Unlock()
	return &memDir{m.openLocked(m.root, ".")}
}

// Open returns the number of directories and files that are not closed yet.
func (m *Mem) Open() int {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.open
}

// Now returns the time that the last operation saw. Each moves it by a millisecond.
func (m *Mem) Now() time.Time {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.now
}

// Mkfifo makes a named pipe at a path of existing directories below the root.
func (m *Mem) Mkfifo(path string, perm fs.FileMode) error {
	root := handle{m: m, node: m.root}
	return root.do("mkfifo", path, func() error {
		elems := strings.Split(path, "/")
		last := len(elems) - 1
		dir := m.root
		for _, name := range elems[:last] {
			sub, err := dir.lookup(name)
			if err != nil {
				return err
			}
			dir = sub
		}
		_, err := m.makeLocked(dir, elems[last], fs.ModeNamedPipe|perm.Perm())
		return err
	})
}

// makeLocked adds an entry to a directory.
func (m *Mem) makeLocked(dir *inode, name string, mode fs.FileMode) (*inode, error) {
	if err := dir.vacant(name); err != nil {
		return nil, err
	}
	n := m.newInodeLocked(mode)
	m.enterLocked(dir, name, n)
	return n, nil
}

// enterLocked gives an inode a name, in the place of whatever has it.
func (m *Mem) enterLocked(dir *inode, name string, n *inode) {
	dir.entries.put(name, n)
	if n.Mode.IsDir() {
		n.parent = dir
	}
	dir.Mtime = m.now
}

func (m *Mem) newInodeLocked(mode fs.FileMode) *inode {
	m.ino++
	n := &inode{Attr: vfs.Attr{Mode: mode, Atime: m.now, Mtime: m.now, Dev: m.dev, Ino: m.ino, Nlink: 1}}
	if mode.IsDir() {
		n.entries = names{m.fold, make(map[string]named)}
	}
	return n
}

func (m *Mem) openLocked(n *inode, name string) handle {
	m.open++
	return handle{m: m, node: n, name: name}
}

// A handle is what open files and open directories have in common.
type handle struct {
	m      *Mem
	node   *inode
	name   string // that it was opened by
	closed bool
}

// do runs f as one operation: locked, at a time of its own, on an open handle.
func (h *handle) do(op, name string, f func() error) error {
	h.m.mu.Lock()
	defer h.m.mu.Unlock()
	h.m.now = h.m.now.Add(time.Millisecond)
	err := fs.ErrClosed
	if !h.closed {
		err = f()
	}
	if err != nil {
		return &fs.PathError{Op: op, Path: name, Err: err}
	}
	return nil
}

// Close ends the use of the handle. Closing it again is an error.
func (h *handle) Close() error {
	return h.do("close", h.name, func() error {
		h.closed = true
		h.m.open--
		return nil
	})
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
