package memfs_test

import (
	"bytes"
	"errors"
	"io"
	"io/fs"
	"slices"
	"strings"
	"syscall"
	"testing"

	"psync/internal/vfs"
	"psync/internal/vfs/fstest"
	"psync/internal/vfs/memfs"
)

func TestMacXattrs(t *testing.T) {
	root := memfs.Mac{}
	none := with(func(m *memfs.Mac) { m.NoXattrs = true })
	refused := with(func(m *memfs.Mac) { m.Refused = []string{"com.apple.quarantine"} })
	checkRules(t, []rule{
		{"a fork", user, "f 644", set(fork, "x"), nil, "f 644 @" + fork + "=x\n"},
		{"a fork of a directory", user, "f/", set(fork, "x"), syscall.EPERM, "f/ 755\n"},
		{"a fork of a link", user, "f -> x", set(fork, "x"), syscall.EPERM, ""},
		{"an attribute of a link", user, "f -> x", set("a", "x"), nil, "f @a=x -> x\n"},
		{"of a fifo", user, "f 644 (fifo)", set("a", "x"), syscall.EPERM, "f 644 (fifo)\n"},
		{"a long name", user, "f 644", set(strings.Repeat("n", 128), "x"), syscall.ENAMETOOLONG, ""},
		{"what only root installs", user, "f 644", set("com.apple.root.installed", "x"), syscall.EPERM, ""},
		{"what root installs", root, "f 644", set("com.apple.root.installed", "x"), nil, ""},
		{"setting without an entitlement", refused, "f 644", set("com.apple.quarantine", "x"), syscall.EPERM, "f 644\n"},
		{"removing without one", refused, "f 644 @com.apple.quarantine=x", unset("com.apple.quarantine"), syscall.EPERM, ""},
		{"quarantine", user, "f 644 @com.apple.quarantine=x", unset("com.apple.quarantine"), nil, "f 644\n"},
		{"setting where there are none", none, "f 644", set("a", "x"), errors.ErrUnsupported, "f 644\n"},
		{"listing where there are none", none, "f 644", onNode("f", func(n vfs.Node) error { _, err := n.Xattrs(true); return err }), errors.ErrUnsupported, ""},
	}, fstest.WithXattrs)
	for _, name := range []string{
		"com.apple.provenance", "com.apple.macl", "com.apple.rootless", "com.apple.decmpfs", "com.apple.system.other",
	} {
		checkRules(t, []rule{
			{"setting " + name, root, "f 644", set(name, "x"), syscall.EPERM, ""},
			{"removing " + name, root, "f 644 @" + name + "=x", unset(name), syscall.EPERM, ""},
		})
	}
}

func TestMacHidesWhatTheSystemKeeps(t *testing.T) {
	d, _ := newMac(t, user, "f 644 @com.apple.decmpfs=x @com.apple.system.other=x @com.apple.macl=x @a=x")
	must(t, onNode("f", func(n vfs.Node) error {
		got, err := n.Xattrs(true)
		slices.Sort(got)
		if want := []string{"a", "com.apple.macl", provenance}; !slices.Equal(got, want) {
			t.Errorf("attributes %q, want %q", got, want)
		}
		if _, err := n.Xattr("com.apple.decmpfs"); !errors.Is(err, fs.ErrNotExist) {
			t.Errorf("Xattr: %v, want %v", err, fs.ErrNotExist)
		}
		return err
	})(d))
}

func TestMacStampsEachEntry(t *testing.T) {
	d, _ := newMac(t, user, "f 644\nd/\nl -> f")
	must(t, cloneFileOf(d, "f", "clone", true))
	seen := make(map[string]string)
	for _, name := range []string{".", "f", "d", "l", "clone"} {
		must(t, onNode(name, func(n vfs.Node) error {
			value, err := n.Xattr(provenance)
			if other, ok := seen[string(value)]; ok || len(value) != 11 {
				t.Errorf("%q has the stamp %x, as %q has; want 11 bytes of its own", name, value, other)
			}
			seen[string(value)] = name
			return err
		})(d))
	}
}

func TestMacFork(t *testing.T) {
	d, _ := newMac(t, user, "f 644 @a=x")
	f, err := d.OpenFile("f", vfs.ReadWrite, 0)
	must(t, err)
	defer f.Close()
	l := f
	if _, err := vfs.XattrSize(l, fork); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("XattrSize of none: %v, want %v", err, fs.ErrNotExist)
	}
	if _, err := vfs.XattrSize(l, "a"); !errors.Is(err, errors.ErrUnsupported) {
		t.Errorf("XattrSize of another: %v, want %v", err, errors.ErrUnsupported)
	}
	for off, p := range []string{"0123456789", "abc"} {
		must(t, vfs.WriteXattrAt(l, fork, []byte(p), int64(4*off)))
	}
	if n, err := vfs.XattrSize(l, fork); n != 10 || err != nil {
		t.Errorf("XattrSize = %d, %v; want 10", n, err)
	}
	p := make([]byte, 8)
	n, err := l.ReadXattrAt(fork, p, 3)
	if want := []byte("3abc789"); !bytes.Equal(p[:n], want) || err != io.EOF {
		t.Errorf("ReadXattrAt = %q, %v; want %q, %v", p[:n], err, want, io.EOF)
	}
	for _, err := range []error{
		func() error { _, err := l.ReadXattrAt("a", p, 1); return err }(),
		vfs.WriteXattrAt(l, "a", p, 1),
	} {
		if !errors.Is(err, errors.ErrUnsupported) {
			t.Errorf("a position in another attribute: %v, want %v", err, errors.ErrUnsupported)
		}
	}
}

// cloneFileOf makes a clone of a file.
func cloneFileOf(d vfs.Dir, name, clone string, owner bool) error {
	f, err := d.OpenFile(name, vfs.ReadOnly, 0)
	if err != nil {
		return err
	}
	return errors.Join(closeFile(d.CloneFile(f, clone, owner)), f.Close())
}

func TestMacClones(t *testing.T) {
	clone := func(d vfs.Dir) error { return cloneFileOf(d, "f", "g", true) }
	cloneToMe := func(d vfs.Dir) error { return cloneFileOf(d, "f", "g", false) }
	const f = "f 6750 @2001-02-03T04:05:06Z @btime=2001-01-01T00:00:00Z @owner=501:12 @flags=0x8003 @a=x text\n"
	const g = "g 750 @2001-02-03T04:05:06Z @btime=2001-01-01T00:00:00Z "
	const locked = "f 644 @2001-02-03T04:05:06Z @btime=2001-01-01T00:00:00Z @owner=501:20 @flags=0x120000 text\n"
	checkRules(t, []rule{
		{"what a clone keeps", user, f, clone, nil, f + g + "@owner=501:20 @flags=0x8001 @a=x text\n"},
		{"by root", memfs.Mac{}, f, clone, nil, f + g + "@owner=501:12 @flags=0x8001 @a=x text\n"},
		{"by root, without the owner", memfs.Mac{GID: 7}, f, cloneToMe, nil, f + g + "@owner=0:7 @flags=0x8001 @a=x text\n"},
		{"of what only root unlocks", user, locked, clone, syscall.EPERM, locked + "g" + locked[1:]},
		{"of that, by root", memfs.Mac{}, locked, clone, nil, locked + "g" + strings.Replace(locked[1:], " @flags=0x120000", "", 1)},
		{"onto another name", user, "f 644\ng 644 precious\n", clone, fs.ErrExist, ""},
		{"of what cannot be had", user, "f 644 @flags=0x40000000", clone, syscall.EDEADLK, ""},
		{"of a fifo", user, "f 644 (fifo)", clone, errors.ErrUnsupported, ""},
		{"on FAT", with(func(m *memfs.Mac) { m.FAT = true }), "f 644", clone, errors.ErrUnsupported, ""},
		{"in a read-only directory", user, "f 644\n./ 555", clone, syscall.EACCES, ""},
	}, fstest.WithMtimes, fstest.WithBtimes, fstest.WithOwners, fstest.WithFlags, fstest.WithXattrs)

	other, _ := newMac(t, user, "")
	d, _ := newMac(t, user, "f 644")
	src, err := d.OpenFile("f", vfs.ReadOnly, 0)
	must(t, err)
	defer src.Close()
	if _, err := other.CloneFile(src, "g", true); !errors.Is(err, errors.ErrUnsupported) || !errors.Is(err, syscall.EXDEV) {
		t.Errorf("of another volume: %v, want %v and %v", err, errors.ErrUnsupported, syscall.EXDEV)
	}
}

func TestMacCloneIsItsOwnFile(t *testing.T) {
	d, plant := newMac(t, user, "f 644 text")
	f, err := d.OpenFile("f", vfs.ReadOnly, 0)
	must(t, err)
	defer f.Close()
	g, err := d.CloneFile(f, "g", true)
	must(t, err)
	if _, err := g.WriteAt([]byte("T"), 0); !errors.Is(err, syscall.EBADF) {
		t.Errorf("WriteAt to a new clone = %v, want %v", err, syscall.EBADF)
	}
	must(t, g.Close())
	g, err = d.OpenFile("g", vfs.ReadWrite, 0)
	must(t, err)
	_, err = g.WriteAt([]byte("T"), 0)
	must(t, errors.Join(err, g.Close()))
	if got, want := fstest.Tree(t, plant), "f 644 text\ng 644 Text\n"; got != want {
		t.Errorf("got:\n%swant:\n%s", got, want)
	}
}
