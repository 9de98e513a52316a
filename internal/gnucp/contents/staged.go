package contents

import (
	"context"
	"errors"
	"io/fs"
	"syscall"
	"time"

	"psync/internal/gnucp/attrs"
	"psync/internal/gnucp/entry"
	"psync/internal/gnucp/policy"
	"psync/internal/report"
	"psync/internal/vfs"
)

// A stage is the temporary file that becomes the destination once it is complete. With --update, a partial file
// that a killed run leaves under the final name would be newer than the source, so the next run would take it
// for current.
type stage struct {
	file  vfs.File
	name  string      // in the directory of the destination
	extra fs.FileMode // rights that the mode has temporarily
}

// stages reports whether a file is written under a temporary name. Like cp, it writes in
// place: files with further hard links, files reached through a symbolic link, and files that are not writable.
func (c *Copier) stages(e *entry.Copy) bool {
	name := e.Dst.Name
	if c.Update == policy.UpdateAll || c.NewTemporary == nil || c.AttributesOnly || e.Through || name == "" || name[len(name)-1] == '/' {
		return false
	}
	if e.New {
		if e.DestKnown == entry.DestAbsent {
			return true
		}
		_, err := e.Dst.At.Stat(name, false)
		return errors.Is(err, syscall.ENOENT)
	}
	return e.Was != nil && e.Was.Mode.IsRegular() && e.Was.Nlink == 1 && e.Dst.At.Writable(name) == nil
}

// stage makes the temporary file. It returns nil where that is impossible.
func (c *Copier) stage(e *entry.Copy) *stage {
	dir := e.Dst.Name[:len(e.Dst.Name)-len(entry.LastElement(e.Dst.Name))]
	if e.DestKnown != entry.DestAbsent {
		c.Sweep(e.Dst)
	}
	s := &stage{name: dir + c.NewTemporary()}
	mode := fs.FileMode(0o600)
	if e.New {
		mode, s.extra = c.NewFile(e.Attr.Mode, c.Root)
	}
	var err error
	if s.file, err = e.Dst.At.Create(s.name, mode, true); err != nil {
		return nil
	}
	if !e.New {
		if err := attrs.Imitate(e, s.file); err != nil {
			c.discardStaged(e, s)
			return nil
		}
	}
	return s
}

// discardStaged removes a temporary file.
func (c *Copier) discardStaged(e *entry.Copy, s *stage) {
	_ = s.file.Close() // the file is removed, whatever its contents
	_ = e.Dst.At.Remove(s.name)
}

// fillStage gives the temporary file the contents and attributes of src, and the name of the destination.
func (c *Copier) fillStage(ctx context.Context, e *entry.Copy, src vfs.File, s *stage) bool {
	whole, ok := c.fillOpen(ctx, e, src, s.file, s.name, s.extra)
	if err := s.file.Close(); err != nil {
		whole, ok = false, e.Out.Fail(err, "failed to close %s", e.Dst)
	}
	if !whole || ctx.Err() != nil {
		_ = e.Dst.At.Remove(s.name)
		return false
	}
	if err := c.publish(e, s.name); err != nil {
		_ = e.Dst.At.Remove(s.name)
		return e.Out.Fail(err, "cannot create regular file %s", e.Dst)
	}
	if ok {
		c.count.Add(report.FilesCopied, 1)
	}
	return ok
}

// publish gives the temporary file the name of the destination. If the destination did not exist before,
// publish fails if another process has made it meanwhile.
func (c *Copier) publish(e *entry.Copy, temp string) error {
	if e.New {
		return e.Dst.At.RenameNew(temp, e.Dst.Name)
	}
	return e.Dst.At.Rename(temp, e.Dst.Name)
}

// antedate gives a file that was written in place and is incomplete a time before that of its source, because
// the next run with --update has to copy the file again.
func antedate(e *entry.Copy, dst vfs.File) error {
	old := e.Attr.Mtime.Add(-10 * time.Second) // no file system in use has coarser timestamps
	if e.Was != nil && e.Was.Mtime.Before(old) {
		old = e.Was.Mtime
	}
	return vfs.Chtimes(dst, e.Attr.Atime, old)
}

// Sweep removes what killed runs have left in the directory of dst, once per run. An error of Sweep does not make
// the copy a failure.
func (c *Copier) Sweep(dst entry.Place) {
	if _, done := c.swept.LoadOrStore(entry.DirName(dst.String()), true); done || c.Abandoned == nil {
		return
	}
	at, err := dst.At.Peek(entry.DirName(dst.Name))
	if err != nil {
		return
	}
	defer at.Close()
	dir := dst.Name[:len(dst.Name)-len(entry.LastElement(dst.Name))]
	_ = at.ReadDir(func(entries []vfs.Entry) error {
		for _, found := range entries {
			if c.Abandoned(found.Name) && !found.Type.IsDir() {
				_ = dst.At.Remove(dir + found.Name)
			}
		}
		return nil
	})
}
