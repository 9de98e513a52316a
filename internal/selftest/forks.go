package selftest

import (
	"bytes"
	"errors"
	"io"
	"io/fs"
	"slices"

	"psync/internal/vfs"
)

const (
	finderInfo   = "com.apple.FinderInfo"
	resourceFork = "com.apple.ResourceFork"
)

func forkChecks() []check {
	return []check{
		{"FinderInfo has 32 bytes", mac, anyone, finderInfos},
		{"a resource fork is read and written in parts", mac, anyone, forkInParts},
		{"a resource fork may be longer than 64 MiB", mac, anyone, longFork},
	}
}

func finderInfos(x *box) {
	x.each(func(of string, n vfs.Node) {
		info := slices.Concat([]byte("TEXTttxt"), make([]byte, 24))
		if of != "file" {
			info = slices.Concat(make([]byte, 8), []byte{0x40, 0}, make([]byte, 22)) // invisible
		}
		if err := n.SetXattr(finderInfo, info); err != nil {
			x.notef("of a %s: %v", of, err)
			return
		}
		got, err := n.Xattr(finderInfo)
		x.must(err)
		if !bytes.Equal(got, info) {
			x.failf("of a %s, it becomes %q", of, got)
		}
		x.refused("31 bytes", n.SetXattr(finderInfo, info[:31]))
		if a := x.attr(of); a.Flags != 0 {
			x.notef("the flags of a %s are %#x with it", of, a.Flags)
		}
		x.notef("32 zeros: %v", n.SetXattr(finderInfo, make([]byte, 32)))
		_, err = n.Xattr(finderInfo)
		x.notef("then there is: %v", err)
	})
}

// fork returns a file, as one that may have a fork.
func (x *box) fork(name string) (vfs.Node, vfs.LongXattrer) {
	x.file(name, 0o600, "data")
	n := x.node(name)
	l, ok := n.(vfs.LongXattrer)
	if !ok {
		x.failf("no attribute may be long")
	}
	return n, l
}

func forkInParts(x *box) {
	n, l := x.fork("f")
	x.able(n.SetXattr(resourceFork, []byte("abcdefgh")))
	size, err := l.XattrSize(resourceFork)
	x.must(err)
	equal(x, "its size", size, 8)
	_, err = l.WriteXattrAt(resourceFork, []byte("CD"), 2)
	x.must(err)
	p := make([]byte, 4)
	got, err := l.ReadXattrAt(resourceFork, p, 1)
	if err != nil && err != io.EOF {
		x.must(err)
	}
	equal(x, "a part of it", string(p[:got]), "bCDe")
	got, err = l.ReadXattrAt(resourceFork, p, 6)
	if err != io.EOF {
		x.failf("reading beyond the end: %v", err)
	}
	equal(x, "its end", string(p[:got]), "gh")
	x.must(n.RemoveXattr(resourceFork))
	if _, err := l.XattrSize(resourceFork); !errors.Is(err, fs.ErrNotExist) {
		x.failf("the size after it was removed: %v", err)
	}
	if _, err := l.XattrSize(x.xattrName("a")); !errors.Is(err, errors.ErrUnsupported) {
		x.failf("another attribute may be long, too: %v", err)
	}
	equal(x, "the contents", x.read("f"), "data")
}

// longFork goes beyond what a plain call gives of a fork.
func longFork(x *box) {
	const piece = 1 << 20
	pieces := 65
	if x.Quick {
		pieces = 2
	}
	_, l := x.fork("f")
	for i := range pieces {
		_, err := l.WriteXattrAt(resourceFork, bytes.Repeat([]byte{byte(i + 1)}, piece), int64(i)*piece)
		x.able(err)
	}
	size, err := l.XattrSize(resourceFork)
	x.must(err)
	equal(x, "its size", size, int64(pieces)*piece)
	p := make([]byte, piece)
	for i := range pieces {
		n, err := l.ReadXattrAt(resourceFork, p, int64(i)*piece)
		if err != nil && err != io.EOF {
			x.must(err)
		}
		if !bytes.Equal(p[:n], bytes.Repeat([]byte{byte(i + 1)}, piece)) {
			x.failf("megabyte %d is not what was written", i)
		}
	}
}
