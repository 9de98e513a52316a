package selftest

import (
	"crypto/sha256"
	"errors"
	"fmt"
	"hash"
	"io"
	"io/fs"
	"maps"
	"slices"
	"strings"

	"psync/internal/metadata"
	"psync/internal/vfs"
)

// A state is all that is to be the same of an entry and its copy. It is read without
// what psync reads with, but for the tables of the profile that say which
// attributes are copied at all.
type state struct {
	vfs.Attr
	flags    uint32
	xattrs   map[string]string
	contents string // a digest of those of a file, or the target of a link
	twin     string // the first name of the same entry
}

// state reads that of an entry of the directory.
func (x *box) state(name string) state {
	n := x.node(name)
	a, err := n.Stat()
	x.must(err)
	s := state{Attr: a, xattrs: make(map[string]string)}
	if flags, err := n.Flags(); err == nil {
		s.flags = flags & x.ourFlags()
	}
	names, err := n.Xattrs(true)
	if err != nil && !errors.Is(err, errors.ErrUnsupported) {
		x.must(err)
	}
	for _, attr := range names {
		if x.Profile.Xattr(attr)&metadata.Copies != 0 {
			x.readXattr(s.xattrs, n, attr)
		}
	}
	switch a.Mode.Type() {
	case 0:
		s.contents = x.digest(name, a.Size)
	case fs.ModeSymlink:
		s.contents, err = x.dir.Readlink(name)
		x.must(err)
	}
	return s
}

// ourFlags are those that checks set.
func (x *box) ourFlags() uint32 {
	if x.in() == linux {
		return x.harmless() | 0x10
	}
	return x.harmless() | 0x2 | 0x8000
}

// readXattr adds an attribute, unless it is an ACL that says nothing.
func (x *box) readXattr(to map[string]string, n vfs.Node, attr string) {
	if size, err := n.XattrSize(attr); err == nil {
		h := sha256.New()
		x.sum(h, size, func(p []byte, off int64) (int, error) { return n.ReadXattrAt(attr, p, off) })
		to[attr] = fmt.Sprintf("%d bytes, %x", size, h.Sum(nil))
		return
	}
	value, err := n.Xattr(attr)
	x.must(err)
	isACL := x.Profile.Xattr(attr)&metadata.IsACL != 0
	switch {
	case isACL && x.trivial(attr, value):
	case isACL:
		to[attr] = fmt.Sprintf("%x", x.canonical(value))
	default:
		to[attr] = fmt.Sprintf("%q", value)
	}
}

func (x *box) digest(name string, size int64) string {
	f, err := x.dir.Open(name)
	x.must(err)
	defer f.Close()
	h := sha256.New()
	x.sum(h, size, f.ReadAt)
	return fmt.Sprintf("%x", h.Sum(nil))
}

func (x *box) sum(h hash.Hash, size int64, readAt func([]byte, int64) (int, error)) {
	p := make([]byte, 1<<20)
	for off := int64(0); off < size; {
		n, err := readAt(p[:min(int64(len(p)), size-off)], off)
		if n == 0 && err != nil || err != nil && err != io.EOF {
			x.must(err)
		}
		h.Write(p[:n])
		off += int64(n)
	}
}

// tree reads all entries of a directory, and itself as "".
func (x *box) tree() map[string]state {
	all := make(map[string]state)
	top, err := x.dir.Lstat(".")
	x.must(err)
	x.walk("", all, make(map[vfs.ID]string))
	s := x.state(".")
	s.Attr = top
	all[""] = s
	return all
}

func (x *box) walk(prefix string, all map[string]state, first map[vfs.ID]string) {
	for _, name := range x.visible() {
		path, s := prefix+name, x.state(name)
		if s.Mode.IsDir() {
			x.within(name).walk(path+"/", all, first)
		} else if s.Nlink > 1 {
			if first[s.ID()] == "" {
				first[s.ID()] = path
			}
			s.twin = first[s.ID()]
		}
		all[path] = s
	}
}

// visible lists the directory without companions.
func (x *box) visible() []string {
	names := x.names()
	return slices.DeleteFunc(slices.Clone(names), func(name string) bool {
		of, isOne := strings.CutPrefix(name, "._")
		return isOne && x.volume.AppleDouble && slices.Contains(names, of)
	})
}

// sameTrees wants two directories to be the same, by what they are now.
func (x *box) sameTrees(src, dst *box) {
	a, b := src.tree(), dst.tree()
	var diffs []string
	for _, path := range slices.Sorted(maps.Keys(a)) {
		other, ok := b[path]
		if !ok {
			diffs = append(diffs, fmt.Sprintf("%q is missing", path))
		} else if d := x.differ(a[path], other); d != "" {
			diffs = append(diffs, fmt.Sprintf("%q: %s", path, d))
		}
	}
	for path := range b {
		if _, ok := a[path]; !ok {
			diffs = append(diffs, fmt.Sprintf("%q is left over", path))
		}
	}
	if len(diffs) > 0 {
		x.failf("%s", strings.Join(diffs, "; "))
	}
}

// differ says in what two states differ.
func (x *box) differ(a, b state) string {
	var diffs []string
	add := func(what string, a, b any) {
		diffs = append(diffs, fmt.Sprintf("%s %v became %v", what, a, b))
	}
	link := a.Mode.Type() == fs.ModeSymlink
	if a.Mode != b.Mode && (!link || x.Profile.LinkModes || b.Mode.Type() != fs.ModeSymlink) {
		add("mode", a.Mode, b.Mode)
	}
	if !x.volume.OwnersIgnored && (a.UID != b.UID || a.GID != b.GID) {
		add("owner", [2]uint32{a.UID, a.GID}, [2]uint32{b.UID, b.GID})
	}
	if !x.about(a.Mtime, b.Mtime) {
		add("time", clock(a.Mtime), clock(b.Mtime))
	}
	if x.Profile.SetsBtime && !x.about(a.Btime, b.Btime) {
		add("birth", clock(a.Btime), clock(b.Btime))
	}
	if a.flags != b.flags {
		add("flags", fmt.Sprintf("%#x", a.flags), fmt.Sprintf("%#x", b.flags))
	}
	// What a copy never takes away may be left.
	maps.DeleteFunc(b.xattrs, func(name, _ string) bool {
		_, has := a.xattrs[name]
		return !has && x.Profile.Xattr(name)&metadata.Deletes == 0
	})
	if !maps.Equal(a.xattrs, b.xattrs) {
		add("attributes", a.xattrs, b.xattrs)
	}
	if a.Rdev != b.Rdev && a.Mode&fs.ModeDevice != 0 {
		add("device", a.Rdev, b.Rdev)
	}
	if a.contents != b.contents {
		add("contents", a.contents, b.contents)
	}
	if a.twin != b.twin {
		add("the other name", a.twin, b.twin)
	}
	return strings.Join(diffs, ", ")
}

// String names what is not the same for all entries.
func (s state) String() string {
	return fmt.Sprintf("mode %v, owner %d:%d, time %s, birth %s, flags %#x, attributes %v",
		s.Mode, s.UID, s.GID, clock(s.Mtime), clock(s.Btime), s.flags, s.xattrs)
}
