package fstest

import (
	"io/fs"
	"strings"
	"testing"

	"psync/internal/vfs"
)

func linkPromises() []promise {
	return []promise{
		{"Readlink returns the target that Symlink was given", linkTargets},
		{"Symlink refuses a target with NUL", linkNUL},
		{"Readlink refuses what is no link", readlinkRefuses},
		{"Lstat does not follow a link", lstatLink},
		{"Chmod does not follow a link", chmodLink},
	}
}

func linkTargets(t *testing.T, d vfs.Dir) {
	for _, target := range []string{
		"file", "../..", "/an/absolute/path", ".", "dir/", "a//b", " ", "-rf", "two\nlines", "\xff\xfe", "ä",
		strings.Repeat("0123456789", 100),
	} {
		err := d.Symlink(target, "link")
		if notUTF8(err) {
			continue
		}
		must(t, err)
		got, err := d.Readlink("link")
		must(t, err)
		if got != target {
			t.Errorf("target %q, want %q", got, target)
		}
		if size := lstat(t, d, "link").Size; size != int64(len(target)) {
			t.Errorf("the link to %q has size %d, want %d", target, size, len(target))
		}
		must(t, d.Remove("link"))
	}
}

func linkNUL(t *testing.T, d vfs.Dir) {
	wantError(t, d.Symlink("cut\x00off", "link"), "link", nil)
	wantNames(t, d)
}

func readlinkRefuses(t *testing.T, d vfs.Dir) {
	put(t, d, "file", "")
	must(t, d.Mkdir("dir", 0o755))
	for _, name := range []string{"file", "dir"} {
		_, err := d.Readlink(name)
		wantError(t, err, name, nil)
	}
}

func lstatLink(t *testing.T, d vfs.Dir) {
	must(t, d.Mkdir("dir", 0o755))
	for _, target := range []string{"dir", "nowhere"} {
		name := "to " + target
		must(t, d.Symlink(target, name))
		if got := lstat(t, d, name).Mode.Type(); got != fs.ModeSymlink {
			t.Errorf("%s is of type %v, want %v", name, got, fs.ModeSymlink)
		}
	}
}

func chmodLink(t *testing.T, d vfs.Dir) {
	put(t, d, "file", "")
	must(t, d.Symlink("file", "link"))
	// Some systems can do this and some cannot; none may touch the target.
	_ = d.Chmod("link", 0o600)
	if got := lstat(t, d, "file").Mode; got != 0o644 {
		t.Errorf("the target has mode %v, want %v", got, fs.FileMode(0o644))
	}
	if got := lstat(t, d, "link").Mode.Type(); got != fs.ModeSymlink {
		t.Errorf("the link is of type %v", got)
	}
}
