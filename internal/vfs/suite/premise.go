package suite

import (
	"errors"
	"io/fs"
	"testing"
	"time"

	"psync/internal/vfs"
	"psync/internal/vfs/fstest"
)

// A sharedRule is a rule about a directory that another process changes meanwhile through other.
type sharedRule struct {
	name  string
	needs vfs.Caps
	check func(t *testing.T, d, other vfs.Dir)
	want  string // the tree after the check
}

// TestSharedDir tests that questions asked right before a change, or together with it, are answered by the volume after
// the call was made, not from a cache. Each subtest calls new for an empty directory that is opened twice: d must not
// know what is done through other. The tree is listed through d, with all attributes, before anything changes.
func TestSharedDir(t *testing.T, new func(testing.TB) (d, other vfs.Dir)) {
	for _, r := range premiseRules {
		t.Run(r.name, func(t *testing.T) {
			d, other := new(t)
			needs(t, d, r.needs)
			fstest.Fill(t, other, shared)
			_ = fstest.Tree(t, d, fstest.WithRoot, fstest.WithMtimes)
			r.check(t, d, other)
			wantTree(t, other, r.want)
		})
	}
}

// shared is the tree that the rules start with. Its times are long past, so that every change shows in them.
const shared = `dir/ 755
f 644 @2001-01-01T00:00:00Z contents
link -> f
temp 644 @2002-01-01T00:00:00Z new
`

const (
	sharedWithoutF    = "dir/ 755\nlink -> f\ntemp 644 new\n"
	sharedWithoutTemp = "dir/ 755\nf 644 new\nlink -> f\n"
)

var premiseRules = []sharedRule{
	{"Look shows what others have done", 0, func(t *testing.T, d, other vfs.Dir) {
		rewrite(t, other, "f", "edited by another")
		must(t, other.Remove("link", nil))
		put(t, other, "made", "x")
		if a, err := d.Statx("f", vfs.StatxFresh); err != nil || a.Size != int64(len("edited by another")) {
			t.Errorf("a file that was rewritten: %+v, %v", a, err)
		}
		if _, err := d.Statx("link", vfs.StatxFresh); !errors.Is(err, fs.ErrNotExist) {
			t.Errorf("an entry that was removed: %v", err)
		}
		if a, err := d.Statx("made", vfs.StatxFresh); err != nil || a.Size != 1 {
			t.Errorf("a new file: %+v, %v", a, err)
		}
		must(t, vfs.Chtimes(vfs.In(other, "."), now, now))
		if a, err := d.Statx(".", vfs.StatxFresh); err != nil || !a.Mtime.Equal(now) {
			t.Errorf("the directory itself: %+v, %v", a, err)
		}
	}, "dir/ 755\nf 644 edited by another\nmade 644 x\ntemp 644 new\n"},
	{"Remove with a premise removes what is unchanged", 0, func(t *testing.T, d, _ vfs.Dir) {
		for _, name := range []string{"f", "link"} {
			must(t, d.Remove(name, new(vfs.PremiseOf(lstat(t, d, name)))))
		}
		wantNames(t, d, "dir", "temp")
	}, "dir/ 755\ntemp 644 new\n"},
	{"Remove with a premise keeps what was rewritten", 0, func(t *testing.T, d, other vfs.Dir) {
		only := vfs.PremiseOf(lstat(t, d, "f"))
		rewrite(t, other, "f", "CONTENTS")
		wantError(t, d.Remove("f", &only), "f", vfs.ErrChanged)
	}, "dir/ 755\nf 644 CONTENTS\nlink -> f\ntemp 644 new\n"},
	{"Remove with a premise keeps what was appended to", 0, func(t *testing.T, d, other vfs.Dir) {
		was := lstat(t, d, "f")
		rewrite(t, other, "f", "contents and more")
		must(t, vfs.Chtimes(vfs.In(other, "f"), time.Time{}, was.Mtime))
		wantError(t, d.Remove("f", new(vfs.PremiseOf(was))), "f", vfs.ErrChanged)
	}, "dir/ 755\nf 644 contents and more\nlink -> f\ntemp 644 new\n"},
	{"Remove with a premise keeps what has become something else", 0, func(t *testing.T, d, other vfs.Dir) {
		only := vfs.PremiseOf(lstat(t, d, "f"))
		must(t, errors.Join(other.Remove("f", nil), vfs.Symlink(other, "temp", "f")))
		wantError(t, d.Remove("f", &only), "f", vfs.ErrChanged)
	}, "dir/ 755\nf -> temp\nlink -> f\ntemp 644 new\n"},
	{"Remove with a premise keeps another file of the same size and time", 0, func(t *testing.T, d, other vfs.Dir) {
		was := lstat(t, d, "f")
		put(t, other, "another", "CONTENTS")
		must(t, vfs.Chtimes(vfs.In(other, "another"), time.Time{}, was.Mtime))
		must(t, other.Rename("another", nil, "f", nil))
		wantError(t, d.Remove("f", new(vfs.PremiseOf(was))), "f", vfs.ErrChanged)
	}, "dir/ 755\nf 644 CONTENTS\nlink -> f\ntemp 644 new\n"},
	{"Remove with a premise of what is gone fails as without", 0, func(t *testing.T, d, other vfs.Dir) {
		only := vfs.PremiseOf(lstat(t, d, "f"))
		must(t, other.Remove("f", nil))
		wantError(t, d.Remove("f", &only), "f", fs.ErrNotExist)
	}, sharedWithoutF},
	{"Remove with a premise removes no directory", 0, func(t *testing.T, d, _ vfs.Dir) {
		if err := d.Remove("dir", new(vfs.PremiseOf(lstat(t, d, "dir")))); err == nil {
			t.Error("a directory was removed")
		}
	}, "dir/ 755\nf 644 contents\nlink -> f\ntemp 644 new\n"},
	{"Remove with a premise can look through a link", 0, func(t *testing.T, d, other vfs.Dir) {
		only := vfs.PremiseOf(lstat(t, d, "f"))
		only.Follow = true
		rewrite(t, other, "f", "edited by another")
		wantError(t, d.Remove("link", &only), "link", vfs.ErrChanged)
		now, err := d.Statx("f", vfs.StatxFresh)
		must(t, err)
		only = vfs.PremiseOf(now)
		only.Follow = true
		must(t, d.Remove("link", &only))
	}, "dir/ 755\nf 644 edited by another\ntemp 644 new\n"},
	{"Rename replaces what is unchanged", 0, func(t *testing.T, d, _ vfs.Dir) {
		must(t, d.Rename("temp", nil, "f", new(vfs.PremiseOf(lstat(t, d, "f")))))
	}, sharedWithoutTemp},
	{"Rename leaves alone what was edited", 0, func(t *testing.T, d, other vfs.Dir) {
		only := vfs.PremiseOf(lstat(t, d, "f"))
		rewrite(t, other, "f", "CONTENTS")
		wantError(t, d.Rename("temp", nil, "f", &only), "f", vfs.ErrChanged)
	}, "dir/ 755\nf 644 CONTENTS\nlink -> f\ntemp 644 new\n"},
	{"Rename makes nothing where the entry is gone", 0, func(t *testing.T, d, other vfs.Dir) {
		only := vfs.PremiseOf(lstat(t, d, "f"))
		must(t, other.Remove("f", nil))
		wantError(t, d.Rename("temp", nil, "f", &only), "f", vfs.ErrChanged)
	}, sharedWithoutF},
	{"Rename replaces what is unchanged in another directory", 0, func(t *testing.T, d, other vfs.Dir) {
		only := vfs.PremiseOf(lstat(t, d, "f"))
		must(t, other.Rename("temp", nil, "moved", nil))
		from := openDir(t, d, "dir")
		put(t, from, "temp", "new")
		must(t, from.Rename("temp", d, "f", &only))
		only = vfs.PremiseOf(lstat(t, d, "f"))
		rewrite(t, other, "f", "edited")
		put(t, from, "temp", "newer")
		wantError(t, from.Rename("temp", d, "f", &only), "f", vfs.ErrChanged)
	}, "dir/ 755\ndir/temp 644 newer\nf 644 edited\nlink -> f\nmoved 644 new\n"},
}

// rewrite replaces the contents of a file.
func rewrite(t testing.TB, d vfs.Dir, name, data string) {
	t.Helper()
	f, err := d.OpenFile(name, vfs.ReadWrite, 0)
	must(t, err)
	must(t, f.Truncate(0))
	write(t, f, data, 0)
	must(t, f.Close())
}
