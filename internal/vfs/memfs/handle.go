package memfs

import (
	"errors"
	"io/fs"
	"syscall"
	"time"

	"psync/internal/vfs"
	"psync/internal/vfs/memfs/kernel"
)

// A handle holds what open files and open directories have in common.
type handle struct {
	m      *FS
	kernel kernel.Kernel
	node   *kernel.Inode
	name   string // the name that it was opened by
	closed bool
}

// memDir is a [vfs.Dir], memNode a [vfs.Node] and memFile a [vfs.File] on a [FS].
type (
	memDir struct {
		vfs.UnsupportedDir
		handle
	}
	memNode struct{ handle }
	memFile struct {
		unsupportedFile
		memNode
		readable, writable bool // both only with ReadWrite
	}
)

// unsupportedFile is embedded one level deeper, so that the methods of memNode take precedence.
type unsupportedFile struct{ vfs.UnsupportedFile }

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

// result is do for an operation that returns something.
func result[T any](h *handle, op, name string, f func() (T, error)) (r T, err error) {
	err = h.do(op, name, func() (err error) {
		r, err = f()
		return err
	})
	return r, err
}

// changed records that n has changed, unless err is not nil.
func (h *handle) changed(n *kernel.Inode, err error) error {
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

// another returns another handle of the same caller.
func (h *handle) another(n *kernel.Inode, name string) handle {
	h.m.open++
	return handle{m: h.m, kernel: h.kernel, node: n, name: name}
}

// newDir returns an open directory.
func (h *handle) newDir(n *kernel.Inode, name string) vfs.Dir {
	return &memDir{handle: h.another(n, name)}
}

// newFile returns an open file.
func (h *handle) newFile(n *kernel.Inode, name string, readable, writable bool) vfs.File {
	if writable {
		h.kernel.Rewrites(n)
	}
	return &memFile{memNode: memNode{h.another(n, name)}, readable: readable, writable: writable}
}

// openDir opens a directory that the caller may read.
func (h *handle) openDir(n *kernel.Inode, name string) (vfs.Dir, error) {
	if !n.Mode.IsDir() {
		return nil, syscall.ENOTDIR
	}
	if err := h.kernel.May(n, kernel.RightRead); err != nil {
		return nil, err
	}
	return h.newDir(n, name), nil
}

// openFile opens an entry that is not a symbolic link and, if it will be written, not a directory.
func (h *handle) openFile(n *kernel.Inode, name string, want kernel.Rights) (vfs.File, error) {
	writable := want&kernel.RightWrite != 0
	switch {
	case n.Mode.Type() == fs.ModeSymlink:
		return nil, syscall.ELOOP
	case n.Mode.IsDir() && writable:
		return nil, syscall.EISDIR
	}
	if err := h.kernel.May(n, want); err != nil {
		return nil, err
	}
	return h.newFile(n, name, want&kernel.RightRead != 0, writable), nil
}

// lookup returns an entry of a directory that the caller may search.
func (h *handle) lookup(dir *kernel.Inode, name string) (*kernel.Inode, error) {
	if err := h.kernel.May(dir, kernel.RightExecute); err != nil {
		return nil, err
	}
	return dir.Lookup(name)
}

// vacant returns why no entry of the given type can be made under a name in a directory.
func (h *handle) vacant(dir *kernel.Inode, name string, mode fs.FileMode) error {
	_, err := h.lookup(dir, name)
	switch {
	case err == nil:
		return syscall.EEXIST
	case !errors.Is(err, syscall.ENOENT):
		return err
	case dir.Nlink == 0: // removed, but still open
		return syscall.ENOENT
	}
	return h.kernel.May(dir, kernel.ToAdd(mode))
}

// add makes an entry in a directory.
func (h *handle) add(dir *kernel.Inode, name string, mode fs.FileMode) (*kernel.Inode, error) {
	if err := h.vacant(dir, name, mode); err != nil {
		return nil, err
	}
	n := h.m.newInode(mode)
	h.m.enter(dir, name, n)
	h.kernel.Made(dir, name, n)
	return n, nil
}

// entry returns an existing entry, or the directory itself for ".".
func (d *memDir) entry(name string) (*kernel.Inode, error) {
	if name == "." {
		return d.node, nil
	}
	return d.lookup(d.node, name)
}

// on runs f on an existing entry.
func (d *memDir) on(op, name string, f func(*kernel.Inode) error) error {
	return d.do(op, name, func() error {
		n, err := d.lookup(d.node, name)
		if err != nil {
			return err
		}
		return f(n)
	})
}

// change runs f, which changes an inode, on an existing entry or the directory itself.
func (d *memDir) change(op, name string, f func(*kernel.Inode) error) error {
	return d.do(op, name, func() error {
		n, err := d.entry(name)
		if err != nil {
			return err
		}
		return d.changed(n, f(n))
	})
}

// open runs f, which opens an inode, on an existing entry.
func open[T any](d *memDir, op, name string, f func(*kernel.Inode, string) (T, error)) (T, error) {
	return result(&d.handle, op, name, func() (opened T, err error) {
		n, err := d.lookup(d.node, name)
		if err != nil {
			return opened, err
		}
		return f(n, name)
	})
}
