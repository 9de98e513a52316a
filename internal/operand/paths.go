package operand

import (
	"cmp"
	"errors"
	"io/fs"
	"path/filepath"
	"strings"
	"syscall"

	"psync/internal/vfs"
)

// under returns the path of name in dir, or dir for "".
func under(dir, name string) string {
	switch {
	case name == "":
		return dir
	case dir == ".":
		return name
	}
	return strings.TrimRight(dir, "/") + "/" + name
}

// above returns the path of the directory that would contain path, which does not exist.
func above(path string) string {
	dir, _ := split(strings.TrimRight(path, "/"))
	if up := strings.TrimRight(dir, "/"); up != "" {
		return up
	}
	return "/"
}

func join(dir, name string) string {
	return strings.Trim(dir+"/"+name, "/")
}

// NearestDir returns path if it is a directory. Otherwise it returns the nearest existing directory above path,
// and the missing part below that directory.
func NearestDir(h vfs.Host, path string) (dir, missing string, err error) {
	for dir = path; ; {
		attr, err := statIfExists(h, dir)
		up := above(dir)
		if err != nil || attr.Mode.IsDir() || up == dir {
			return dir, missing, err
		}
		_, last := split(strings.TrimRight(dir, "/"))
		dir, missing = up, join(last, missing)
	}
}

// ifExists returns the attributes of the entry at path, or zero attributes if no entry exists. After any other error, it
// is unknown whether an entry exists.
func ifExists(h vfs.Host, path string, how vfs.Resolve) (vfs.Attr, error) {
	attr, err := h.Stat(path, how)
	if notExist(err) || errors.Is(err, syscall.ENOTDIR) {
		return vfs.Attr{}, nil
	}
	return attr, err
}

// statIfExists is ifExists for the entry that path leads to. ELOOP counts as a missing entry only if there really
// is a symbolic link. Otherwise it is an error.
func statIfExists(h vfs.Host, path string) (vfs.Attr, error) {
	attr, err := ifExists(h, path, vfs.Follow)
	if !errors.Is(err, syscall.ELOOP) {
		return attr, err
	}
	link, lerr := h.Stat(path, vfs.NoFollow)
	if lerr == nil && link.Mode.Type() == fs.ModeSymlink || errors.Is(lerr, syscall.ELOOP) { // in the path above it
		return vfs.Attr{}, nil
	}
	return attr, err
}

// found reports whether [ifExists] found an entry.
func found(attr vfs.Attr) bool { return attr.ID() != (vfs.ID{}) }

// Exists reports whether an entry exists, or may exist, at path.
func Exists(h vfs.Host, path string) bool {
	attr, err := ifExists(h, path, vfs.NoFollow)
	return found(attr) || err != nil
}

func notExist(err error) bool { return errors.Is(err, fs.ErrNotExist) }

func isNetwork(d vfs.Dir) bool {
	v, err := d.Statfs()
	return err == nil && v.Network
}

// below returns path, or path relative to the destination.
func (r *Roots) below(path string) string {
	switch {
	case strings.HasPrefix(path, "/"):
		return path
	case r.Dest == nil: // the destination does not exist, so the kernel cannot resolve .. from there
		return filepath.Join(r.DestPath, path)
	}
	return under(r.DestPath, path)
}

// split splits a path before its last element, which is empty after a trailing slash. It cleans nothing: only
// the kernel knows where link/.. leads.
func split(path string) (dir, last string) {
	dir, last = filepath.Split(path)
	return cmp.Or(dir, "."), last
}
