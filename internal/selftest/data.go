package selftest

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"syscall"

	"psync/internal/metadata"
	"psync/internal/vfs"
)

func dataChecks() []check {
	return []check{
		{"what was just written is not told to be a hole", 0, anyone, holes},
		{"a clone is neither locked nor set-id, and has the same contents", mac, anyone, clones},
		{"a clone of a compressed file stays compressed", mac, anyone, compressedClone},
		{"a clone by root belongs to root, or to the owner if that is wanted", mac, root, clonesByRoot},
	}
}

// island is data in a file with holes.
type island struct{ off, n int64 }

// islands makes a file with holes and returns it, still open.
func (x *box) islands(name string, all []island, size int64) vfs.File {
	f, err := x.dir.Create(name, 0o600)
	x.must(err)
	x.closeLater(f.Close)
	x.must(f.Truncate(size))
	for _, i := range all {
		_, err := f.WriteAt(bytes.Repeat([]byte("d"), int(i.n)), i.off)
		x.must(err)
	}
	return f
}

func holes(x *box) {
	all := []island{{0, 1}, {64 << 10, 70_000}, {1 << 20, 4096}, {2<<20 - 1, 2}, {3<<20 - 3, 3}}
	written := x.islands("f", all, 3<<20)
	x.truthful("while it is open for writing", written, all)
	x.truthful("opened anew", x.open("f"), all)
	x.notef("%d bytes are allocated", x.attr("f").Blocks*512)
}

// truthful wants no data to be in what is told to be a hole.
func (x *box) truthful(when string, f vfs.File, all []island) {
	for _, i := range all {
		for at := i.off; at < i.off+i.n; {
			start, end, err := f.NextData(at)
			if errors.Is(err, errors.ErrUnsupported) {
				x.skipf("%v", err)
			}
			if err == io.EOF {
				start = i.off + i.n
			} else {
				x.must(err)
			}
			if start > at {
				x.failf("%s, a hole is told from %d to %d, where data is", when, at, start)
			}
			at = end
		}
	}
}

// clones notes what a clone has besides: psync looks at it, and mends what differs.
func clones(x *box) {
	c, ok := x.dir.(vfs.FileCloner)
	if !ok {
		x.skipf("files are not cloned here")
	}
	x.file("f", 0o600, "contents")
	n := x.node("f")
	x.noted("an attribute", n.SetXattr(x.xattrName("a"), []byte("value")))
	x.noted("a fork", n.SetXattr(resourceFork, []byte("fork")))
	if x.User.Privileged() {
		x.noted("an owner", n.Chown(12345, 54321))
	}
	x.noted("a mode", n.Chmod(0o751|fs.ModeSetuid|fs.ModeSetgid))
	x.noted("times", n.Chtimes(later, long))
	x.noted("a birth", n.SetBtime(later))
	x.noted("an ACL", n.SetXattr(securityName, macACL(ace{permits, mayRead})))
	x.noted("a lock", n.SetFlags(0x8000|x.Profile.LockFlags&x.Profile.OwnerFlags&0x2))
	f, err := c.CloneFile(x.open("f"), "clone", true)
	x.able(err)
	x.closeLater(f.Close)
	x.readOnly(f)
	equal(x, "the contents", x.read("clone"), "contents")
	src, dst := x.state("f"), x.state("clone")
	if dst.flags&x.Profile.LockFlags != 0 {
		x.failf("its flags are %#x", dst.flags)
	}
	if dst.Mode&(fs.ModeSetuid|fs.ModeSetgid) != 0 {
		x.failf("its mode is %v", dst.Mode)
	}
	x.notef("source: %s", src)
	x.notef("clone:  %s", dst)
	for name := range src.xattrs {
		if _, ok := dst.xattrs[name]; !ok && x.Profile.Xattr(name)&metadata.IsACL == 0 {
			x.notef("it lacks %s", fmt.Sprintf("%q", name))
		}
	}
}

// readOnly wants a file that was just cloned to be open for reading only.
func (x *box) readOnly(clone vfs.File) {
	if _, err := clone.WriteAt([]byte("C"), 0); !errors.Is(err, syscall.EBADF) {
		x.failf("writing to the new clone: %v, not %v", err, syscall.EBADF)
	}
}

// compressedClone takes the one type of compressed file that the kernel can read by itself: type
// 1 of decmpfs.h, where the contents stand in the attribute as they are.
func compressedClone(x *box) {
	const flag = 0x20
	c, ok := x.dir.(vfs.FileCloner)
	if !ok {
		x.skipf("files are not cloned here")
	}
	x.file("f", 0o600, "")
	header := []byte("fpmc\x01\x00\x00\x00\x08\x00\x00\x00\x00\x00\x00\x00contents")
	n := x.node("f")
	err := errors.Join(n.SetXattr("com.apple.decmpfs", header), n.SetFlags(flag))
	if got := x.attr("f").Flags; err != nil || got&flag == 0 {
		x.skipf("no compressed file can be made in this way: flags %#x, %v", got, err)
	}
	x.notef("reading it gives %q", x.read("f"))
	f, err := c.CloneFile(x.open("f"), "clone", true)
	x.able(err)
	x.closeLater(f.Close)
	x.readOnly(f)
	x.must(f.Chmod(0o640))
	x.must(f.SetXattr(x.xattrName("a"), []byte("value")))
	equal(x, "the flags of the clone", x.attr("clone").Flags, x.attr("f").Flags)
	equal(x, "its contents", x.read("clone"), x.read("f"))
}

func clonesByRoot(x *box) {
	c, ok := x.dir.(vfs.FileCloner)
	if !ok {
		x.skipf("files are not cloned here")
	}
	x.file("f", 0o600, "contents")
	x.able(x.dir.Lchown("f", 12345, 54321))
	for name, owner := range map[string]bool{"mine": false, "theirs": true} {
		f, err := c.CloneFile(x.open("f"), name, owner)
		x.able(err)
		x.must(f.Close())
		a := x.attr(name)
		switch {
		case x.volume.OwnersIgnored:
		case owner:
			equal(x, "the owner", a.UID, 12345)
			equal(x, "the group", a.GID, 54321)
		default:
			equal(x, "the owner", a.UID, 0)
			equal(x, "the group", a.GID, x.attr(".").GID)
		}
	}
}
