package contents

import (
	"context"
	"errors"
	"io/fs"
	"slices"
	"syscall"

	"psync/internal/content"
	"psync/internal/gnucp/entry"
	"psync/internal/gnucp/policy"
	"psync/internal/localfs"
	"psync/internal/output"
	"psync/internal/vfs"
)

// fillOpen gives contents and attributes to dst, which currently has the given name. whole says that dst
// already has the contents.
func (c *Copier) fillOpen(ctx context.Context, e *entry.Copy, src, dst vfs.File, name string, extra fs.FileMode) (whole, ok bool) {
	now, err := c.opened(e, dst, extra)
	if err != nil {
		return false, e.Out.Fail(err, "cannot fstat %s", e.Dst)
	}
	if mode := now.Mode | extra; mode != now.Mode && vfs.Chmod(dst, mode) != nil {
		extra = 0 // setting the attributes that need it will report an error
	}
	if !c.AttributesOnly && !c.move(ctx, e, src, dst, name, now) {
		return false, false
	}
	c.countFork(src)
	return true, c.File(e, src, dst, name, now, extra)
}

// opened returns the relevant attributes of a file that is open for writing.
func (c *Copier) opened(e *entry.Copy, dst vfs.File, extra fs.FileMode) (vfs.Attr, error) {
	switch {
	case !e.New || extra != 0 || c.Preserve.Ownership && e.Parent == nil:
		return vfs.Stat(dst)
	case c.Preserve.Ownership:
		return e.Parent.NewFile(dst)
	}
	return vfs.Attr{}, nil // only the type matters: the file is regular
}

// move copies the bytes.
func (c *Copier) move(ctx context.Context, e *entry.Copy, src, dst vfs.File, name string, now vfs.Attr) bool {
	attr := e.Attr
	route, far := c.route(e, attr, src, dst)
	c.bytes.Cutoff = c.cutoff(far, now)
	var seen trace
	if c.Debug {
		dst, src = seen.both(dst, src)
		defer func() { e.Out.Say("%s", output.Plain(seen.explain(c.Options))) }()
	}
	if c.Reflink == content.ReflinkAlways {
		return c.clone(e, src, dst, name)
	}
	if c.Reflink == content.ReflinkAuto && (c.Sparse == policy.SparseAlways || c.Debug && attr.Size == 0) && dst.Clone(src) == nil {
		c.bytes.Progress(attr.Size)
		return true
	}
	c.bytes.Sparse, c.bytes.Dense = c.Sparse == policy.SparseAlways, c.Sparse == policy.SparseNever
	if !attr.Mode.IsRegular() {
		src, attr.Size, attr.Blocks = localfs.Stream(src), 0, 0
	}
	if !now.Mode.IsRegular() {
		dst, c.bytes.Sparse, c.bytes.Dense = localfs.Stream(dst), false, true
	}
	err := c.bytes.Copy(ctx, dst, src, attr, route)
	if err == nil && attr.Size > 0 {
		err = c.bytes.Append(ctx, dst, src, attr.Size) // the bytes that were appended meanwhile
	}
	switch {
	case err == nil, errors.Is(err, content.ErrChanged):
		return true // like cp, copy the bytes that there are
	case ctx.Err() != nil:
		return false
	case errors.As(err, new(*content.ReadError)):
		return e.Out.Fail(err, "error reading %s", e.Src)
	}
	return e.Out.Fail(err, "error writing %s", e.Dst)
}

// clone shares the blocks of src, or removes the file that it made.
func (c *Copier) clone(e *entry.Copy, src, dst vfs.File, name string) bool {
	err := dst.Clone(src)
	if err == nil {
		c.bytes.Progress(e.Attr.Size)
		return true
	}
	e.Out.Fail(err, "failed to clone %s from %s", e.Dst, e.Src)
	if e.New && name == e.Dst.Name {
		if err := e.Dst.At.Remove(e.Dst.Name); err != nil && !errors.Is(err, syscall.ENOENT) {
			e.Out.Fail(err, "cannot remove %s", e.Dst)
		}
	}
	return false
}

// countFork counts a file whose copy lacks a part of its contents that is copied only if extended attributes
// are preserved: a resource fork or the Finder information of macOS.
func (c *Copier) countFork(src vfs.File) {
	if c.Preserve.Xattr || c.AttributesOnly || len(c.Forks) == 0 {
		return
	}
	names, err := src.Xattrs(false)
	if err == nil && slices.ContainsFunc(names, func(name string) bool { return slices.Contains(c.Forks, name) }) {
		c.forks.Add(1)
	}
}

// ReportForks warns about the files that countFork counted.
func (s *Shared) ReportForks(out *output.Segment) {
	n, files := s.forks.Load(), output.Plain("files")
	if n == 0 {
		return
	}
	if n == 1 {
		files = "file"
	}
	out.Warn("warning: the resource fork or Finder info of %d %s was not copied; 'psync copy' copies it", n, files)
}
