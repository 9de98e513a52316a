package gnucp

import (
	"context"
	"errors"
	"io/fs"
	"slices"
	"syscall"
	"time"

	"psync/internal/gnucp/entry"
	"psync/internal/gnucp/policy"
	"psync/internal/report"
	"psync/internal/vfs"
)

// A stage is the temporary file that becomes the destination when it is whole. With
// --update, what a killed run leaves under the name of the file would be newer than the source, so the next
// run would take it for current.
type stage struct {
	file  vfs.File
	name  string      // in the directory of the destination
	extra fs.FileMode // rights that the mode has for a while
}

// stages reports whether a file is written under a temporary name. In place are written, as cp does
// it, files that others reach by another name or through a link, and those that may not be written.
func (w *worker) stages(it *item) bool {
	name := it.dst.Name
	if w.Update == policy.UpdateAll || w.NewTemporary == nil || w.AttributesOnly || it.link || name == "" || name[len(name)-1] == '/' {
		return false
	}
	if it.isNew {
		if it.known == absent {
			return true
		}
		_, err := it.dst.At.Stat(name, false)
		return errors.Is(err, syscall.ENOENT)
	}
	return it.was != nil && it.was.Mode.IsRegular() && it.was.Nlink == 1 && it.dst.At.Writable(name) == nil
}

// stage makes the temporary file. It returns nil where that is impossible.
func (w *worker) stage(it *item) *stage {
	dir := it.dst.Name[:len(it.dst.Name)-len(entry.LastElement(it.dst.Name))]
	if it.known != absent {
		w.sweep(it, dir)
	}
	s := &stage{name: dir + w.NewTemporary()}
	mode := fs.FileMode(0o600)
	if it.isNew {
		mode, s.extra = w.NewFile(it.attr.Mode, w.root)
	}
	var err error
	if s.file, err = it.dst.At.Create(s.name, mode, true); err != nil {
		return nil
	}
	if !it.isNew {
		if err := w.imitate(it, s.file); err != nil {
			w.unstage(it, s)
			return nil
		}
	}
	return s
}

// unstage gives up a temporary file.
func (w *worker) unstage(it *item, s *stage) {
	_ = s.file.Close() // it goes, whatever is in it
	_ = it.dst.At.Remove(s.name)
}

// imitate gives the temporary the owner, mode and extended attributes of the file that it will
// replace, ACLs included, as if that were written in place.
func (w *worker) imitate(it *item, temp vfs.File) error {
	now, err := temp.Stat()
	if err == nil && (now.UID != it.was.UID || now.GID != it.was.GID) {
		err = temp.Chown(int(it.was.UID), int(it.was.GID))
	}
	if err == nil {
		err = temp.Chmod(it.was.Mode)
	}
	if err != nil {
		return err
	}
	old, err := it.dst.At.Node(it.dst.Name)
	if err != nil {
		return err
	}
	return errors.Join(imitateXattrs(temp, old), old.Close())
}

func imitateXattrs(dst, old vfs.Node) error {
	names, err := old.Xattrs(true)
	if err != nil {
		return supported(err)
	}
	if err := dropACLs(dst, func(name string) bool { return slices.Contains(names, name) }); err != nil {
		return err
	}
	for _, name := range names {
		value, err := old.Xattr(name)
		if err == nil {
			err = dst.SetXattr(name, value)
		}
		if err != nil && name != capability { // writing would take that away
			return err
		}
	}
	return nil
}

// capability is the extended attribute that holds the capabilities of a program.
const capability = "security.capability"

// fillStage gives the temporary file contents and attributes of src, and the name of the destination.
func (w *worker) fillStage(ctx context.Context, it *item, src vfs.File, s *stage) bool {
	it.temp = s.name
	whole, ok := w.fillOpen(ctx, it, src, s.file, s.extra)
	if err := s.file.Close(); err != nil {
		whole, ok = false, it.out.Fail(err, "failed to close %s", it.dst)
	}
	if !whole || ctx.Err() != nil {
		_ = it.dst.At.Remove(s.name)
		return false
	}
	if err := w.publish(it, s.name); err != nil {
		_ = it.dst.At.Remove(s.name)
		return it.out.Fail(err, "cannot create regular file %s", it.dst)
	}
	if ok {
		w.count.Add(report.FilesCopied, 1)
	}
	return ok
}

// publish gives the temporary file the name of the destination. What was not there before must
// not have come meanwhile.
func (w *worker) publish(it *item, temp string) error {
	if it.isNew {
		return it.dst.At.RenameNew(temp, it.dst.Name)
	}
	return it.dst.At.Rename(temp, it.dst.Name)
}

// antedate gives a file that was written in place, and is not whole, a time before that of its source: the
// next run with --update has to copy it again.
func (it *item) antedate(dst vfs.File) error {
	old := it.attr.Mtime.Add(-10 * time.Second) // no file system in use counts so coarsely
	if it.was != nil && it.was.Mtime.Before(old) {
		old = it.was.Mtime
	}
	return dst.Chtimes(it.attr.Atime, old)
}

// sweep removes what killed runs have left in the directory of the destination, once in a run. Failing
// to is no failure of the copy.
func (w *worker) sweep(it *item, dir string) {
	if _, done := w.swept.LoadOrStore(entry.DirName(it.dst.String()), true); done || w.Abandoned == nil {
		return
	}
	at, err := it.dst.At.Peek(entry.DirName(it.dst.Name))
	if err != nil {
		return
	}
	defer at.Close()
	_ = at.ReadDir(func(entries []vfs.Entry) error {
		for _, e := range entries {
			if w.Abandoned(e.Name) && !e.Type.IsDir() {
				_ = it.dst.At.Remove(dir + e.Name)
			}
		}
		return nil
	})
}
