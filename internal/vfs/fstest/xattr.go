package fstest

import (
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strings"
	"testing"

	"psync/internal/vfs"
)

func xattrPromises() []promise {
	return []promise{
		{"extended attributes are set, listed and removed", xattrSet},
		{"an attribute that is not there is an error matching fs.ErrNotExist", xattrAbsent},
		{"an empty attribute is not an absent one", xattrEmpty},
		{"the value of an attribute is any bytes", xattrBinary},
		{"long values of attributes", xattrLong},
		{"a value is replaced by a longer or a shorter one", xattrReplaced},
		{"attributes of many names", xattrMany},
		{"attributes of a link are not those of its target", xattrOfLink},
		{"attributes stay with a file that is renamed", xattrRenamed},
		{"ACLs are listed on request without an error", xattrACLs},
	}
}

// attributed makes a file and a directory, and calls f with a Node of each and of d
// itself; or it skips the test where these cannot have attributes.
func attributed(t *testing.T, d vfs.Dir, f func(t *testing.T, n vfs.Node, name string)) {
	t.Helper()
	Fill(t, d, "file 644 contents\ndir/")
	for _, name := range []string{"file", "dir", "."} {
		t.Run(name, func(t *testing.T) {
			n := node(t, d, name)
			setXattr(t, n, "user.probe", "")
			must(t, n.RemoveXattr("user.probe"))
			f(t, n, name)
		})
	}
	want(t, d, "file", "contents")
}

// settableXattr sets an attribute, and reports whether that is supported.
func settableXattr(t testing.TB, n vfs.Node, name, value string) bool {
	t.Helper()
	err := n.SetXattr(name, []byte(value))
	if errors.Is(err, errors.ErrUnsupported) {
		return false
	}
	must(t, err)
	return true
}

// setXattr sets an attribute, or skips the test where that is unsupported.
func setXattr(t testing.TB, n vfs.Node, name, value string) {
	t.Helper()
	if !settableXattr(t, n, name, value) {
		t.Skip("no extended attributes here")
	}
}

// wantXattr checks the value of an attribute.
func wantXattr(t testing.TB, n vfs.Node, name, value string) {
	t.Helper()
	got, err := n.Xattr(name)
	must(t, err)
	if string(got) != value {
		t.Errorf("%.50q is %.50q (%d bytes), want %.50q (%d bytes)", name, got, len(got), value, len(value))
	}
}

// wantXattrs checks the names of the attributes, but for those that a system gives
// entries of its own accord.
func wantXattrs(t testing.TB, n vfs.Node, names ...string) {
	t.Helper()
	got, err := n.Xattrs(false)
	must(t, err)
	got = slices.DeleteFunc(got, func(name string) bool { return !strings.HasPrefix(name, "user.") })
	slices.Sort(got)
	slices.Sort(names)
	if !slices.Equal(got, names) {
		t.Errorf("attributes %.500q, want %.500q", got, names)
	}
}

func xattrSet(t *testing.T, d vfs.Dir) {
	attributed(t, d, func(t *testing.T, n vfs.Node, _ string) {
		wantXattrs(t, n)
		must(t, n.SetXattr("user.a", []byte("one")))
		must(t, n.SetXattr("user.b", []byte("two")))
		wantXattrs(t, n, "user.a", "user.b")
		wantXattr(t, n, "user.a", "one")
		wantXattr(t, n, "user.b", "two")
		must(t, n.RemoveXattr("user.a"))
		wantXattrs(t, n, "user.b")
		wantXattr(t, n, "user.b", "two")
		must(t, n.RemoveXattr("user.b"))
		wantXattrs(t, n)
	})
}

func xattrAbsent(t *testing.T, d vfs.Dir) {
	attributed(t, d, func(t *testing.T, n vfs.Node, name string) {
		must(t, n.SetXattr("user.other", nil))
		_, err := n.Xattr("user.absent")
		wantError(t, err, name, fs.ErrNotExist)
		wantError(t, n.RemoveXattr("user.absent"), name, fs.ErrNotExist)
		wantXattrs(t, n, "user.other")
	})
}

func xattrEmpty(t *testing.T, d vfs.Dir) {
	attributed(t, d, func(t *testing.T, n vfs.Node, _ string) {
		must(t, n.SetXattr("user.nil", nil))
		must(t, n.SetXattr("user.empty", []byte{}))
		must(t, n.SetXattr("user.emptied", []byte("contents")))
		must(t, n.SetXattr("user.emptied", nil))
		wantXattrs(t, n, "user.nil", "user.empty", "user.emptied")
		for _, name := range []string{"user.nil", "user.empty", "user.emptied"} {
			wantXattr(t, n, name, "")
		}
	})
}

func xattrBinary(t *testing.T, d vfs.Dir) {
	attributed(t, d, func(t *testing.T, n vfs.Node, _ string) {
		for _, value := range []string{"\x00", "a\x00", "\x00b", "a\x00b", "\xff\xfe", "\n", string(noise(300))} {
			must(t, n.SetXattr("user.a", []byte(value)))
			wantXattr(t, n, "user.a", value)
		}
	})
}

func xattrLong(t *testing.T, d vfs.Dir) {
	attributed(t, d, func(t *testing.T, n vfs.Node, _ string) {
		kept := ""
		for _, size := range []int{511, 512, 513, 1025, 4096, 10_000, 64<<10 - 1, 64 << 10} {
			value := string(noise(size))
			if err := n.SetXattr("user.long", []byte(value)); err != nil {
				// What Linux calls space is often that of one block.
				wantXattr(t, n, "user.long", kept)
				t.Skipf("no value of %d bytes: %v", size, err)
			}
			wantXattr(t, n, "user.long", value)
			kept = value
		}
	})
}

func xattrReplaced(t *testing.T, d vfs.Dir) {
	attributed(t, d, func(t *testing.T, n vfs.Node, _ string) {
		must(t, n.SetXattr("user.other", []byte("precious")))
		for _, size := range []int{10, 600, 20, 21, 1, 0, 500} {
			must(t, n.SetXattr("user.a", noise(size)))
			wantXattr(t, n, "user.a", string(noise(size)))
			wantXattrs(t, n, "user.a", "user.other")
		}
		wantXattr(t, n, "user.other", "precious")
	})
}

// xattrMany sets 15 attributes, whose names are longer together than what an
// implementation would hope for, and more where there is space for them.
func xattrMany(t *testing.T, d vfs.Dir) {
	attributed(t, d, func(t *testing.T, n vfs.Node, _ string) {
		var names []string
		for i := range 60 {
			name := fmt.Sprintf("user.an-attribute-with-a-long-name-%02d", i)
			err := n.SetXattr(name, []byte{byte(i)})
			if err != nil && i >= 15 {
				break
			}
			must(t, err)
			names = append(names, name)
			wantXattrs(t, n, names...)
		}
		for i, name := range names {
			wantXattr(t, n, name, string([]byte{byte(i)}))
			must(t, n.RemoveXattr(name))
		}
		wantXattrs(t, n)
	})
}

// xattrOfLink takes it that a link may have attributes of its own, or none by any rule.
func xattrOfLink(t *testing.T, d vfs.Dir) {
	Fill(t, d, "file 644\ndir/\nto-file -> file\nto-dir -> dir")
	for target, link := range map[string]string{"file": "to-file", "dir": "to-dir"} {
		target, link := node(t, d, target), node(t, d, link)
		setXattr(t, target, "user.target", "precious")
		if _, err := link.Xattr("user.target"); err == nil {
			t.Error("the link shows an attribute of its target")
		}
		if err := link.RemoveXattr("user.target"); err == nil {
			t.Error("an attribute could be removed that the link does not have")
		}
		if err := link.SetXattr("user.link", []byte("of the link")); err == nil {
			wantXattr(t, link, "user.link", "of the link")
			wantXattrs(t, link, "user.link")
		} else {
			wantNotMore(t, err)
			names, err := link.Xattrs(true)
			wantNotMore(t, err)
			if slices.Contains(names, "user.target") {
				t.Error("the link lists an attribute of its target")
			}
		}
		wantXattr(t, target, "user.target", "precious")
		wantXattrs(t, target, "user.target")
	}
}

func xattrRenamed(t *testing.T, d vfs.Dir) {
	Fill(t, d, "old 644\nother 644")
	setXattr(t, node(t, d, "old"), "user.a", "mine")
	must(t, d.Rename("old", "new"))
	wantXattr(t, node(t, d, "new"), "user.a", "mine")
	must(t, d.Rename("other", "new"))
	wantXattrs(t, node(t, d, "new"))
}

func xattrACLs(t *testing.T, d vfs.Dir) {
	Fill(t, d, "file 644\ndir/\nlink -> file")
	for _, name := range []string{"file", "dir", "link", "."} {
		n := node(t, d, name)
		with, err := n.Xattrs(true)
		if errors.Is(err, errors.ErrUnsupported) {
			continue // as with links, or where there is nothing of the kind
		}
		must(t, err)
		for _, attr := range with {
			if _, err := n.Xattr(attr); err != nil && !errors.Is(err, fs.ErrPermission) {
				t.Errorf("%q is listed, but: %v", attr, err)
			}
		}
		without, err := n.Xattrs(false)
		if errors.Is(err, errors.ErrUnsupported) {
			continue // ACLs may be all there is
		}
		must(t, err)
		for _, attr := range without {
			if !slices.Contains(with, attr) {
				t.Errorf("with ACLs the list %q lacks %q", with, attr)
			}
		}
	}
}
