package memfs_test

import (
	"errors"
	"io/fs"
	"strings"
	"syscall"
	"testing"

	"psync/internal/vfs"
	"psync/internal/vfs/fstest"
	"psync/internal/vfs/memfs"
)

// TestMemNodes tries the rules of Linux that a plain Mem has.
func TestMemNodes(t *testing.T) {
	const capability = "security.capability"
	for _, tt := range []struct {
		name string
		tree string
		do   func(d vfs.Dir) error
		err  error
		left string
	}{
		{"any name", "f 644", set("any", "x"), nil, "f 644 @any=x\n"},
		{"a long value", "f 644", set("user.a", strings.Repeat("x", 64<<10+1)), syscall.E2BIG, "f 644\n"},
		{"a user's of a link", "f -> x", set("user.a", "x"), syscall.EPERM, "f -> x\n"},
		{"a trusted one of a link", "f -> x", set("trusted.a", "x"), nil, "f @trusted.a=x -> x\n"},
		{"an ACL of a link", "f -> x", set("system.posix_acl_access", "x"), errors.ErrUnsupported, "f -> x\n"},
		{"an ACL", "f 644", set("system.posix_acl_access", "x"), nil, "f 644 @system.posix_acl_access=x\n"},
		{"a write drops the capability", "f 755 @" + capability + "=x @user.a=x x", write, nil, "f 755 @user.a=x x\n"},
		{"as does another owner", "f 6755 @" + capability + "=x", func(d vfs.Dir) error { return vfs.Chown(vfs.In(d, "f"), 1, 1) }, nil, "f 755\n"},
		{"but no mode or time", "f 755 @" + capability + "=x", func(d vfs.Dir) error { return errors.Join(chmod(d), touch(d)) }, nil, "f 600 @" + capability + "=x\n"},
		{"birth", "f 644", onNode("f", func(n vfs.Node) error { return vfs.SetBtime(n, long) }), errors.ErrUnsupported, ""},
		{"flags", "f 644", setFlags(0x10), nil, "f 644 @flags=0x10\n"},
		{"flags lock nothing", "f 644 @flags=0x10", remove, nil, ""},
		{"flags of a link", "f -> x", setFlags(0x10), errors.ErrUnsupported, "f -> x\n"},
		{"flags of a fifo", "f 644 (fifo)", setFlags(0x10), errors.ErrUnsupported, "f 644 (fifo)\n"},
		{"mode of a link", "f -> x", onNode("f", func(n vfs.Node) error { return vfs.Chmod(n, 0o600) }), errors.ErrUnsupported, ""},
	} {
		d := memfs.New().TestRoot(t)
		fstest.Fill(t, d, tt.tree)
		if err := tt.do(d); !errors.Is(err, tt.err) || (err == nil) != (tt.err == nil) {
			t.Errorf("%s: error %v, want %v", tt.name, err, tt.err)
		}
		if got := fstest.Tree(t, d, fstest.WithXattrs, fstest.WithFlags); tt.left != "" && got != tt.left {
			t.Errorf("%s: got:\n%swant:\n%s", tt.name, got, tt.left)
		}
	}
}

func TestMemIsBornWhenMade(t *testing.T) {
	m := memfs.New()
	d := m.TestRoot(t)
	must(t, vfs.Mkdir(d, "d", 0o755))
	born := m.Now()
	must(t, vfs.Chtimes(vfs.In(d, "d"), long, long))
	a, err := vfs.Lstat(d, "d")
	must(t, err)
	if !a.Btime.Equal(born) || a.Flags != 0 {
		t.Errorf("%+v, want birth at %v and no flags", a, born)
	}
}

func TestMemNodeIsOpen(t *testing.T) {
	m := memfs.New()
	d := m.TestRoot(t)
	n, err := d.Node(".")
	must(t, err)
	if got := m.Open(); got != 2 {
		t.Errorf("%d open handles, want 2", got)
	}
	must(t, n.Close())
	if _, err := n.Xattrs(false); !errors.Is(err, fs.ErrClosed) {
		t.Errorf("Xattrs when closed: %v, want %v", err, fs.ErrClosed)
	}
	if d.Caps().Has(vfs.CanCloneFile) {
		t.Error("a plain Mem clones files")
	}
}
