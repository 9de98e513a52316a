package vfstest

import "psync/internal/vfs"

// wrapFile gives f those abilities that its inner File has, and no others, so
// that whoever asserts one takes the same way as without the wrapper.
func wrapFile(f *hookedFile) vfs.File {
	c, clones := f.inner.(vfs.Cloner)
	r, ranges := f.inner.(vfs.RangeCopier)
	e, extents := f.inner.(vfs.DataSeeker)
	cloner, copier, mapper := hookedCloner{f, c}, hookedRangeCopier{f, r}, hookedDataSeeker{f, e}
	switch {
	case clones && ranges && extents:
		return struct {
			*hookedFile
			hookedCloner
			hookedRangeCopier
			hookedDataSeeker
		}{f, cloner, copier, mapper}
	case clones && ranges:
		return struct {
			*hookedFile
			hookedCloner
			hookedRangeCopier
		}{f, cloner, copier}
	case clones && extents:
		return struct {
			*hookedFile
			hookedCloner
			hookedDataSeeker
		}{f, cloner, mapper}
	case ranges && extents:
		return struct {
			*hookedFile
			hookedRangeCopier
			hookedDataSeeker
		}{f, copier, mapper}
	case clones:
		return struct {
			*hookedFile
			hookedCloner
		}{f, cloner}
	case ranges:
		return struct {
			*hookedFile
			hookedRangeCopier
		}{f, copier}
	case extents:
		return struct {
			*hookedFile
			hookedDataSeeker
		}{f, mapper}
	}
	return f
}

type hookedCloner struct {
	file *hookedFile
	able vfs.Cloner
}

func (c hookedCloner) Clone(src vfs.File) error {
	if err := c.file.hook.call("clone", c.file.name); err != nil {
		return err
	}
	return c.able.Clone(unwrap(src))
}

type hookedRangeCopier struct {
	file *hookedFile
	able vfs.RangeCopier
}

func (r hookedRangeCopier) CopyRange(src vfs.File, off, n int64) (int64, error) {
	if err := r.file.hook.call("copyrange", r.file.name); err != nil {
		return 0, err
	}
	return r.able.CopyRange(unwrap(src), off, n)
}

type hookedDataSeeker struct {
	file *hookedFile
	able vfs.DataSeeker
}

func (e hookedDataSeeker) NextData(off int64) (start, end int64, err error) {
	if err := e.file.hook.call("nextdata", e.file.name); err != nil {
		return 0, 0, err
	}
	return e.able.NextData(off)
}
