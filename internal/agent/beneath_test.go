package agent

import (
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"psync/internal/vfs"
	"psync/internal/wire"
)

// fixture makes a directory "root" with entries that lead out of it.
func fixture(t *testing.T) (root string) {
	t.Helper()
	top := t.TempDir()
	root = filepath.Join(top, "root")
	for _, err := range []error{
		os.MkdirAll(filepath.Join(root, "d", "e"), 0o777),
		os.Mkdir(filepath.Join(top, "secret"), 0o777),
		os.Symlink("../secret", filepath.Join(root, "out")),
		os.Symlink("d", filepath.Join(root, "in")),
		os.Symlink("../secret/f", filepath.Join(root, "file")),
	} {
		if err != nil {
			t.Fatal(err)
		}
	}
	writeFile(t, "secret", top, "secret", "f")
	writeFile(t, "data", root, "d", "f")
	return root
}

func TestRootConfinesPaths(t *testing.T) {
	root := fixture(t)
	c := connect(t, Options{Root: root})
	h := wire.Handle(1)
	for _, tt := range []struct {
		path string
		want error
	}{
		{"", nil},
		{"/", nil},
		{".", nil},
		{"d/e", nil},
		{"/d//./e/", nil},
		{root, fs.ErrNotExist}, // beneath itself
		{"..", fs.ErrPermission},
		{"/..", fs.ErrPermission},
		{"../secret", fs.ErrPermission},
		{"d/../..", fs.ErrPermission},
		{"d/..", fs.ErrPermission},
		{"out", fs.ErrPermission},
		{"out/", fs.ErrPermission},
		{"out/x", fs.ErrPermission},
		{"in", fs.ErrPermission},
		{"in/e", fs.ErrPermission},
		{"missing", fs.ErrNotExist},
	} {
		for _, m := range []wire.Message{
			&wire.OpenPath{New: h, Path: tt.path},
			&wire.OpenPath{New: h + 1, Path: tt.path, Options: vfs.OpenOptions{Trusted: true, Insecure: true}},
			&wire.PathQuery{Query: wire.QueryStat, Path: tt.path},
			&wire.PathQuery{Query: wire.QueryResolve, Path: tt.path},
			&wire.PathQuery{Query: wire.QueryInside, Path: tt.path, Outer: "/"},
			&wire.PathQuery{Query: wire.QueryInside, Path: "/", Outer: tt.path},
		} {
			answer := c.ask(m)
			if tt.want != nil {
				c.wantError(tt.path, answer, tt.want)
			} else if e, ok := answer.(*wire.Error); ok {
				t.Errorf("%T of %q: %+v", m, tt.path, e)
			}
		}
		h += 2
	}
	must[wire.Opened](c, &wire.OpenPath{New: h, Path: "new/newer", Options: vfs.OpenOptions{Trusted: true, MkdirAll: true, Perm: 0o777}})
	c.wantError("two missing", c.ask(&wire.OpenPath{New: h + 1, Path: "x/y", Options: vfs.OpenOptions{Trusted: true, Mkdir: true, Perm: 0o777}}), fs.ErrNotExist)
	c.wantError("through a link", c.ask(&wire.OpenPath{New: h + 2, Path: "out/y", Options: vfs.OpenOptions{Trusted: true, MkdirAll: true, Perm: 0o777}}), fs.ErrPermission)
	wantFiles(t, filepath.Join(filepath.Dir(root), "secret"), "f")
	if got := must[wire.Paths](c, &wire.PathQuery{Query: wire.QueryInside, Path: "d/e", Outer: "/d"}); !slices.Equal(got.Paths, []string{"e"}) {
		t.Errorf("Inside = %+v", got)
	}
}
