// Package contents copies files as GNU cp(1) does: it writes into existing files, through links if there are
// any, and makes missing files.
//
// With --update, a file is written under a temporary name and renamed, unless it has other names, is reached
// through a link, or its directory cannot be written to. When cp is killed, it leaves a partial file that is
// newer than its source, and the next run takes the partial file for current. See staged.go.
package contents

import (
	"context"
	"errors"
	"io/fs"
	"sync"
	"sync/atomic"
	"syscall"

	"psync/internal/content"
	"psync/internal/gnucp/attrs"
	"psync/internal/gnucp/entry"
	"psync/internal/gnucp/policy"
	"psync/internal/report"
	"psync/internal/vfs"
)

// Shared is the state that all Copiers of a run share.
type Shared struct {
	attrs.Setter
	Volumes Volumes

	Forks []string // extended attributes that are part of contents: copies without them are counted

	NewTemporary func() string          // returns a name for a file that is not complete; may be nil
	Abandoned    func(name string) bool // reports whether a process that no longer exists has used a name

	// Cutoff is the size in bytes from which other workers may help with a file on a network file system.
	// Elsewhere help does not pay: CutoffNear is 0 except in tests.
	Cutoff, CutoffNear int64

	UID, GID int // of the user

	routes content.Routes
	forks  atomic.Int64 // files that were copied without one of Forks
	swept  sync.Map     // directories that were searched for leftovers of killed runs
}

// A Copier copies one file at a time.
type Copier struct {
	*Shared
	bytes       content.Copier
	count       *report.Counter
	plain       plainDir
	copiesPlain bool
}

// NewCopier returns a Copier that updates count and offers ranges of large files through share; see
// [content.Copier].
func NewCopier(s *Shared, count *report.Counter, share func(*content.Ranges) (done func())) *Copier {
	c := &Copier{Shared: s, count: count, copiesPlain: s.CopiesPlain()}
	c.bytes.Reflink, c.bytes.Share = s.Reflink, share
	c.bytes.Progress = func(n int64) { count.Add(report.BytesCopied, n) }
	return c
}

// Help makes c copy ranges of another Copier's file.
func (c *Copier) Help(ctx context.Context, r *content.Ranges) { c.bytes.Help(ctx, r) }

// CopyFile copies an entry as a regular file. If the source is already open, it is src, which CopyFile closes.
// Unless the file is new, it is written in place, through links if there are any.
func (c *Copier) CopyFile(ctx context.Context, e *entry.Copy, src vfs.File) bool {
	ok := src != nil
	if !ok {
		if src, ok = c.openSource(e); src == nil {
			return false
		}
	}
	ok = ok && c.fill(ctx, e, src)
	if err := src.Close(); err != nil {
		return e.Out.Fail(err, "failed to close %s", e.Src)
	}
	return ok
}

// openSource opens the source, and reports whether it is still the same file.
func (c *Copier) openSource(e *entry.Copy) (src vfs.File, ok bool) {
	src, err := e.Src.At.Open(e.Src.Name, e.Follow, e.Attr.Mode.IsRegular())
	if err != nil {
		return nil, e.Out.Fail(err, "cannot open %s for reading", e.Src)
	}
	attr, err := vfs.Stat(src)
	switch {
	case err != nil:
		return src, e.Out.Fail(err, "cannot fstat %s", e.Src)
	case attr.ID() != e.Attr.ID():
		return src, e.Out.Refuse("skipping file %s, as it was replaced while being copied", e.Src)
	}
	e.Attr = attr
	return src, true
}

// fill makes or opens the destination, and gives it the contents and attributes of src.
func (c *Copier) fill(ctx context.Context, e *entry.Copy, src vfs.File) bool {
	if c.stages(e) {
		if s := c.stage(e); s != nil {
			return c.fillStage(ctx, e, src, s)
		}
	}
	dst, extra, opened := c.open(e)
	if !opened {
		return false
	}
	whole, ok := c.fillOpen(ctx, e, src, dst, e.Dst.Name, extra)
	var written vfs.ID
	if c.Update == policy.UpdateOlder || ctx.Err() != nil {
		written = identify(dst)
	}
	misleads := !whole && c.Update == policy.UpdateOlder && antedate(e, dst) != nil
	if err := dst.Close(); err != nil {
		misleads = c.Update == policy.UpdateOlder
		ok = e.Out.Fail(err, "failed to close %s", e.Dst)
	}
	if misleads || ctx.Err() != nil && e.New {
		// The next run with --update would take the part that cp leaves for a complete copy.
		e.Dst.Remove(written)
		return false
	}
	if ok {
		c.count.Add(report.FilesCopied, 1)
	}
	return ok
}

// open opens the file for writing. extra are the rights that its mode has temporarily.
func (c *Copier) open(e *entry.Copy) (dst vfs.File, extra fs.FileMode, ok bool) {
	var err error
	if !e.New {
		dst, err = e.Dst.At.Rewrite(e.Dst.Name, !c.AttributesOnly)
		if err != nil && !errors.Is(err, syscall.ENOENT) && c.Force {
			switch removed := e.Dst.At.Remove(e.Dst.Name); {
			case removed == nil:
				if c.Verbose {
					e.Out.Say("removed %s\n", e.Dst)
				}
			case !errors.Is(removed, syscall.ENOENT):
				return nil, 0, e.Out.Fail(removed, "cannot remove %s", e.Dst)
			}
			err = syscall.ENOENT
		}
		e.New = errors.Is(err, syscall.ENOENT)
	}
	if e.New {
		var mode fs.FileMode
		mode, extra = c.NewFile(e.Attr.Mode, c.Root)
		if dst, err = c.create(e, mode); dst == nil && err == nil {
			return nil, 0, false
		}
	}
	if err != nil {
		return nil, 0, e.Out.Fail(err, "cannot create regular file %s", e.Dst)
	}
	return dst, extra, true
}

// create makes a new file. If that would write through a dangling link, create reports that this is not allowed
// and returns neither a file nor an error.
func (c *Copier) create(e *entry.Copy, mode fs.FileMode) (vfs.File, error) {
	if c.ownsName(e) {
		return c.createOwn(e, mode)
	}
	dst, err := e.Dst.At.Create(e.Dst.Name, mode, true)
	if errors.Is(err, syscall.EEXIST) {
		if now, looked := e.Dst.At.Stat(e.Dst.Name, false); looked == nil && policy.IsLink(now.Mode) {
			if !c.ThroughDangling {
				e.Out.Warn("not writing through dangling symlink %s", e.Dst)
				return nil, nil
			}
			dst, err = e.Dst.At.Create(e.Dst.Name, mode, false)
		}
	}
	if name := e.Dst.Name; errors.Is(err, syscall.EISDIR) && name[len(name)-1] == '/' {
		err = syscall.ENOTDIR
	}
	return dst, err
}

// ownsName reports whether nothing but this copy can make the destination: it goes into a directory that this run
// made, that only this user can write to, and where no other entry gets the same name.
func (c *Copier) ownsName(e *entry.Copy) bool {
	p := e.Parent
	return e.DestKnown == entry.DestAbsent && p != nil && p.Distinct && p.Made != nil && !p.GivesACLs &&
		p.Made.Mode&0o022 == 0 && int(p.Made.UID) == c.UID
}

// createOwn makes a new file without O_EXCL, with which NFS takes another round trip while no other file can be made in
// the directory.
func (c *Copier) createOwn(e *entry.Copy, mode fs.FileMode) (vfs.File, error) {
	// Linux looks up the name before it makes the file, and lets no other process make one during that time. It relies
	// on the result of an earlier lookup, many of which can run at once.
	_, _ = e.Dst.At.Stat(e.Dst.Name, false)
	dst, err := e.Dst.At.OpenCreate(e.Dst.Name, mode)
	if err != nil {
		return nil, err
	}
	now, err := vfs.Stat(dst) // the attributes came with the reply to opening
	isNew := now.Mode.IsRegular() && now.Size == 0 && now.Nlink == 1 && int(now.UID) == c.UID && now.Mode.Perm()&^mode == 0
	if err == nil && !isNew {
		err = syscall.EEXIST
	}
	if err != nil {
		_ = dst.Close() // nothing was written
		return nil, err
	}
	return dst, nil
}

// identify returns the identity of an open file, or the zero ID if the identity is unknown.
func identify(f vfs.File) vfs.ID {
	attr, err := vfs.Stat(f)
	if err != nil {
		return vfs.ID{}
	}
	return attr.ID()
}
