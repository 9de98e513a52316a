package tree

import (
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"slices"
	"strings"

	"psync/internal/metadata"
	"psync/internal/selftest/check"
	"psync/internal/vfs"
)

// A state holds everything that must be the same for an entry and its copy. It is read independently of
// psync's own code, except for the tables of the profile that say which attributes are copied.
type state struct {
	vfs.Attr
	flags    uint32
	xattrs   map[string]string
	contents string // a digest of the contents of a file, or the target of a link
	twin     string // the first name of the same entry
}

// readState reads the state of an entry of the directory.
func readState(t *check.T, name string) state {
	n := t.Node(name)
	a, err := vfs.Stat(n)
	t.Must(err)
	s := state{Attr: a, xattrs: make(map[string]string)}
	if flags, err := n.Flags(); err == nil {
		s.flags = flags & ourFlags(t)
	}
	names, err := n.Xattrs(true)
	if err != nil && !errors.Is(err, errors.ErrUnsupported) {
		t.Must(err)
	}
	for _, attr := range names {
		if t.Profile.Xattr(attr)&metadata.Copies != 0 {
			readXattr(t, s.xattrs, n, attr)
		}
	}
	switch a.Mode.Type() {
	case 0:
		s.contents = digest(t, t.Open(name), a.Size)
	case fs.ModeSymlink:
		s.contents, err = t.Dir.Readlink(name)
		t.Must(err)
	}
	return s
}

// ourFlags returns the flags that checks set.
func ourFlags(t *check.T) uint32 {
	if t.System() == check.Linux {
		return t.HarmlessFlag() | 0x10
	}
	return t.HarmlessFlag() | 0x2 | 0x8000
}

// readXattr adds an attribute, unless it is a trivial ACL.
func readXattr(t *check.T, to map[string]string, n vfs.Node, attr string) {
	if size, err := vfs.XattrSize(n, attr); err == nil {
		to[attr] = fmt.Sprintf("%d bytes, %s", size, digest(t, longXattr{n, attr}, size))
		return
	}
	value, err := n.Xattr(attr)
	t.Must(err)
	if t.Profile.Xattr(attr)&metadata.IsACL != 0 {
		if trivial := t.Profile.TrivialACL; trivial != nil && trivial(attr, value) {
			return
		}
		if canonical := t.Profile.CanonicalACL; canonical != nil {
			value = canonical(value)
		}
	}
	to[attr] = fmt.Sprintf("%q", value)
}

func digest(t *check.T, contents io.ReaderAt, size int64) string {
	h := sha256.New()
	_, err := io.Copy(h, io.NewSectionReader(contents, 0, size))
	t.Must(err)
	return fmt.Sprintf("%x", h.Sum(nil))
}

// A longXattr is an io.ReaderAt for an extended attribute that may be long.
type longXattr struct {
	vfs.Node
	name string
}

func (x longXattr) ReadAt(p []byte, off int64) (int, error) { return x.ReadXattrAt(x.name, p, off) }

// read reads the states of a directory, under the name "", and of all entries below it.
func read(t *check.T) map[string]state {
	all := make(map[string]state)
	top, err := vfs.Lstat(t.Dir, ".")
	t.Must(err)
	walk(t, "", all, make(map[vfs.ID]string))
	s := readState(t, ".")
	s.Attr = top
	all[""] = s
	return all
}

func walk(t *check.T, prefix string, all map[string]state, first map[vfs.ID]string) {
	for _, name := range visible(t) {
		path, s := prefix+name, readState(t, name)
		if s.Mode.IsDir() {
			walk(t.Sub(name), path+"/", all, first)
		} else if s.Nlink > 1 {
			if first[s.ID()] == "" {
				first[s.ID()] = path
			}
			s.twin = first[s.ID()]
		}
		all[path] = s
	}
}

// visible lists the directory without AppleDouble files.
func visible(t *check.T) []string {
	names := t.Names()
	return slices.DeleteFunc(slices.Clone(names), func(name string) bool {
		of, isOne := strings.CutPrefix(name, "._")
		return isOne && t.Volume.AppleDouble && slices.Contains(names, of)
	})
}
