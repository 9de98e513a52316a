package retry

import "psync/internal/vfs"

// A file implements [vfs.File] on top of a way.
type file struct {
	handle[vfs.File]
	way
}

// A way makes the calls of a file. It depends on whether the file was opened for reading or for writing.
type way interface {
	current() vfs.File
	identity() (vfs.Attr, error)
	saw(vfs.Attr) // called with all attributes, each time they are asked for
	wasRead()
	commit(changes []vfs.Change, sync bool) ([]error, error)
	Close() error
}

// Unwrap returns the wrapped file, for operations that need to know both files.
func (f *file) Unwrap() vfs.File { return f.current() }

// Caps implements [vfs.File].
func (f *file) Caps() vfs.Caps { return f.current().Caps() &^ hidden }

// Commit implements [vfs.File]. After an outage, the file may be there all the same.
func (f *file) Commit(changes []vfs.Change, sync bool) ([]error, error) {
	return f.commit(changes, sync)
}

// Close implements [vfs.File].
func (f *file) Close() error { return f.way.Close() }

// HasWriter implements [vfs.File].
func (f *file) HasWriter() bool { return f.current().HasWriter() }

// Statx implements [vfs.File].
func (f *file) Statx(want vfs.StatxWant) (attr vfs.Attr, err error) {
	if want == vfs.StatxID {
		return f.identity()
	}
	attr, err = f.handle.Statx(want)
	if err == nil && want == vfs.StatxAll {
		f.saw(attr)
	}
	return attr, err
}

// ReadAt implements [vfs.File].
func (f *file) ReadAt(p []byte, off int64) (int, error) {
	f.wasRead()
	return get(f.do, func(in vfs.File) (int, error) { return in.ReadAt(p, off) })
}

// WriteAt implements [vfs.File].
func (f *file) WriteAt(p []byte, off int64) (int, error) {
	return get(f.do, func(in vfs.File) (int, error) { return in.WriteAt(p, off) })
}

// Truncate implements [vfs.File].
func (f *file) Truncate(size int64) error {
	return f.do(func(in vfs.File) error { return in.Truncate(size) })
}

// Clone implements [vfs.File].
func (f *file) Clone(src vfs.File) error {
	return f.do(func(in vfs.File) error { return in.Clone(src) })
}

// CopyRange implements [vfs.File].
func (f *file) CopyRange(src vfs.File, off, n int64) (int64, error) {
	return get(f.do, func(in vfs.File) (int64, error) { return in.CopyRange(src, off, n) })
}

// NextData implements [vfs.File].
func (f *file) NextData(off int64) (start, end int64, err error) {
	f.wasRead()
	err = f.do(func(in vfs.File) (err error) {
		start, end, err = in.NextData(off)
		return err
	})
	return start, end, err
}

// Fallocate implements [vfs.File].
func (f *file) Fallocate(mode vfs.FallocateMode, off, n int64) error {
	return f.do(func(in vfs.File) error { return in.Fallocate(mode, off, n) })
}

// Sync implements [vfs.File].
func (f *file) Sync() error { return f.do(vfs.File.Sync) }

// Advise implements [vfs.File].
func (f *file) Advise(a vfs.Advice) error {
	return f.do(func(in vfs.File) error { return in.Advise(a) })
}

// Sums implements [vfs.File].
func (f *file) Sums(off, n, block int64, key []byte) ([]byte, error) {
	f.wasRead()
	return get(f.do, func(in vfs.File) ([]byte, error) { return in.Sums(off, n, block, key) })
}
