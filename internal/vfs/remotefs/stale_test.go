package remotefs

import (
	"io/fs"
	"os"
	"path/filepath"
	"testing"

	"psync/internal/vfs"
)

// sub opens a directory below d.
func sub(t *testing.T, in vfs.Dir, name string, how vfs.Resolve) vfs.Dir {
	t.Helper()
	d, err := in.OpenDir(name, how)
	must(t, err)
	t.Cleanup(func() { _ = d.Close() })
	return d
}

func list(t *testing.T, d vfs.Dir) {
	t.Helper()
	must(t, d.ReadDir(func([]vfs.Entry) error { return nil }))
}

func create(t *testing.T, d vfs.Dir, name string) {
	t.Helper()
	f, err := d.OpenFile(name, vfs.Create, 0o600)
	must(t, err)
	must(t, f.Close())
}

// TestOwnChangesShow checks that no listing hides what the session has changed by other means than the Dir that is
// asked.
func TestOwnChangesShow(t *testing.T) {
	for name, row := range map[string]func(t *testing.T, d vfs.Dir, real string){
		"before a directory that came ahead is opened": func(t *testing.T, d vfs.Dir, _ string) {
			list(t, d)
			create(t, sub(t, d, "sub", vfs.Follow), "new")
			if _, err := vfs.Lstat(sub(t, d, "sub", vfs.NoFollow), "new"); err != nil {
				t.Error(err)
			}
		},
		"a directory in its parent after a second listing": func(t *testing.T, d vfs.Dir, _ string) {
			list(t, d)
			s := sub(t, d, "sub", vfs.NoFollow)
			must(t, vfs.Chmod(vfs.In(s, "."), 0o700))
			list(t, d)
			must(t, vfs.Chmod(vfs.In(s, "."), 0o750))
			if a, err := vfs.Lstat(d, "sub"); err != nil || a.Mode.Perm() != 0o750 {
				t.Error(a.Mode, err)
			}
		},
		"a directory in its parent by another Dir": func(t *testing.T, d vfs.Dir, _ string) {
			list(t, d)
			s := sub(t, d, "sub", vfs.NoFollow)
			list(t, s)
			must(t, vfs.Chmod(vfs.In(sub(t, d, "sub", vfs.Follow), "."), 0o750))
			if a, err := vfs.Lstat(d, "sub"); err != nil || a.Mode.Perm() != 0o750 {
				t.Error(a.Mode, err)
			}
		},
		"another name of a file": func(t *testing.T, d vfs.Dir, real string) {
			must(t, os.Link(filepath.Join(real, "f"), filepath.Join(real, "g")))
			list(t, d)
			must(t, vfs.Chmod(vfs.In(d, "f"), 0o640))
			if a, err := vfs.Lstat(d, "g"); err != nil || a.Mode.Perm() != 0o640 {
				t.Error(a.Mode, err)
			}
		},
		"a new directory by another Dir": func(t *testing.T, d vfs.Dir, _ string) {
			must(t, d.Make("made", vfs.Spec{Mode: fs.ModeDir | 0o700, Async: true}))
			one := sub(t, d, "made", vfs.NoFollow)
			_, err := vfs.Lstat(one, ".") // it is made now
			must(t, err)
			two := sub(t, d, "made", vfs.NoFollow)
			list(t, two)
			create(t, one, "by one")
			create(t, two, "by two")
			if _, err := vfs.Lstat(two, "by one"); err != nil {
				t.Error(err)
			}
			if _, err := vfs.Lstat(one, "by two"); err != nil {
				t.Error(err)
			}
		},
		"a file that was discarded": func(t *testing.T, d vfs.Dir, _ string) {
			f, err := d.OpenFile("late", vfs.CreateAsync, 0o600)
			must(t, err)
			_, err = vfs.Stat(f) // it is made now
			must(t, err)
			list(t, d)
			must(t, f.Close())
			if !d.(*Dir).relist {
				t.Error("the listing is believed")
			}
		},
	} {
		t.Run(name, func(t *testing.T) {
			real := realDir(t)
			must(t, os.Mkdir(filepath.Join(real, "sub"), 0o755))
			must(t, os.WriteFile(filepath.Join(real, "f"), nil, 0o600))
			row(t, openDir(t, newHost(t), real), real)
		})
	}
}
