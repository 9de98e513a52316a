package contents

import (
	"psync/internal/content"
	"psync/internal/gnucp/policy"
	"psync/internal/vfs"
)

// A trace records the ways in which the contents of a file are copied.
type trace struct {
	cloned, ranges, written way
	seeks                   bool // the copy looked for holes in the source
}

// A way records whether a way to copy was tried and whether it worked.
type way struct{ tried, worked bool }

func (t *way) note(err error) {
	t.tried = true
	t.worked = t.worked || err == nil
}

// both returns watched versions of both files.
func (t *trace) both(dst, src vfs.File) (tracedDst, tracedSrc vfs.File) {
	return &tracedFile{dst, t}, &tracedFile{src, t}
}

// A tracedFile is a file that records the ways in which it is copied.
type tracedFile struct {
	vfs.File
	trace *trace
}

func (f *tracedFile) Unwrap() vfs.File { return f.File }

// Caps adds abilities so that every way is tried and recorded.
func (f *tracedFile) Caps() vfs.Caps { return f.File.Caps() | vfs.CanClone | vfs.CanCopyRange }

func (f *tracedFile) Clone(src vfs.File) error {
	err := f.File.Clone(src)
	f.trace.cloned.note(err)
	return err
}

func (f *tracedFile) CopyRange(src vfs.File, off, n int64) (copied int64, err error) {
	copied, err = f.File.CopyRange(src, off, n)
	f.trace.ranges.note(err)
	return copied, err
}

func (f *tracedFile) WriteAt(p []byte, off int64) (int, error) {
	n, err := f.File.WriteAt(p, off)
	f.trace.written.note(err)
	return n, err
}

func (f *tracedFile) NextData(off int64) (start, end int64, err error) {
	f.trace.seeks = true
	return f.File.NextData(off)
}

// explain describes the recorded ways in the words of cp --debug.
func (t *trace) explain(o *policy.Options) string {
	return "copy offload: " + t.offload(o) + ", reflink: " + t.reflink(o) + ", sparse detection: " + t.detection(o) + "\n"
}

func (t *trace) offload(o *policy.Options) string {
	switch {
	case t.ranges.worked:
		return "yes"
	case t.ranges.tried:
		return "unsupported"
	case t.written.tried, !t.cloned.worked && (o.Reflink == content.ReflinkNever || o.Sparse != policy.SparseAuto):
		return "avoided"
	}
	return "unknown"
}

func (t *trace) reflink(o *policy.Options) string {
	switch {
	case o.Reflink == content.ReflinkNever:
		return "no"
	case t.cloned.worked:
		return "yes"
	case t.cloned.tried:
		return "unsupported"
	}
	return "unknown"
}

func (t *trace) detection(o *policy.Options) string {
	switch {
	case t.cloned.worked, o.Reflink == content.ReflinkAlways:
		return "unknown"
	case t.seeks && o.Sparse == policy.SparseAlways:
		return "SEEK_HOLE + zeros"
	case t.seeks:
		return "SEEK_HOLE"
	case o.Sparse == policy.SparseAlways:
		return "zeros"
	}
	return "no"
}
