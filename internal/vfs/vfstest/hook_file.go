package vfstest

import (
	"cmp"
	"io/fs"
	"time"

	"psync/internal/vfs"
)

// hookedFile calls a hook before each operation of a File. It offers [vfs.Node],
// [vfs.LongXattrer], and [vfs.Syncer]; where the inner File does not, the methods that
// File lacks return [errors.ErrUnsupported], and the hook does not hear of them.
type hookedFile struct {
	inner vfs.File
	hookedMeta
	closeOp string // tells the close of a written file from that of a read one
}

func newHookedFile(f vfs.File, name, closeOp string, h hook) *hookedFile {
	return &hookedFile{f, hookedMeta{f, name, h}, closeOp}
}

// Unwrap returns the File within, for abilities that need to know both files.
func (f *hookedFile) Unwrap() vfs.File { return f.inner }

// unwrap returns the File or Dir, T, below all wrappers.
func unwrap[T any](x T) T {
	for {
		w, ok := any(x).(interface{ Unwrap() T })
		if !ok {
			return x
		}
		x = w.Unwrap()
	}
}

func (f *hookedFile) Stat() (vfs.Attr, error) {
	if err := f.hook.call("stat", f.name); err != nil {
		return vfs.Attr{}, err
	}
	return f.inner.Stat()
}

func (f *hookedFile) ReadAt(p []byte, off int64) (int, error) {
	if err := f.hook.call("read", f.name); err != nil {
		return 0, err
	}
	return f.inner.ReadAt(p, off)
}

// WriteAt writes half of p before it fails, as a full disk does.
func (f *hookedFile) WriteAt(p []byte, off int64) (int, error) {
	if err := f.hook.call("write", f.name); err != nil {
		n, werr := f.inner.WriteAt(p[:len(p)/2], off)
		return n, cmp.Or(werr, err)
	}
	return f.inner.WriteAt(p, off)
}

func (f *hookedFile) Truncate(size int64) error {
	if err := f.hook.call("truncate", f.name); err != nil {
		return err
	}
	return f.inner.Truncate(size)
}

func (f *hookedFile) Chmod(mode fs.FileMode) error {
	if err := f.hook.call("fchmod", f.name); err != nil {
		return err
	}
	return f.inner.Chmod(mode)
}

func (f *hookedFile) Chown(uid, gid int) error {
	if err := f.hook.call("fchown", f.name); err != nil {
		return err
	}
	return f.inner.Chown(uid, gid)
}

func (f *hookedFile) Chtimes(atime, mtime time.Time) error {
	if err := f.hook.call("fchtimes", f.name); err != nil {
		return err
	}
	return f.inner.Chtimes(atime, mtime)
}

func (f *hookedFile) Close() error {
	return cmp.Or(f.hook.call(f.closeOp, f.name), f.inner.Close())
}

func (f *hookedFile) Caps() vfs.Caps { return f.inner.Caps() }

// offer calls the hook before an operation that not every File offers.
func (f *hookedFile) offer(c vfs.Caps, op string) error {
	if !f.inner.Caps().Has(c) {
		return unsupported(op, f.name)
	}
	return f.hook.call(op, f.name)
}

func (f *hookedFile) Clone(src vfs.File) error {
	if err := f.offer(vfs.CanClone, "clone"); err != nil {
		return err
	}
	return f.inner.Clone(unwrap(src))
}

func (f *hookedFile) CopyRange(src vfs.File, off, n int64) (int64, error) {
	if err := f.offer(vfs.CanCopyRange, "copyrange"); err != nil {
		return 0, err
	}
	return f.inner.CopyRange(unwrap(src), off, n)
}

func (f *hookedFile) NextData(off int64) (start, end int64, err error) {
	if err := f.offer(vfs.CanSeekData, "nextdata"); err != nil {
		return 0, 0, err
	}
	return f.inner.NextData(off)
}

func (f *hookedFile) PunchHole(off, n int64) error {
	if err := f.offer(vfs.CanPunchHole, "punchhole"); err != nil {
		return err
	}
	return f.inner.PunchHole(off, n)
}

func (f *hookedFile) Preallocate(size int64) error {
	if err := f.offer(vfs.CanPreallocate, "preallocate"); err != nil {
		return err
	}
	return f.inner.Preallocate(size)
}

// Sync is left out as well: whoever is refused it does without.
func (f *hookedFile) Sync() error {
	s, ok := f.inner.(vfs.Syncer)
	if !ok {
		return unsupported("fsync", f.name)
	}
	if err := f.hook.call("fsync", f.name); err != nil {
		return err
	}
	return s.Sync()
}

// BypassCache passes it on. Doing nothing is right where the inner File does not take it.
func (f *hookedFile) BypassCache() {
	if b, ok := f.inner.(vfs.CacheBypasser); ok {
		b.BypassCache()
	}
}

// AdviseSequential passes the hint on. Ignoring it is right where the inner File
// does not take it.
func (f *hookedFile) AdviseSequential() {
	if a, ok := f.inner.(vfs.ReadAdviser); ok {
		a.AdviseSequential()
	}
}
