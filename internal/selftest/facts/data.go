package facts

import (
	"errors"
	"io"
	"io/fs"
	"syscall"

	"psync/internal/selftest/acl"
	"psync/internal/selftest/check"
	"psync/internal/vfs"
)

func dataChecks() []check.Check {
	return []check.Check{
		{Name: "what was just written is not reported as a hole", Run: holes},
		{Name: "a clone is neither locked nor set-id, and has the same contents", On: check.Mac, Run: clones},
		{Name: "a clone of a compressed file stays compressed", On: check.Mac, Run: compressedClone},
		{Name: "a clone by root belongs to root, or to the owner if that is wanted", On: check.Mac, By: check.Root, Run: clonesByRoot},
	}
}

func holes(t *check.T) {
	all := [][2]int64{{0, 1}, {64 << 10, 70_000}, {1 << 20, 4096}, {2<<20 - 1, 2}, {3<<20 - 3, 3}}
	written := t.WriteSparse("f", all, 3<<20)
	noDataInHoles(t, "while it is open for writing", written, all)
	noDataInHoles(t, "opened anew", t.Open("f"), all)
	t.Logf("%d bytes are allocated", t.Lstat("f").Blocks*512)
}

// noDataInHoles fails the check if there is data in a reported hole.
func noDataInHoles(t *check.T, when string, f vfs.File, all [][2]int64) {
	for _, data := range all {
		for at, last := data[0], data[0]+data[1]; at < last; {
			start, end, err := f.NextData(at)
			if errors.Is(err, errors.ErrUnsupported) {
				t.Skipf("%v", err)
			}
			if err == io.EOF {
				start = last
			} else {
				t.Must(err)
			}
			if start > at {
				t.Fatalf("%s, a hole is reported from %d to %d, where data is", when, at, start)
			}
			at = end
		}
	}
}

// clones logs what else a clone inherits: psync checks its attributes and corrects differences.
func clones(t *check.T) {
	if !t.Dir.Caps().Has(vfs.CanCloneFile) {
		t.Skipf("files are not cloned here")
	}
	t.WriteFile("f", 0o600, "contents")
	n := t.Node("f")
	t.Try("an attribute", vfs.SetXattr(n, t.XattrName("a"), []byte("value")))
	t.Try("a fork", vfs.SetXattr(n, "com.apple.ResourceFork", []byte("fork")))
	if t.User.Privileged() {
		t.Try("an owner", vfs.Chown(n, 12345, 54321))
	}
	t.Try("a mode", vfs.Chmod(n, 0o751|fs.ModeSetuid|fs.ModeSetgid))
	t.Try("times", vfs.Chtimes(n, check.Later, check.Earlier))
	t.Try("a creation time", vfs.SetBtime(n, check.Later))
	t.Try("an ACL", vfs.SetXattr(n, acl.MacName, acl.Mac(acl.Allow(acl.Read))))
	t.Try("a lock", vfs.SetFlags(n, 0x8000|t.Profile.LockFlags&t.Profile.OwnerFlags&0x2))
	f, err := t.Dir.CloneFile(t.Open("f"), "clone", true)
	t.MustOrSkip(err)
	t.Cleanup(f.Close)
	wantReadOnly(t, f)
	check.Equal(t, "the contents", t.ReadFile("clone"), "contents")
	src, dst := t.Lstat("f"), t.Lstat("clone")
	if dst.Flags&t.Profile.LockFlags != 0 {
		t.Fatalf("its flags are %#x", dst.Flags)
	}
	if dst.Mode&(fs.ModeSetuid|fs.ModeSetgid) != 0 {
		t.Fatalf("its mode is %v", dst.Mode)
	}
	t.Logf("source: %+v", src)
	t.Logf("clone:  %+v", dst)
	has, err := n.Xattrs(false)
	t.Try("listing its attributes", err)
	got, err := t.Node("clone").Xattrs(false)
	t.Try("listing those of the clone", err)
	t.Logf("of the attributes %s, the clone has %s", check.Listed(has), check.Listed(got))
}

// wantReadOnly fails the check unless a clone is open for reading only.
func wantReadOnly(t *check.T, clone vfs.File) {
	if _, err := clone.WriteAt([]byte("C"), 0); !errors.Is(err, syscall.EBADF) {
		t.Fatalf("writing to the new clone: %v, not %v", err, syscall.EBADF)
	}
}

// compressedClone uses the only type of compressed file that the kernel can read by itself: type 1 of
// decmpfs.h, where the attribute holds the contents uncompressed.
func compressedClone(t *check.T) {
	const flag = 0x20
	if !t.Dir.Caps().Has(vfs.CanCloneFile) {
		t.Skipf("files are not cloned here")
	}
	t.WriteFile("f", 0o600, "")
	header := []byte("fpmc\x01\x00\x00\x00\x08\x00\x00\x00\x00\x00\x00\x00contents")
	n := t.Node("f")
	err := errors.Join(vfs.SetXattr(n, "com.apple.decmpfs", header), vfs.SetFlags(n, flag))
	if got := t.Lstat("f").Flags; err != nil || got&flag == 0 {
		t.Skipf("no compressed file can be made in this way: flags %#x, %v", got, err)
	}
	t.Logf("reading it gives %q", t.ReadFile("f"))
	f, err := t.Dir.CloneFile(t.Open("f"), "clone", true)
	t.MustOrSkip(err)
	t.Cleanup(f.Close)
	wantReadOnly(t, f)
	t.Must(vfs.Chmod(f, 0o640))
	t.Must(vfs.SetXattr(f, t.XattrName("a"), []byte("value")))
	check.Equal(t, "the flags of the clone", t.Lstat("clone").Flags, t.Lstat("f").Flags)
	check.Equal(t, "its contents", t.ReadFile("clone"), t.ReadFile("f"))
}

func clonesByRoot(t *check.T) {
	if !t.Dir.Caps().Has(vfs.CanCloneFile) {
		t.Skipf("files are not cloned here")
	}
	t.WriteFile("f", 0o600, "contents")
	t.MustOrSkip(vfs.Chown(vfs.In(t.Dir, "f"), 12345, 54321))
	for name, owner := range map[string]bool{"mine": false, "theirs": true} {
		f, err := t.Dir.CloneFile(t.Open("f"), name, owner)
		t.MustOrSkip(err)
		t.Must(f.Close())
		a := t.Lstat(name)
		switch {
		case t.Volume.OwnersIgnored:
		case owner:
			check.Equal(t, "the owner", a.UID, 12345)
			check.Equal(t, "the group", a.GID, 54321)
		default:
			check.Equal(t, "the owner", a.UID, 0)
			check.Equal(t, "the group", a.GID, t.Lstat(".").GID)
		}
	}
}
