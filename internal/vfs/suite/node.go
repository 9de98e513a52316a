package suite

import (
	"errors"
	"io/fs"
	"testing"
	"time"

	"psync/internal/vfs"
)

// nodeRules test the creation time, flags, and entries that cannot be read.
var nodeRules = []rule{
	{name: "SetBtime sets the creation time, or is unsupported", needs: vfs.CanNode, tree: "file 644\ndir/\nlink -> file", check: func(t *testing.T, d vfs.Dir) {
		btime, mtime := time.Unix(1_000_000_000, 0), time.Unix(1_100_000_000, 0)
		for _, name := range []string{"file", "dir", "link"} {
			n := node(t, d, name)
			must(t, vfs.Chtimes(n, mtime, mtime))
			if err := vfs.SetBtime(n, btime); err != nil {
				wantError(t, err, name, errors.ErrUnsupported)
				t.Skip(err)
			}
			if got := lstat(t, d, name).Btime; !got.Equal(btime) {
				t.Errorf("%q was born at %v, want %v", name, got.UTC(), btime.UTC())
			}
			wantTimes(t, d, name, mtime, mtime)
		}
	}},
	{name: "flags can be set and set back", needs: vfs.CanNode, tree: "file 644 contents\ndir/", check: func(t *testing.T, d vfs.Dir) {
		for _, name := range []string{"file", "dir", "."} {
			n := node(t, d, name)
			before, err := n.Flags()
			skipUnsupported(t, err)
			must(t, err)
			after := before
			for _, flag := range nodump {
				after = before ^ flag
				if err = vfs.SetFlags(n, after); err == nil {
					break
				}
				wantError(t, err, name, errors.ErrUnsupported)
			}
			skipUnsupported(t, err)
			wantFlags(t, n, name, after)
			if name == "file" {
				wantFlags(t, fileNode(t, open(t, d, name)), name, after)
			}
			must(t, vfs.SetFlags(n, before))
			wantFlags(t, n, name, before)
		}
	}, want: "dir/ 755\nfile 644 contents\n"},
	{name: "flags of a link are not those of its target", needs: vfs.CanNode, tree: "file 644\nto-file -> file", check: func(t *testing.T, d vfs.Dir) {
		file, link := node(t, d, "file"), node(t, d, "to-file")
		before, err := file.Flags()
		skipUnsupported(t, err)
		must(t, err)
		for _, flag := range nodump {
			wantNotMore(t, vfs.SetFlags(link, before^flag))
		}
		_, err = link.Flags()
		wantNotMore(t, err)
		wantFlags(t, file, "file", before)
	}},
	{name: "a Node of a fifo or link does not wait", needs: vfs.CanNode, check: func(t *testing.T, d vfs.Dir) {
		mknod(t, d, "fifo", fs.ModeNamedPipe|0o600, 0)
		must(t, vfs.Symlink(d, "fifo", "link"))
		for _, name := range []string{"fifo", "link"} {
			n := node(t, d, name)
			_, err := vfs.Stat(n)
			must(t, err)
			_, err = n.Xattrs(true)
			wantNotMore(t, err)
			_, err = n.Xattr("user.a")
			wantError(t, err, name)
			wantNotMore(t, vfs.SetXattr(n, "user.a", nil))
			wantNotMore(t, vfs.SetBtime(n, time.Unix(1_000_000_000, 0)))
			flags, err := n.Flags()
			wantNotMore(t, err)
			if err == nil {
				must(t, vfs.SetFlags(n, flags))
			}
			must(t, vfs.Chown(n, -1, -1))
			must(t, vfs.Chtimes(n, time.Time{}, time.Unix(1_000_000_000, 0)))
		}
		must(t, vfs.Chmod(node(t, d, "fifo"), 0o640))
		if got, want := lstat(t, d, "fifo").Mode, fs.ModeNamedPipe|0o640; got != want {
			t.Errorf("mode %v, want %v", got, want)
		}
	}},
}

// node opens a Node and closes it when the test ends.
func node(t testing.TB, d vfs.Dir, name string) vfs.Node {
	t.Helper()
	needs(t, d, vfs.CanNode)
	n, err := d.Node(name)
	return lasting(t, n, err)
}

// fileNode returns a File as a Node, or skips the test if that is unsupported.
func fileNode(t testing.TB, f vfs.File) vfs.Node {
	t.Helper()
	if !f.Caps().Has(vfs.CanNode) {
		t.Skip("a File is no Node")
	}
	return f
}

// wantNotMore checks that err, if not nil, says that an entry of this type lacks something or may not be accessed so.
func wantNotMore(t testing.TB, err error) {
	t.Helper()
	if err != nil && !errors.Is(err, errors.ErrUnsupported) && !errors.Is(err, fs.ErrPermission) {
		t.Error(err)
	}
}

// nodump holds the numbers, in chflags(2) and on Linux, of the flag that every owner may set and that has no effect.
var nodump = []uint32{0x01, 0x40}

func wantFlags(t testing.TB, n vfs.Node, name string, flags uint32) {
	t.Helper()
	got, err := n.Flags()
	must(t, err)
	if got != flags {
		t.Errorf("%q has flags %#x, want %#x", name, got, flags)
	}
}
