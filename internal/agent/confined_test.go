package agent

import (
	"io/fs"
	"path/filepath"
	"syscall"
	"testing"

	"psync/internal/vfs"
	"psync/internal/wire"
)

func TestRootConfinesHandles(t *testing.T) {
	root := fixture(t)
	c := connect(t, Options{Root: root})
	c.open(1, "/")
	c.open(2, "d")
	for what, m := range map[string]wire.Message{
		"follow a directory": &wire.OpenDir{New: 10, Dir: 1, Name: "out", How: vfs.Follow},
		"follow inside":      &wire.OpenDir{New: 11, Dir: 1, Name: "in", How: vfs.Follow},
		"up from the root":   &wire.OpenDir{New: 12, Dir: 1, How: vfs.Parent},
		"follow a file":      &wire.Get{New: 13, Dir: 1, Name: "file", How: vfs.Follow, Max: 100},
		"stat of a link":     &wire.Lstat{Target: target(1, "file"), Follow: true},
		"look of a removal":  &wire.Remove{Target: target(1, "file"), Only: &vfs.Premise{Follow: true}},
	} {
		c.wantError(what, c.ask(m), fs.ErrPermission)
	}
	for what, m := range map[string]wire.Message{
		"a link as a directory": &wire.OpenDir{New: 20, Dir: 1, Name: "out"},
		"within":                &wire.OpenDir{New: 21, Dir: 1, Name: "out", How: vfs.NoXDev},
		"a link as a file":      &wire.Get{New: 22, Dir: 1, Name: "file", Max: 100},
		"to write":              &wire.Create{New: 23, Dir: 1, Name: "file", Mode: vfs.OpenCreate},
		"to rewrite":            &wire.Create{New: 24, Dir: 1, Name: "file", Mode: vfs.ReadWrite},
	} {
		if _, ok := c.ask(m).(*wire.Error); !ok {
			t.Errorf("%s: no error", what)
		}
	}
	must[wire.Opened](c, &wire.OpenDir{New: 30, Dir: 2, How: vfs.Parent})
	must[wire.Opened](c, &wire.OpenDir{New: 31, Dir: 1, Name: "d", How: vfs.Follow})
	must[wire.Got](c, &wire.Get{New: 32, Dir: 2, Name: "f", How: vfs.Follow})
	wantContents(t, filepath.Join(filepath.Dir(root), "secret", "f"), "secret")
}

func TestReadOnlyRefusesChanges(t *testing.T) {
	root := fixture(t)
	c := connect(t, Options{ReadOnly: true})
	c.open(1, root)
	c.open(2, filepath.Join(root, "d"))
	must[wire.Got](c, &wire.Get{New: 3, Dir: 2, Name: "f"})
	chmod := []vfs.Change{{Kind: vfs.ModeChange, Mode: 0o777}}
	for _, m := range []wire.Message{
		&wire.Mkdir{New: 10, Dir: 1, Name: "x", Perm: 0o777},
		&wire.Symlink{Target: target(1, "x"), To: "y"},
		&wire.Link{Old: target(2, "f"), Target: target(1, "x")},
		&wire.Mknod{Target: target(1, "x"), Mode: fs.ModeNamedPipe | 0o666},
		&wire.Rename{Old: target(2, "f"), Target: target(1, "x")},
		&wire.Remove{Target: target(2, "f")},
		&wire.Remove{Target: target(2, "f"), Only: &vfs.Premise{}},
		&wire.Rename{Old: target(2, "e"), Target: target(2, "f"), Only: &vfs.Premise{}},
		&wire.Remove{Target: target(2, "e"), IsDir: true},
		&wire.Create{New: 11, Dir: 1, Name: "x", Mode: vfs.Create},
		&wire.Create{New: 12, Dir: 2, Name: "f", Mode: vfs.OpenCreate},
		&wire.Create{New: 13, Dir: 2, Name: "f", Mode: vfs.ReadWrite},
		&wire.Put{Dir: 1, Name: "x"},
		&wire.Write{File: 3, Data: []byte("x")},
		&wire.Resize{File: 3, How: wire.Truncate},
		&wire.Copy{File: 3, From: 3, N: -1},
		&wire.Set{Target: target(2, "f"), Changes: chmod},
		&wire.Set{Target: target(2, "."), Changes: chmod},
		&wire.Write{File: 11, Data: []byte("x")},
		&wire.Finish{File: 3, Writes: 3, Changes: chmod},
		&wire.OpenPath{New: 14, Path: root + "/x", Options: vfs.OpenOptions{Trusted: true, Mkdir: true}},
	} {
		c.wantError("", c.ask(m), syscall.EROFS)
	}
	wantFiles(t, root, "d", "file", "in", "out")
	wantFiles(t, filepath.Join(root, "d"), "e", "f")
	wantContents(t, filepath.Join(root, "d", "f"), "data")
}
