package faultfs

import (
	"cmp"

	"psync/internal/vfs"
)

// hookedFile calls a hook before each operation of a File. It is not called for
// operations that the File within does not offer.
type hookedFile struct {
	innerFile
	hookedMeta
	closeOp string // "fclose" for a written file, "rclose" for one that is read
}

// innerFile loses against the methods of hookedMeta.
type innerFile struct{ vfs.File }

// Unwrap returns the File within, for operations that need to know both files.
func (f *hookedFile) Unwrap() vfs.File { return f.File }

func (f *hookedFile) Caps() vfs.Caps { return f.caps }

func (f *hookedFile) ReadAt(p []byte, off int64) (int, error) {
	if err := f.hook.call("read", f.at); err != nil {
		return 0, err
	}
	return f.File.ReadAt(p, off)
}

// WriteAt writes half of p before it fails, as a full disk does.
func (f *hookedFile) WriteAt(p []byte, off int64) (int, error) {
	if err := f.hook.call("write", f.at); err != nil {
		n, werr := f.File.WriteAt(p[:len(p)/2], off)
		return n, cmp.Or(werr, err)
	}
	return f.File.WriteAt(p, off)
}

func (f *hookedFile) Truncate(size int64) error {
	return set(f.hook.call("truncate", f.at), f.File.Truncate, size)
}
func (f *hookedFile) Close() error { return cmp.Or(f.hook.call(f.closeOp, f.at), f.File.Close()) }
func (f *hookedFile) Clone(src vfs.File) error {
	return set(f.offer(vfs.CanClone, "clone"), f.File.Clone, src)
}

func (f *hookedFile) CopyRange(src vfs.File, off, n int64) (int64, error) {
	if err := f.offer(vfs.CanCopyRange, "copyrange"); err != nil {
		return 0, err
	}
	return f.File.CopyRange(src, off, n)
}

func (f *hookedFile) NextData(off int64) (start, end int64, err error) {
	if err := f.hook.call("nextdata", f.at); err != nil {
		return 0, 0, err
	}
	return f.File.NextData(off)
}

func (f *hookedFile) Sums(off, n, block int64, key []byte) ([]byte, error) {
	if err := f.offer(vfs.CanSum, "sums"); err != nil {
		return nil, err
	}
	return f.File.Sums(off, n, block, key)
}

func (f *hookedFile) Fallocate(mode vfs.FallocateMode, off, n int64) error {
	return unless(f.hook.call(string(mode), f.at), func() error { return f.File.Fallocate(mode, off, n) })
}

func (f *hookedFile) Sync() error { return unless(f.hook.call("fsync", f.at), f.File.Sync) }
