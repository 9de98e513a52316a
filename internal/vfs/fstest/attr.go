package fstest

import (
	"io/fs"
	"os"
	"testing"

	"psync/internal/vfs"
)

func attrPromises() []promise {
	return []promise{
		{"Lstat tells types and sizes", lstatTells},
		{"identities tell entries apart", identities},
		{"Chmod sets permissions and special bits", chmodSets},
		{"File.Chmod sets permissions and special bits", fileChmodSets},
		{"an owner of -1 stays", chownNobody},
		{"Lchown changes the entry, not what it links to", lchownLink},
	}
}

func lstatTells(t *testing.T, d vfs.Dir) {
	put(t, d, "file", "12345")
	must(t, d.Mkdir("dir", 0o750))
	if a := lstat(t, d, "file"); a.Mode != 0o644 || a.Size != 5 || a.Nlink != 1 {
		t.Errorf("the file is %+v", a)
	}
	if a := lstat(t, d, "dir"); a.Mode.Type() != fs.ModeDir || a.Mode.Perm() != 0o750 {
		t.Errorf("the directory is %+v", a)
	}
	if a := lstat(t, d, "."); !a.Mode.IsDir() {
		t.Errorf(`"." is %+v`, a)
	}
}

func identities(t *testing.T, d vfs.Dir) {
	put(t, d, "a", "")
	put(t, d, "b", "")
	must(t, d.Mkdir("dir", 0o755))
	must(t, d.Symlink("a", "link"))
	seen := make(map[vfs.ID]string)
	for _, name := range []string{".", "a", "b", "dir", "link"} {
		id := lstat(t, d, name).ID()
		if other, ok := seen[id]; ok {
			t.Errorf("%q and %q have the same identity", other, name)
		}
		seen[id] = name
		if again := lstat(t, d, name).ID(); again != id {
			t.Errorf("%q has identity %v, then %v", name, id, again)
		}
	}
	a, err := open(t, d, "a").Stat()
	must(t, err)
	if seen[a.ID()] != "a" {
		t.Error("Stat and Lstat differ about the identity of a file")
	}
}

func chmodSets(t *testing.T, d vfs.Dir) {
	put(t, d, "file", "")
	must(t, d.Mkdir("dir", 0o755))
	ownGroup(t, d, "file")
	for _, tt := range []struct {
		name string
		mode fs.FileMode
	}{
		{"file", 0},
		{"file", 0o600},
		{"file", 0o777},
		{"file", fs.ModeSetuid | 0o755},
		{"file", fs.ModeSetgid | 0o755},
		{"file", 0o644},
		{"dir", 0},
		{"dir", 0o700},
		{"dir", fs.ModeSticky | 0o777},
		{"dir", 0o755},
		{".", fs.ModeSticky | 0o750},
		{".", 0o700},
	} {
		must(t, d.Chmod(tt.name, tt.mode))
		a := lstat(t, d, tt.name)
		if got := a.Mode & settable; got != tt.mode {
			t.Errorf("%q has mode %v, want %v", tt.name, got, tt.mode)
		}
		if a.Mode.IsDir() != (tt.name != "file") {
			t.Errorf("%q is of type %v", tt.name, a.Mode.Type())
		}
	}
}

func fileChmodSets(t *testing.T, d vfs.Dir) {
	f := create(t, d, "file")
	ownGroup(t, d, "file")
	for _, mode := range []fs.FileMode{0, 0o600, 0o777, fs.ModeSetuid | 0o755, fs.ModeSetgid | 0o755, 0o644} {
		must(t, f.Chmod(mode))
		if got := lstat(t, d, "file").Mode; got != mode {
			t.Errorf("the file has mode %v, want %v", got, mode)
		}
	}
}

// ownGroup gives an entry to a group of the caller's, for whom a set-group-id bit
// would be dropped otherwise. New entries have the group of their directory on
// some systems.
func ownGroup(t testing.TB, d vfs.Dir, name string) {
	t.Helper()
	must(t, d.Lchown(name, -1, os.Getegid()))
}

func chownNobody(t *testing.T, d vfs.Dir) {
	f := create(t, d, "file")
	must(t, d.Mkdir("dir", 0o755))
	must(t, d.Symlink("nowhere", "link"))
	for _, name := range []string{"file", "dir", "link", "."} {
		before := lstat(t, d, name)
		must(t, d.Lchown(name, -1, -1))
		if name == "file" {
			must(t, f.Chown(-1, -1))
		}
		if after := lstat(t, d, name); after.UID != before.UID || after.GID != before.GID {
			t.Errorf("%q: before %+v, after %+v", name, before, after)
		}
	}
}

func lchownLink(t *testing.T, d vfs.Dir) {
	const uid, gid = 12, 34
	f := create(t, d, "file")
	must(t, d.Mkdir("dir", 0o755))
	must(t, d.Symlink("file", "link"))
	before := lstat(t, d, "file")
	if err := d.Lchown("link", uid, gid); err != nil {
		t.Skip("owners cannot be changed here:", err)
	}
	if a := lstat(t, d, "link"); a.UID != uid || a.GID != gid {
		t.Errorf("the link belongs to %d:%d, want %d:%d", a.UID, a.GID, uid, gid)
	}
	if a := lstat(t, d, "file"); a.UID != before.UID || a.GID != before.GID {
		t.Errorf("the target belongs to %d:%d, want %d:%d", a.UID, a.GID, before.UID, before.GID)
	}
	must(t, d.Lchown("dir", uid, -1))
	if a := lstat(t, d, "dir"); a.UID != uid || a.GID != before.GID {
		t.Errorf("the directory belongs to %d:%d, want %d:%d", a.UID, a.GID, uid, before.GID)
	}
	must(t, f.Chown(-1, gid))
	if a := lstat(t, d, "file"); a.UID != before.UID || a.GID != gid {
		t.Errorf("the file belongs to %d:%d, want %d:%d", a.UID, a.GID, before.UID, gid)
	}
}
