package suite

import (
	"errors"
	"io/fs"
	"os"
	"testing"
	"time"

	"psync/internal/vfs"
	"psync/internal/vfs/fstest"
)

// settable are the bits of a mode that Chmod sets.
const settable = fs.ModePerm | fs.ModeSetuid | fs.ModeSetgid | fs.ModeSticky

// attrRules test the attributes that every entry has.
var attrRules = []rule{
	{name: "identities distinguish entries", tree: "a 644\nb 644\ndir/\nlink -> a", check: func(t *testing.T, d vfs.Dir) {
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
		if got, want := lstat(t, openDir(t, d, "dir"), ".").ID(), lstat(t, d, "dir").ID(); got != want {
			t.Errorf(`Lstat(".") has identity %v, by name it is %v`, got, want)
		}
	}},
	{name: "Stat returns what Lstat returns", check: onEach(func(t *testing.T, e named, by attributed) {
		a, err := by.Statx(vfs.StatxAll)
		must(t, err)
		if b := lstat(t, e.dir, e.name); a != b {
			t.Errorf("Stat is %+v, Lstat is %+v", a, b)
		}
	})},
	{name: "Stat returns how much was written", check: func(t *testing.T, d vfs.Dir) {
		f := create(t, d, "f")
		for _, data := range []string{"", "some", "some more"} {
			write(t, f, data, 0)
			a, err := vfs.Stat(f)
			must(t, err)
			if b := lstat(t, d, "f"); a.Size != int64(len(data)) || a.Size != b.Size || a.Mode != b.Mode || a.ID() != b.ID() {
				t.Errorf("Stat returns %+v, Lstat %+v, want size %d", a, b, len(data))
			}
		}
	}},
	{name: "Chmod sets permissions and special bits", check: onEach(chmodSets)},
	{name: "Chown sets owners, and leaves those of -1", check: onEach(func(t *testing.T, e named, by attributed) {
		check := func(uid, gid uint32) {
			t.Helper()
			if a := lstat(t, e.dir, e.name); a.UID != uid || a.GID != gid {
				t.Errorf("%q belongs to %d:%d, want %d:%d", e.name, a.UID, a.GID, uid, gid)
			}
		}
		before := lstat(t, e.dir, e.name)
		must(t, vfs.Chown(by, -1, -1))
		check(before.UID, before.GID)
		if err := vfs.Chown(by, 12, -1); err != nil {
			t.Skip("owners cannot be changed here:", err)
		}
		check(12, before.GID)
		must(t, vfs.Chown(by, -1, 34))
		check(12, 34)
		must(t, vfs.Chown(by, int(before.UID), int(before.GID)))
		check(before.UID, before.GID)
	})},
	{name: "Chtimes sets nanoseconds, before 1970 and after 2038 too", check: onEach(func(t *testing.T, e named, by attributed) {
		for _, mtime := range []time.Time{
			time.Unix(1234567890, 123456789),
			time.Unix(0, 0),
			time.Unix(-1, 1),
			time.Date(1960, time.February, 3, 4, 5, 6, 999999999, time.UTC),
			time.Date(2100, time.February, 3, 4, 5, 6, 7, time.UTC),
		} {
			atime := mtime.Add(1001 * time.Millisecond)
			chtimes(t, e, by, atime, mtime)
			wantTimes(t, e.dir, e.name, atime, mtime)
		}
	})},
	{name: "Chtimes leaves a time where a zero time is given", check: onEach(func(t *testing.T, e named, by attributed) {
		var zero time.Time
		one, two, three := time.Unix(1_000_000_000, 1), time.Unix(2_000_000_000, 2), time.Unix(3, 3)
		chtimes(t, e, by, one, two)
		for _, tt := range []struct{ atime, mtime, wantAtime, wantMtime time.Time }{
			{zero, zero, one, two},
			{three, zero, three, two},
			{zero, one, three, one},
		} {
			chtimes(t, e, by, tt.atime, tt.mtime)
			wantTimes(t, e.dir, e.name, tt.wantAtime, tt.wantMtime)
		}
	})},
	{name: "no call sets the change time", check: onEach(func(t *testing.T, e named, by attributed) {
		old := time.Unix(1_000_000_000, 0)
		before := lstat(t, e.dir, e.name).Ctime
		chtimes(t, e, by, old, old)
		if after := lstat(t, e.dir, e.name).Ctime; before == 0 || after < before || after == vfs.StampOf(old) {
			t.Errorf("change time %v, was %v", after.Time().UTC(), before.Time().UTC())
		}
	})},
	{name: "Statfs describes the volume, or is unsupported", check: func(t *testing.T, d vfs.Dir) {
		_, err := d.Statfs()
		skipUnsupported(t, err)
		must(t, err)
	}},
}

// attributed is implemented by Node, by File, and by named for a Dir and a name.
type attributed interface {
	Statx(want vfs.StatxWant) (vfs.Attr, error)
	Set(changes []vfs.Change) []error
}

// named is an entry that is changed by its name.
type named struct {
	dir  vfs.Dir
	name string
}

func (e named) Statx(vfs.StatxWant) (vfs.Attr, error) { return vfs.Lstat(e.dir, e.name) }
func (e named) Set(changes []vfs.Change) []error      { return e.dir.Set(e.name, changes) }

// onEach calls check with an entry of each type and each way to access its attributes, and checks that nothing happens
// to the other entries: no way follows a link.
func onEach(check func(t *testing.T, e named, by attributed)) func(*testing.T, vfs.Dir) {
	return func(t *testing.T, d vfs.Dir) {
		f := create(t, d, "file")
		fstest.Fill(t, d, "dir/\nto-file -> file\nto-dir -> dir\ndangling -> nowhere")
		names := []string{"file", "dir", "to-file", "to-dir", "dangling", "."}
		for _, name := range names {
			e := named{d, name}
			ways := map[string]attributed{"name": e}
			if name == "file" {
				ways["File"] = f
			}
			if d.Caps().Has(vfs.CanNode) {
				n, err := d.Node(name)
				ways["Node"] = lasting(t, n, err)
			}
			for way, by := range ways {
				t.Run(name+" by "+way, func(t *testing.T) {
					before := make(map[string]vfs.Attr)
					for _, other := range names {
						before[other] = lstat(t, d, other)
					}
					check(t, e, by)
					for _, other := range names {
						if after := lstat(t, d, other); other != name && after != before[other] {
							t.Errorf("%s: before %+v, after %+v", other, before[other], after)
						}
					}
				})
			}
		}
	}
}

// ownGroup gives an entry to a group of the caller, since a set-group-id bit would be dropped otherwise: on some
// systems, new entries have the group of their directory.
func ownGroup(t testing.TB, d vfs.Dir, name string) {
	t.Helper()
	must(t, vfs.Chown(vfs.In(d, name), -1, os.Getegid()))
}

func chmodSets(t *testing.T, e named, by attributed) {
	var modes []fs.FileMode
	switch typ := lstat(t, e.dir, e.name).Mode.Type(); {
	case typ == fs.ModeSymlink:
		// Some systems can do this and some cannot.
		if err := vfs.Chmod(by, 0o600); err != nil && by != attributed(e) {
			wantError(t, err, e.name, errors.ErrUnsupported)
		}
		if got := lstat(t, e.dir, e.name).Mode.Type(); got != typ {
			t.Errorf("the link is of type %v", got)
		}
		return
	case e.name == ".":
		modes = []fs.FileMode{fs.ModeSticky | 0o750, 0o700}
	case typ.IsDir():
		modes = []fs.FileMode{0, 0o700, fs.ModeSticky | 0o777, 0o755}
	default:
		modes = []fs.FileMode{0, 0o600, 0o777, fs.ModeSetuid | 0o755, fs.ModeSetgid | 0o755, 0o644}
	}
	ownGroup(t, e.dir, e.name)
	typ := lstat(t, e.dir, e.name).Mode.Type()
	for _, mode := range modes {
		must(t, vfs.Chmod(by, mode))
		if got := lstat(t, e.dir, e.name).Mode; got&settable != mode || got.Type() != typ {
			t.Errorf("mode %v, want %v", got, mode)
		}
	}
}

// chtimes sets times, or skips the test where that has to be done by name.
func chtimes(t testing.TB, e named, by attributed, atime, mtime time.Time) {
	t.Helper()
	err := vfs.Chtimes(by, atime, mtime)
	if by != attributed(e) {
		skipUnsupported(t, err)
	}
	must(t, err)
}
