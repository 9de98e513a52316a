package agent

import (
	"cmp"
	"errors"
	"io/fs"
	"strings"

	"psync/internal/localfs"
	"psync/internal/vfs"
)

// beneath implements paths for a client that is confined to a directory: every path, also an absolute one, is
// relative to it. A path that leads through a symbolic link, or has an element "..", is refused.
type beneath struct{ root string }

// elements returns a path without slashes at its ends, and empty and "." elements.
func elements(path string) (string, error) {
	var clean []string
	for name := range strings.SplitSeq(path, "/") {
		switch name {
		case "", ".":
			continue
		case "..":
			return "", &fs.PathError{Op: "open", Path: path, Err: fs.ErrPermission}
		}
		clean = append(clean, name)
	}
	return strings.Join(clean, "/"), nil
}

// openElement opens a directory, but follows no symbolic link to it.
func openElement(in vfs.Dir, name string) (vfs.Dir, error) {
	d, err := in.OpenDir(name, vfs.NoFollow)
	if err == nil {
		return d, nil
	}
	return nil, refuseLink(in, name, err)
}

// refuseLink returns why name was not opened: err, unless it is a symbolic link.
func refuseLink(in vfs.Dir, name string, err error) error {
	if a, statErr := vfs.Lstat(in, name); statErr == nil && a.Mode.Type() == fs.ModeSymlink {
		return &fs.PathError{Op: "open", Path: name, Err: fs.ErrPermission}
	}
	return err
}

func (b beneath) Open(path string, o vfs.OpenOptions) (vfs.Dir, error) {
	clean, err := elements(path)
	if err != nil {
		return nil, err
	}
	root, err := localfs.Host{}.Open(b.root, vfs.OpenOptions{Noatime: o.Noatime})
	if err != nil {
		return nil, err
	}
	left := strings.Count(clean, "/") + 1 // elements
	d, err := vfs.Descend(root, clean, func(in vfs.Dir, name string) (vfs.Dir, error) {
		left--
		d, err := openElement(in, name)
		if !errors.Is(err, fs.ErrNotExist) || !o.MkdirAll && (!o.Mkdir || left > 0) {
			return d, err
		}
		if err := vfs.Mkdir(in, name, o.Perm); err != nil && !errors.Is(err, fs.ErrExist) {
			return nil, err
		}
		return openElement(in, name)
	})
	if d != root {
		root.Close()
	}
	return d, err
}

// Stat returns the attributes of the entry at path. It refuses to follow a symbolic link.
func (b beneath) Stat(path string, how vfs.Resolve) (vfs.Attr, error) {
	clean, err := elements(path)
	if err != nil {
		return vfs.Attr{}, err
	}
	i := strings.LastIndexByte(clean, '/')
	d, err := b.Open(clean[:max(i, 0)], vfs.OpenOptions{})
	if err != nil {
		return vfs.Attr{}, err
	}
	defer d.Close()
	a, err := vfs.Lstat(d, cmp.Or(clean[i+1:], "."))
	if err == nil && how == vfs.Follow && a.Mode.Type() == fs.ModeSymlink {
		return vfs.Attr{}, &fs.PathError{Op: "stat", Path: path, Err: fs.ErrPermission}
	}
	return a, err
}

// Resolve returns path as the client may use it.
func (b beneath) Resolve(path string) (string, error) {
	if _, err := b.Stat(path, vfs.Follow); err != nil {
		return "", err
	}
	clean, err := elements(path)
	return "/" + clean, err
}

// Inside compares paths, which is enough where no symbolic link is followed.
func (b beneath) Inside(inner, outer string) (routes []string, inside bool, err error) {
	in, err := b.Resolve(inner)
	if err != nil {
		return nil, false, err
	}
	out, err := b.Resolve(outer)
	if err != nil {
		return nil, false, err
	}
	if in == out {
		return []string{""}, true, nil
	}
	if rel, ok := strings.CutPrefix(in, strings.TrimSuffix(out, "/")+"/"); ok {
		return []string{rel}, true, nil
	}
	return nil, false, nil
}

// holds reports whether the directory d is the one that the client is confined to, or lies below it.
func (b beneath) holds(d vfs.Dir) (bool, error) {
	root, err := localfs.Host{}.Stat(b.root, vfs.Follow)
	if err != nil {
		return false, err
	}
	return vfs.IsBelow(d, root.ID())
}
