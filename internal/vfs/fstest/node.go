package fstest

import (
	"errors"
	"io/fs"
	"testing"
	"time"

	"psync/internal/vfs"
)

func nodePromises() []promise {
	return []promise{
		{"a Node tells what Lstat tells", nodeStat},
		{"a Node changes what the directory's methods change", nodeChanges},
		{"a File is a Node of the same entry", nodeOfFile},
		{"a Node of a link changes the link only", nodeOfLink},
		{"SetBtime sets the time of birth, or is unsupported", nodeBtime},
		{"flags can be set and set back", nodeFlags},
		{"flags of a link or a missing entry", nodeNoFlags},
	}
}

// node returns a Node until the test ends.
func node(t testing.TB, d vfs.Dir, name string) vfs.Node {
	t.Helper()
	needs(t, d, vfs.CanNode)
	n, err := d.Node(name)
	must(t, err)
	t.Cleanup(func() { must(t, n.Close()) })
	return n
}

// fileNode returns a File as a Node, or skips the test.
func fileNode(t testing.TB, f vfs.File) vfs.Node {
	t.Helper()
	if !f.Caps().Has(vfs.CanNode) {
		t.Skip("a File is no Node")
	}
	return f
}

// nodeMethods returns those methods of a Node that meet the entry.
func nodeMethods() []method {
	now := time.Unix(1_000_000_000, 0)
	calls := []struct {
		name string
		call func(vfs.Node) error
	}{
		{"Stat", func(n vfs.Node) error { _, err := n.Stat(); return err }},
		{"Chown", func(n vfs.Node) error { return n.Chown(-1, -1) }},
		{"Chmod", func(n vfs.Node) error { return n.Chmod(0o700) }},
		{"Chtimes", func(n vfs.Node) error { return n.Chtimes(now, now) }},
		{"Xattrs", func(n vfs.Node) error { _, err := n.Xattrs(true); return err }},
		{"Xattr", func(n vfs.Node) error { _, err := n.Xattr("user.a"); return err }},
		{"SetXattr", func(n vfs.Node) error { return n.SetXattr("user.a", nil) }},
		{"RemoveXattr", func(n vfs.Node) error { return n.RemoveXattr("user.a") }},
	}
	var all []method
	for _, c := range calls {
		all = append(all, method{"Node." + c.name, func(d vfs.Dir, name string) error {
			n, err := d.Node(name)
			if err != nil {
				return err
			}
			defer vfs.CloseUnwritten(n)
			return c.call(n)
		}, true, true})
	}
	return all
}

// wantNotMore allows the errors of what an entry of this type does not have.
func wantNotMore(t testing.TB, err error) {
	t.Helper()
	if err != nil && !errors.Is(err, errors.ErrUnsupported) && !errors.Is(err, fs.ErrPermission) {
		t.Error(err)
	}
}

// wantSame checks that a Node and its directory tell the same about it.
func wantSame(t testing.TB, n vfs.Node, d vfs.Dir, name string) {
	t.Helper()
	a, err := n.Stat()
	must(t, err)
	if b := lstat(t, d, name); a != b {
		t.Errorf("%q: Stat is %+v, Lstat is %+v", name, a, b)
	}
}

func nodeStat(t *testing.T, d vfs.Dir) {
	Fill(t, d, "file 640 12345\ndir/ 750\nlink -> file\ndangling -> nowhere")
	for _, name := range []string{"file", "dir", "link", "dangling", "."} {
		wantSame(t, node(t, d, name), d, name)
	}
}

func nodeChanges(t *testing.T, d vfs.Dir) {
	Fill(t, d, "file 644\ndir/")
	atime, mtime := time.Unix(1_000_000_000, 1), time.Unix(2_000_000_000, 2)
	for _, name := range []string{"file", "dir", "."} {
		n := node(t, d, name)
		must(t, n.Chown(-1, -1))
		ownGroup(t, d, name)
		mode := fs.FileMode(0o710)
		if name == "file" {
			mode |= fs.ModeSetgid
		}
		must(t, n.Chmod(mode))
		if got := lstat(t, d, name).Mode & settable; got != mode {
			t.Errorf("%q has mode %v, want %v", name, got, mode)
		}
		must(t, n.Chtimes(atime, mtime))
		wantTimes(t, d, name, atime, mtime)
		must(t, n.Chtimes(time.Time{}, atime))
		wantTimes(t, d, name, atime, atime)
		wantSame(t, n, d, name)
	}
}

func nodeOfFile(t *testing.T, d vfs.Dir) {
	file := fileNode(t, create(t, d, "file"))
	name := node(t, d, "file")
	wantSame(t, file, d, "file")
	must(t, name.Chmod(0o600))
	wantSame(t, file, d, "file")
	must(t, file.Chmod(0o640))
	wantSame(t, name, d, "file")
	if !settableXattr(t, file, "user.file", "by the file") {
		return
	}
	wantXattr(t, name, "user.file", "by the file")
	must(t, name.SetXattr("user.name", []byte("by the name")))
	wantXattr(t, file, "user.name", "by the name")
	wantXattr(t, fileNode(t, open(t, d, "file")), "user.name", "by the name")
	must(t, file.RemoveXattr("user.name"))
	must(t, name.RemoveXattr("user.file"))
	wantXattrs(t, file)
	wantXattrs(t, name)
}

func nodeOfLink(t *testing.T, d vfs.Dir) {
	Fill(t, d, "file 644 @2001-02-03T04:05:06Z\nto-file -> file\ndangling -> nowhere")
	before := lstat(t, d, "file")
	mtime := time.Unix(2_000_000_000, 2)
	for _, name := range []string{"to-file", "dangling"} {
		n := node(t, d, name)
		must(t, n.Chown(-1, -1))
		must(t, n.Chtimes(mtime, mtime))
		wantTimes(t, d, name, mtime, mtime)
		if err := n.Chmod(0o600); err != nil {
			wantError(t, err, name, errors.ErrUnsupported)
		}
	}
	if after := lstat(t, d, "file"); after != before {
		t.Errorf("the target: before %+v, after %+v", before, after)
	}
	wantNames(t, d, "file", "to-file", "dangling")
}

func nodeBtime(t *testing.T, d vfs.Dir) {
	Fill(t, d, "file 644\ndir/\nlink -> file")
	btime, mtime := time.Unix(1_000_000_000, 0), time.Unix(1_100_000_000, 0)
	for _, name := range []string{"file", "dir", "link"} {
		n := node(t, d, name)
		must(t, n.Chtimes(mtime, mtime))
		err := n.SetBtime(btime)
		if errors.Is(err, errors.ErrUnsupported) {
			wantError(t, err, name, nil)
			t.Skip("unsupported:", err)
		}
		must(t, err)
		if got := lstat(t, d, name).Btime; !got.Equal(btime) {
			t.Errorf("%q was born at %v, want %v", name, got.UTC(), btime.UTC())
		}
		wantTimes(t, d, name, mtime, mtime)
	}
}

// nodump is the flag that everybody may set and that changes nothing, by its
// numbers in chflags(2) and on Linux.
var nodump = []uint32{0x01, 0x40}

func nodeFlags(t *testing.T, d vfs.Dir) {
	Fill(t, d, "file 644 contents\ndir/")
	for _, name := range []string{"file", "dir", "."} {
		n := node(t, d, name)
		before, err := n.Flags()
		if errors.Is(err, errors.ErrUnsupported) {
			t.Skip("unsupported:", err)
		}
		must(t, err)
		after := before
		for _, flag := range nodump {
			after = before ^ flag
			if err = n.SetFlags(after); err == nil {
				break
			}
			wantError(t, err, name, errors.ErrUnsupported)
		}
		if err != nil {
			t.Skip("no flag is supported:", err)
		}
		wantFlags(t, n, name, after)
		if name == "file" {
			wantFlags(t, fileNode(t, open(t, d, name)), name, after)
		}
		must(t, n.SetFlags(before))
		wantFlags(t, n, name, before)
	}
	want(t, d, "file", "contents")
}

func wantFlags(t testing.TB, n vfs.Node, name string, flags uint32) {
	t.Helper()
	got, err := n.Flags()
	must(t, err)
	if got != flags {
		t.Errorf("%q has flags %#x, want %#x", name, got, flags)
	}
}

func nodeNoFlags(t *testing.T, d vfs.Dir) {
	Fill(t, d, "file 644\nto-file -> file")
	file := node(t, d, "file")
	before, err := file.Flags()
	if errors.Is(err, errors.ErrUnsupported) {
		t.Skip("unsupported:", err)
	}
	must(t, err)
	link := node(t, d, "to-file")
	for _, flag := range nodump {
		wantNotMore(t, link.SetFlags(before^flag))
	}
	_, err = link.Flags()
	wantNotMore(t, err)
	wantFlags(t, file, "file", before)

	missing, err := d.Node("missing")
	if err == nil {
		defer vfs.CloseUnwritten(missing)
		if _, err = missing.Flags(); err != nil {
			wantError(t, missing.SetFlags(0), "missing", fs.ErrNotExist)
		}
	}
	wantError(t, err, "missing", fs.ErrNotExist)
}
