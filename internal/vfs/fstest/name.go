package fstest

import (
	"errors"
	"io/fs"
	"strings"
	"syscall"
	"testing"
	"time"

	"psync/internal/vfs"
)

func namePromises() []promise {
	return []promise{
		{"a name of 255 bytes", goodName(strings.Repeat("n", 255))},
		{"a name with a newline", goodName("two\nlines")},
		{"a name of a space", goodName(" ")},
		{"a name with a leading dash", goodName("-rf")},
		{"a name with a leading dot", goodName("..f")},
		{"a name of backslashes and stars", goodName(`\*?"`)},
		{"a name beyond ASCII", goodName("名前")},
		{"a name that is not UTF-8", goodName("\xff\xfe")},
		{"a name that is no path element is an error and changes nothing", badNames},
		{"a missing name is an error about it", missingName},
	}
}

// notUTF8 reports whether err is a system's refusal of what is not UTF-8.
func notUTF8(err error) bool {
	return errors.Is(err, syscall.EILSEQ) || errors.Is(err, syscall.EINVAL)
}

// goodName checks that entries can be called name.
func goodName(name string) func(*testing.T, vfs.Dir) {
	return func(t *testing.T, d vfs.Dir) {
		err := writeFile(d, name, 0o644, "contents")
		if notUTF8(err) {
			t.Skip("the system refuses the name:", err)
		}
		must(t, err)
		wantNames(t, d, name)
		want(t, d, name, "contents")
		must(t, d.Chmod(name, 0o600))
		must(t, d.Rename(name, "temp"))
		must(t, d.Rename("temp", name))
		must(t, d.Remove(name))

		must(t, d.Symlink("target", name))
		if target, err := d.Readlink(name); target != "target" || err != nil {
			t.Errorf("Readlink = %q, %v", target, err)
		}
		must(t, d.Remove(name))

		put(t, mkdir(t, d, name), name, "within")
		want(t, openDir(t, d, name), name, "within")
		wantNames(t, d, name)
	}
}

// A method is one of Dir that takes a name.
type method struct {
	name string
	call func(d vfs.Dir, name string) error
	dot  bool // "." need not be an error
	made bool // the name must exist
}

// methods returns those of d, with those of its abilities.
func methods(d vfs.Dir) []method {
	now := time.Unix(1_000_000_000, 0)
	all := []method{
		{"Lstat", func(d vfs.Dir, name string) error { _, err := d.Lstat(name); return err }, true, true},
		{"OpenDir", func(d vfs.Dir, name string) error { return closed(d.OpenDir(name)) }, true, true},
		{"Open", func(d vfs.Dir, name string) error { return closed(d.Open(name)) }, true, true},
		{"Create", func(d vfs.Dir, name string) error { return closed(d.Create(name, 0o644)) }, false, false},
		{"Mkdir", func(d vfs.Dir, name string) error { return d.Mkdir(name, 0o755) }, false, false},
		{"Symlink", func(d vfs.Dir, name string) error { return d.Symlink("target", name) }, false, false},
		{"Readlink", func(d vfs.Dir, name string) error { _, err := d.Readlink(name); return err }, false, true},
		{"Rename from", func(d vfs.Dir, name string) error { return d.Rename(name, "new") }, false, true},
		{"Rename to", func(d vfs.Dir, name string) error { return d.Rename("file", name) }, false, false},
		{"Remove", func(d vfs.Dir, name string) error { return d.Remove(name) }, false, true},
		{"Rmdir", func(d vfs.Dir, name string) error { return d.Rmdir(name) }, false, true},
		{"Chmod", func(d vfs.Dir, name string) error { return d.Chmod(name, 0o700) }, true, true},
		{"Lchown", func(d vfs.Dir, name string) error { return d.Lchown(name, -1, -1) }, true, true},
		{"Chtimes", func(d vfs.Dir, name string) error { return d.Chtimes(name, now, now) }, true, true},
	}
	if d.Caps().Has(vfs.CanFollow) {
		all = append(all,
			method{"Stat", func(d vfs.Dir, name string) error { _, err := d.Stat(name); return err }, true, true},
			method{"FollowDir", func(d vfs.Dir, name string) error { return closed(d.FollowDir(name)) }, true, true},
			method{"FollowFile", func(d vfs.Dir, name string) error { return closed(d.FollowFile(name)) }, true, true})
	}
	if d.Caps().Has(vfs.CanLink) {
		all = append(all,
			method{"Link from", func(d vfs.Dir, name string) error { return d.Link(d, name, "new") }, false, false},
			method{"Link to", func(d vfs.Dir, name string) error { return d.Link(d, "file", name) }, false, false})
	}
	if d.Caps().Has(vfs.CanMove) {
		all = append(all,
			method{"Move from", func(d vfs.Dir, name string) error { return d.Move(name, d, "new") }, false, true},
			method{"Move to", func(d vfs.Dir, name string) error { return d.Move("file", d, name) }, false, false})
	}
	if d.Caps().Has(vfs.CanRewrite) {
		all = append(all,
			method{"Rewrite", func(d vfs.Dir, name string) error { return closed(d.Rewrite(name)) }, false, true})
	}
	if d.Caps().Has(vfs.CanNode) {
		all = append(all, nodeMethods()...)
	}
	if d.Caps().Has(vfs.CanMknod) {
		all = append(all,
			method{"Mknod", func(d vfs.Dir, name string) error { return d.Mknod(name, fs.ModeNamedPipe|0o600, 0) }, false, false})
	}
	return all
}

func badNames(t *testing.T, d vfs.Dir) {
	Fill(t, d, `
		sub/file 644 precious
		sub/a/b 644 precious
		b 644 precious
		c/
	`)
	sub := openDir(t, d, "sub")
	before := Tree(t, d, WithRoot, WithMtimes)
	for _, m := range methods(d) {
		t.Run(m.name, func(t *testing.T) {
			for _, name := range []string{
				"", ".", "..", "/", "a/", "a/b", "a/new", "../b", "../c", "../new", "./file", "//", "a\x00", "file\x00b", "new\x00", "\x00",
			} {
				if name == "." && m.dot {
					continue
				}
				err := m.call(sub, name)
				if err == nil {
					t.Errorf("%q is no error", name)
				} else if _, ok := errors.AsType[*fs.PathError](err); !ok {
					t.Errorf("%q: error %q is not a *fs.PathError", name, err)
				}
			}
			if after := Tree(t, d, WithRoot, WithMtimes); after != before {
				t.Errorf("before:\n%safter:\n%s", before, after)
			}
		})
	}
}

func missingName(t *testing.T, d vfs.Dir) {
	for _, m := range methods(d) {
		if !m.made {
			continue
		}
		t.Run(m.name, func(t *testing.T) {
			wantError(t, m.call(d, "missing"), "missing", fs.ErrNotExist)
		})
	}
	wantNames(t, d)
}
