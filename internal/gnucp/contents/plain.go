package contents

import (
	"errors"
	"io/fs"
	"math"

	"psync/internal/content"
	"psync/internal/gnucp/entry"
	"psync/internal/localfs"
	"psync/internal/report"
	"psync/internal/vfs"
)

// A plainDir says how a Copier copies new plain files of one directory.
type plainDir struct {
	of      *entry.Parent // nil: none
	copies  bool
	options vfs.PlainOptions
}

// CopyPlain copies a file to the same name in p, a new directory, in one call, if it is plain, and reports whether it is
// done. Otherwise it leaves nothing, and any error to [Copier.CopyFile].
func (c *Copier) CopyPlain(p *entry.Parent, src, dst entry.Place) (done bool) {
	if !c.mayBePlain(p, src, dst) {
		return false
	}
	o := &c.plain.options
	size, err := dst.At.CopyPlain(src.At, src.Name, o)
	o.LookFirst = size >= int64(len(o.Buf)) // so is the next one, probably
	if partial, ok := errors.AsType[*vfs.PartialError](err); ok {
		dst.Remove(partial.ID)
	}
	if err != nil {
		return false
	}
	c.count.Add(report.BytesCopied, size)
	c.count.Add(report.FilesCopied, 1)
	return true
}

// CopyEmptyDir copies a directory to the same name in p, a new directory, in one call, if it is empty and plain, and
// reports whether it made the copy. If it could not complete the copy, what is missing is left to the caller. It does
// not copy the directories for which except returns true.
func (c *Copier) CopyEmptyDir(p *entry.Parent, src, dst entry.Place, except func(vfs.ID) bool) (made, complete bool) {
	// Looking into a directory that is not empty changes its access time.
	if c.Preserve.Timestamps || !c.mayBePlain(p, src, dst) || p.Made.Mode&fs.ModeSetgid != 0 {
		return false, false
	}
	o := c.plain.options
	o.Dir = &vfs.EmptyDirOptions{Dev: p.SourceDev, Except: except, NoXattrs: o.IgnoresXattr != nil}
	_, err := dst.At.CopyPlain(src.At, src.Name, &o)
	made = err == nil || errors.As(err, new(*vfs.PartialError))
	if made {
		c.count.Add(report.DirsMade, 1)
	}
	return made, err == nil
}

// mayBePlain reports whether an entry of a directory may be plain when its copy goes into p.
func (c *Copier) mayBePlain(p *entry.Parent, src, dst entry.Place) bool {
	if !c.copiesPlain {
		return false
	}
	undecided := c.plain.copies && len(c.plain.options.Buf) == 1 // until a file has shown whether its blocks can be shared
	if c.plain.of != p || undecided {
		c.plain.of = p
		c.plain.copies = c.findPlain(p, src.At, dst.At)
	}
	return c.plain.copies && !src.TooLong() && !dst.TooLong()
}

// findPlain finds out which new files of a directory are plain, and reports whether any may be.
func (c *Copier) findPlain(p *entry.Parent, from, to localfs.At) bool {
	if p.Made == nil || p.GivesACLs || c.CutoffNear > 0 || !to.Caps().Has(vfs.CanCopyPlain) {
		return false
	}
	src, dst := c.Volumes.Of(p.SourceDev, from.Statfs), c.Volumes.Of(p.Dev, to.Statfs)
	if !dst.KeepsAttrs || src.Network || dst.Network {
		return false
	}
	route := c.routes.Between(content.Device{Dev: p.SourceDev}, content.Device{Dev: p.Dev})
	c.bytes.Sparse, c.bytes.Dense = false, false
	o := vfs.PlainOptions{
		ChangedBefore: math.MaxInt64, // like cp, copy the bytes that there are
		Atime:         c.Preserve.Timestamps,
		Buf:           c.bytes.PlainBuffer(route, to.Caps()),
	}
	if c.Preserve.Mode {
		o.Umask = c.Umask
	}
	if c.Preserve.Mode || c.Preserve.Xattr || len(c.Forks) > 0 {
		o.IgnoresXattr = func(string) bool { return false }
	}
	if c.Preserve.Ownership {
		// Where the directory has the user's group, new files get it, whether the volume gives them the group of the
		// user or of the directory.
		o.Owned, o.UID, o.GID = true, p.Made.UID, p.Made.GID
		if int(p.Made.GID) != c.GID {
			return false
		}
	}
	c.plain.options = o
	return len(o.Buf) > 0
}
