package remotefs

import (
	"io/fs"

	"psync/internal/lazymap"
	"psync/internal/vfs"
	"psync/internal/vfs/remotefs/files"
	"psync/internal/vfs/remotefs/session"
)

// base returns what files in d need of it.
func (d *Dir) base() files.Base {
	return files.Base{Client: d.s, Handle: d.handle, Caps: d.Caps, Touch: d.touch}
}

// OpenFile implements [vfs.Dir].
func (d *Dir) OpenFile(name string, mode vfs.OpenMode, perm fs.FileMode) (vfs.File, error) {
	switch mode {
	case vfs.ReadOnly:
		return d.openToRead(name, vfs.NoFollow)
	case vfs.ReadFollow:
		return d.openToRead(name, vfs.Follow)
	case vfs.ReadWrite:
		return d.create("open", name, 0, mode)
	case vfs.CreateAsync:
		if err := d.s.Err(); err != nil { // so that the caller need not write all of it to find out
			return nil, err
		}
		return files.CreateAsync(d.base(), name, perm), nil
	}
	return d.create("create", name, perm, mode)
}

func (d *Dir) create(op, name string, perm fs.FileMode, mode vfs.OpenMode) (vfs.File, error) {
	d.touch(name)
	defer d.touch(name)
	w, err := files.Create(d.base(), name, perm, mode, func(w *files.Writer) {
		d.mu.Lock()
		defer d.mu.Unlock()
		if d.writing[name] == w {
			delete(d.writing, name)
		}
	})
	if err != nil {
		return nil, session.PathError(op, name, err)
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	lazymap.Set(&d.writing, name, w)
	return w, nil
}

func (d *Dir) openToRead(name string, how vfs.Resolve) (vfs.File, error) {
	d.mu.Lock()
	w := d.writing[name]
	d.mu.Unlock()
	if w != nil {
		w.Drain() // what was written must be readable
	}
	return files.Open(d.base(), name, how)
}
