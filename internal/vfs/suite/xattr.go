package suite

import (
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"slices"
	"strings"
	"testing"

	"psync/internal/vfs"
	"psync/internal/vfs/fstest"
)

// xattrRules test extended attributes.
var xattrRules = []rule{
	{name: "extended attributes are set, replaced, listed and removed", needs: vfs.CanNode, check: onAttributed(func(t *testing.T, n vfs.Node, name string) {
		want := make(map[string]string)
		set := func(attr string, value []byte) {
			must(t, vfs.SetXattr(n, attr, value))
			want[attr] = string(value)
			wantXattrs(t, n, want)
		}
		wantXattrs(t, n, nil)
		set("user.a", []byte("one"))
		set("user.b", []byte("two"))
		set("user.nil", nil)
		set("user.empty", []byte{})
		for _, value := range []string{"\x00", "a\x00", "\x00b", "a\x00b", "\xff\xfe", "\n"} {
			set("user.a", []byte(value))
		}
		for _, size := range []int{10, 600, 20, 21, 1, 0, 500} {
			set("user.a", noise(size))
		}
		for len(want) > 0 {
			_, err := n.Xattr("user.absent")
			wantError(t, err, name, fs.ErrNotExist)
			wantError(t, vfs.RemoveXattr(n, "user.absent"), name, fs.ErrNotExist)
			for attr := range want {
				must(t, vfs.RemoveXattr(n, attr))
				delete(want, attr)
				wantXattrs(t, n, want)
				break
			}
		}
	})},
	{name: "values of attributes may be long", needs: vfs.CanNode, check: onAttributed(func(t *testing.T, n vfs.Node, _ string) {
		kept := ""
		for _, size := range []int{511, 512, 513, 1025, 4096, 10_000, 64<<10 - 1, 64 << 10} {
			err := vfs.SetXattr(n, "user.long", noise(size))
			if err == nil {
				kept = string(noise(size))
			}
			wantXattrs(t, n, map[string]string{"user.long": kept})
			if err != nil {
				// On Linux, the space for attributes is often that of a single block.
				t.Skipf("no value of %d bytes: %v", size, err)
			}
		}
	})},
	// Together, 15 names are longer than an implementation might expect; more are set if there is space.
	{name: "attributes may have many names", needs: vfs.CanNode, check: onAttributed(func(t *testing.T, n vfs.Node, _ string) {
		all := make(map[string]string)
		for i := range 60 {
			name := fmt.Sprintf("user.an-attribute-with-a-long-name-%02d", i)
			err := vfs.SetXattr(n, name, []byte{byte(i)})
			if err != nil && i >= 15 {
				break
			}
			must(t, err)
			all[name] = string([]byte{byte(i)})
			wantXattrs(t, n, all)
		}
		for name := range all {
			must(t, vfs.RemoveXattr(n, name))
		}
		wantXattrs(t, n, nil)
	})},
	{name: "a File and a Node have the same attributes", needs: vfs.CanNode, check: func(t *testing.T, d vfs.Dir) {
		file, name := fileNode(t, create(t, d, "file")), node(t, d, "file")
		setXattr(t, file, "user.file", "by the file")
		setXattr(t, name, "user.name", "by the name")
		for _, n := range []vfs.Node{file, name, fileNode(t, open(t, d, "file"))} {
			wantXattrs(t, n, map[string]string{"user.file": "by the file", "user.name": "by the name"})
		}
		must(t, vfs.RemoveXattr(file, "user.name"))
		must(t, vfs.RemoveXattr(name, "user.file"))
		wantXattrs(t, file, nil)
		wantXattrs(t, name, nil)
	}},
	// A link may have attributes of its own, or none at all.
	{name: "attributes of a link are not those of its target", needs: vfs.CanNode, tree: "file 644\ndir/\nto-file -> file\nto-dir -> dir", check: func(t *testing.T, d vfs.Dir) {
		for _, name := range []string{"file", "dir"} {
			target, link := node(t, d, name), node(t, d, "to-"+name)
			setXattr(t, target, "user.target", "precious")
			if _, err := link.Xattr("user.target"); err == nil {
				t.Error("the link shows an attribute of its target")
			}
			if err := vfs.RemoveXattr(link, "user.target"); err == nil {
				t.Error("an attribute could be removed that the link does not have")
			}
			if err := vfs.SetXattr(link, "user.link", []byte("of the link")); err == nil {
				wantXattrs(t, link, map[string]string{"user.link": "of the link"})
			} else {
				wantNotMore(t, err)
				names, err := link.Xattrs(true)
				wantNotMore(t, err)
				if slices.Contains(names, "user.target") {
					t.Error("the link lists an attribute of its target")
				}
			}
			wantXattrs(t, target, map[string]string{"user.target": "precious"})
		}
	}},
	{name: "attributes stay with a file that is renamed", needs: vfs.CanNode, tree: "old 644\nother 644", check: func(t *testing.T, d vfs.Dir) {
		setXattr(t, node(t, d, "old"), "user.a", "mine")
		must(t, d.Rename("old", nil, "new", nil))
		wantXattrs(t, node(t, d, "new"), map[string]string{"user.a": "mine"})
		must(t, d.Rename("other", nil, "new", nil))
		wantXattrs(t, node(t, d, "new"), nil)
	}},
	{name: "ACLs are listed on request without an error", needs: vfs.CanNode, tree: "file 644\ndir/\nlink -> file", check: func(t *testing.T, d vfs.Dir) {
		for _, name := range []string{"file", "dir", "link", "."} {
			n := node(t, d, name)
			with, err := n.Xattrs(true)
			if errors.Is(err, errors.ErrUnsupported) {
				continue // as with links, or where this is unsupported
			}
			must(t, err)
			for _, attr := range with {
				if _, err := n.Xattr(attr); err != nil && !errors.Is(err, fs.ErrPermission) {
					t.Errorf("%q is listed, but: %v", attr, err)
				}
			}
			without, err := n.Xattrs(false)
			if errors.Is(err, errors.ErrUnsupported) {
				continue // there may be nothing but ACLs
			}
			must(t, err)
			for _, attr := range without {
				if !slices.Contains(with, attr) {
					t.Errorf("with ACLs the list %q lacks %q", with, attr)
				}
			}
		}
	}},
}

// onAttributed calls check with Nodes of a file, a directory and d itself, or skips the test if these cannot have
// attributes.
func onAttributed(check func(t *testing.T, n vfs.Node, name string)) func(*testing.T, vfs.Dir) {
	return func(t *testing.T, d vfs.Dir) {
		fstest.Fill(t, d, "file 644 contents\ndir/")
		for _, name := range []string{"file", "dir", "."} {
			t.Run(name, func(t *testing.T) {
				n := node(t, d, name)
				setXattr(t, n, "user.probe", "")
				must(t, vfs.RemoveXattr(n, "user.probe"))
				check(t, n, name)
			})
		}
		want(t, d, "file", "contents")
	}
}

// setXattr sets an attribute, or skips the test where that is unsupported.
func setXattr(t testing.TB, n vfs.Node, name, value string) {
	t.Helper()
	err := vfs.SetXattr(n, name, []byte(value))
	skipUnsupported(t, err)
	must(t, err)
}

// wantXattrs checks the attributes, except those that a system gives entries on its own.
func wantXattrs(t testing.TB, n vfs.Node, want map[string]string) {
	t.Helper()
	got, err := n.Xattrs(false)
	must(t, err)
	got = slices.DeleteFunc(got, func(name string) bool { return !strings.HasPrefix(name, "user.") })
	slices.Sort(got)
	if names := slices.Sorted(maps.Keys(want)); !slices.Equal(got, names) {
		t.Errorf("attributes %.500q, want %.500q", got, names)
	}
	for name, value := range want {
		if got, err := n.Xattr(name); err != nil || string(got) != value {
			t.Errorf("%.50q is %.50q (%d bytes), %v; want %.50q (%d bytes)", name, got, len(got), err, value, len(value))
		}
	}
}
