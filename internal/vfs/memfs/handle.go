package memfs

import (
	"errors"
	"io/fs"
	"syscall"
	"time"

	"psync/internal/vfs"
)

// A handle is what open files and open directories have in common.
type handle struct {
	m      *FS
	kernel kernel
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

// changed notes that n is not what it was, unless err says that it still is.
func (h *handle) changed(n *inode, err error) error {
	if err == nil {
		n.Ctime = vfs.StampOf(h.m.now)
	}
	return err
}

// Close ends the use of the handle. Closing it again is an error.
func (h *handle) Close() error {
	return h.do("close", h.name, func() error {
		h.closed = true
		h.m.open--
		return nil
	})
}

// openLocked returns another handle of the same caller.
func (h *handle) openLocked(n *inode, name string) handle {
	h.m.open++
	return handle{m: h.m, kernel: h.kernel, node: n, name: name}
}

func (h *handle) openDirLocked(n *inode, name string) vfs.Dir {
	d := &memDir{handle: h.openLocked(n, name)}
	if k, ok := h.kernel.(*mac); ok {
		return &macDir{d, k}
	}
	return d
}

func (h *handle) openFileLocked(n *inode, name string, readable, writable bool) vfs.File {
	f := &memFile{memNode: memNode{handle: h.openLocked(n, name)}, readable: readable, writable: writable}
	if k, ok := h.kernel.(*mac); ok {
		if writable {
			k.decompress(n)
		}
		return &macFile{f, fork{&f.memNode, k}}
	}
	return f
}

// lookup returns an entry of a directory that the caller may search.
func (h *handle) lookup(dir *inode, name string) (*inode, error) {
	if err := h.kernel.may(dir, rightExecute); err != nil {
		return nil, err
	}
	return dir.lookup(name)
}

// vacant returns why no entry of a type can be made in a directory under a name.
func (h *handle) vacant(dir *inode, name string, mode fs.FileMode) error {
	_, err := h.lookup(dir, name)
	switch {
	case err == nil:
		return syscall.EEXIST
	case !errors.Is(err, syscall.ENOENT):
		return err
	case !dir.Mode.IsDir():
		return syscall.ENOTDIR
	case dir.Nlink == 0: // removed, but still open
		return syscall.ENOENT
	}
	return h.kernel.may(dir, toAdd(mode))
}

// makeLocked adds an entry to a directory.
func (h *handle) makeLocked(dir *inode, name string, mode fs.FileMode) (*inode, error) {
	if err := h.vacant(dir, name, mode); err != nil {
		return nil, err
	}
	n := h.m.newInodeLocked(mode)
	h.m.enterLocked(dir, name, n)
	h.kernel.made(dir, name, n)
	return n, nil
}
