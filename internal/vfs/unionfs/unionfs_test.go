package unionfs_test

import (
	"errors"
	"io/fs"
	"path"
	"slices"
	"strings"
	"testing"

	"psync/internal/filesfrom"
	"psync/internal/vfs"
	"psync/internal/vfs/fstest"
	"psync/internal/vfs/memfs"
	"psync/internal/vfs/suite"
	"psync/internal/vfs/unionfs"
)

// unkept maps the tests of promises of vfs that a union does not keep to the reasons.
var unkept = map[string]string{
	"a_directory's_time_follows_its_entries":                 "nothing is moved to a union",
	"Rename_replaces_what_is_unchanged_in_another_directory": "nothing is moved to a union",
}

// TestDir holds a union with an empty directory to the promises of vfs.
func TestDir(t *testing.T) {
	suite.TestDir(t, func(t testing.TB) vfs.Dir {
		if why := unkept[path.Base(t.Name())]; why != "" {
			t.Skip(why)
		}
		m := memfs.New()
		return unionfs.New([]unionfs.Member{{Dir: m.TestRoot(t)}, {Dir: memfs.New().Root()}}, unionfs.Options{})
	})
}

// union returns the union of trees, which lists restrict, unless they are "".
func union(t *testing.T, o unionfs.Options, trees []string, lists ...string) *unionfs.Dir {
	t.Helper()
	var members []unionfs.Member
	for i, tree := range trees {
		d := memfs.New().Root()
		fstest.Fill(t, d, tree)
		m := unionfs.Member{Dir: d}
		if i < len(lists) && lists[i] != "" {
			l, err := filesfrom.New(strings.Fields(lists[i]))
			if err != nil {
				t.Fatal(err)
			}
			m.List = l
		}
		members = append(members, m)
	}
	d := unionfs.New(members, o)
	t.Cleanup(func() { d.Close() })
	return d
}

// show returns what a directory shows, each entry with its contents or target.
func show(t *testing.T, d vfs.Dir) string {
	t.Helper()
	var lines []string
	err := d.ReadDir(func(entries []vfs.Entry) error {
		for _, e := range entries {
			attr, err := vfs.Lstat(d, e.Name)
			if err != nil || attr.Mode.Type() != e.Type {
				t.Errorf("%s: %v, %v, listed as %v", e.Name, attr.Mode, err, e.Type)
			}
			switch e.Type {
			case 0:
				f, err := d.OpenFile(e.Name, vfs.ReadOnly, 0)
				if err != nil {
					t.Fatal(err)
				}
				text := make([]byte, attr.Size)
				if _, err := f.ReadAt(text, 0); err != nil {
					t.Error(err)
				}
				f.Close()
				lines = append(lines, e.Name+"="+string(text))
			case fs.ModeSymlink:
				target, err := d.Readlink(e.Name)
				if err != nil {
					t.Error(err)
				}
				lines = append(lines, e.Name+">"+target)
			case fs.ModeDir:
				sub, err := d.OpenDir(e.Name, vfs.NoFollow)
				if err != nil {
					t.Fatal(err)
				}
				lines = append(lines, e.Name+"("+show(t, sub)+")")
				sub.Close()
			}
		}
		return nil
	})
	if err != nil {
		t.Error(err)
	}
	slices.Sort(lines)
	return strings.Join(lines, " ")
}

func TestWhatIsShown(t *testing.T) {
	const a, b = "f 644 1\nd/x 644 1\nd/e/y 644 1\nl -> f\nm 644 1\nn/z 644 1\n", "f 644 2\nd/x 644 2\nd/e/w 644 2\nl/q 644 2\nm/k 644 2\nn 644 2\no 644 2\n"
	tests := []struct {
		name  string
		o     unionfs.Options
		lists []string
		want  string
	}{
		{"the first, and directories of all", unionfs.Options{}, nil, "d(e(w=2 y=1) x=1) f=1 l(q=2) m(k=2) n(z=1) o=2"},
		{
			"what is hidden comes last",
			unionfs.Options{Hidden: func(path string, isDir bool) bool { return path == "m" && isDir || path == "n" && isDir }},
			nil,
			"d(e(w=2 y=1) x=1) f=1 l(q=2) m=1 n=2 o=2",
		},
		{"names", unionfs.Options{}, []string{"", "f o"}, "d(e(y=1) x=1) f=1 l>f m=1 n(z=1) o=2"},
		{"paths", unionfs.Options{}, []string{"d/e", "d/x f"}, "d(e(y=1) x=2) f=2"},
	}
	for _, tt := range tests {
		d := union(t, tt.o, []string{a, b}, tt.lists...)
		if got := show(t, d); got != tt.want {
			t.Errorf("%s: %s, want %s", tt.name, got, tt.want)
		}
	}
}

func TestLinksToDirectoriesCountAsThese(t *testing.T) {
	d := union(t, unionfs.Options{Follow: true}, []string{"d -> e\ne/x 644 1\n", "d/y 644 2\ne 644 2\n"})
	sub, err := d.OpenDir("d", vfs.Follow)
	if err != nil {
		t.Fatal(err)
	}
	defer sub.Close()
	if got, want := show(t, sub), "x=1 y=2"; got != want {
		t.Errorf("%s, want %s", got, want)
	}
	if attr, err := d.Statx("d", vfs.StatxAll); err != nil || attr.Mode.Type() != fs.ModeSymlink {
		t.Errorf("%v, %v, want the link, which is the first", attr.Mode, err)
	}
}

// TestLinksAreNotFollowedBesideDirectories follows a link only where no member has a directory.
func TestLinksAreNotFollowedBesideDirectories(t *testing.T) {
	d := union(t, unionfs.Options{}, []string{"d -> e\ne/x 644 1\nl -> e\n", "d/y 644 2\n"})
	for name, want := range map[string]string{"d": "y=2", "l": "x=1"} {
		sub, err := d.OpenDir(name, vfs.Follow)
		if err != nil {
			t.Fatal(err)
		}
		if got := show(t, sub); got != want {
			t.Errorf("%s: %s, want %s", name, got, want)
		}
		sub.Close()
	}
}

// TestNamesAreLookedUpAgain has entries vanish and appear after a listing.
func TestNamesAreLookedUpAgain(t *testing.T) {
	a, b := memfs.New().Root(), memfs.New().Root()
	fstest.Fill(t, a, "f 644 1")
	fstest.Fill(t, b, "f 644 22")
	d := unionfs.New([]unionfs.Member{{Dir: a}, {Dir: b}}, unionfs.Options{})
	defer d.Close()
	show(t, d)
	fstest.Fill(t, b, "new 644 2")
	if attr, err := d.Statx("new", vfs.StatxFresh); err != nil || attr.Size != 1 {
		t.Errorf("new: %d bytes, %v", attr.Size, err)
	}
	if err := d.Remove("f", nil); err != nil {
		t.Error(err)
	}
	if attr, err := d.Statx("f", vfs.StatxFresh); err != nil || attr.Size != 2 {
		t.Errorf("the other f: %d bytes, %v", attr.Size, err)
	}
	if err := b.Remove("f", nil); err != nil {
		t.Error(err)
	}
	if _, err := d.Statx("f", vfs.StatxFresh); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("no f: %v", err)
	}
}

// closedDir has subdirectories that cannot be opened.
type closedDir struct{ vfs.Dir }

func (d *closedDir) OpenDir(name string, _ vfs.Resolve) (vfs.Dir, error) {
	return nil, &fs.PathError{Op: "open", Path: name, Err: fs.ErrPermission}
}

// TestListingsEndWithErrorsOfMembers has a member that cannot be read, so that nothing may count as missing below it.
func TestListingsEndWithErrorsOfMembers(t *testing.T) {
	a, b := memfs.New().Root(), memfs.New().Root()
	fstest.Fill(t, a, "d/e/x 644 1")
	fstest.Fill(t, b, "d/e/y 644 2")
	var d vfs.Dir = unionfs.New([]unionfs.Member{{Dir: a}, {Dir: &closedDir{b}}}, unionfs.Options{})
	defer d.Close()
	for _, name := range []string{"d", "e"} {
		sub, err := d.OpenDir(name, vfs.NoFollow)
		if err != nil {
			t.Fatal(err)
		}
		defer sub.Close()
		d = sub
		entries := 0
		err = d.ReadDir(func(e []vfs.Entry) error {
			entries += len(e)
			return nil
		})
		if entries != 1 || !errors.Is(err, fs.ErrPermission) {
			t.Errorf("%s: %d entries, %v", name, entries, err)
		}
		if _, err := d.Statx("none", vfs.StatxFresh); !errors.Is(err, fs.ErrPermission) {
			t.Errorf("what another member may have: %v", err)
		}
	}
}

// TestMounts leaves out directories on other file systems where a member has one that is not.
func TestMounts(t *testing.T) {
	for _, mounted := range []int{0, 1} {
		trees := []string{"d/x 644 1\nf/x 644 1\n", "d/y 644 2\nf 644 2\n"}
		members := make([]unionfs.Member, len(trees))
		var dev uint64
		for i, tree := range trees {
			d := memfs.New().Root()
			fstest.Fill(t, d, tree)
			attr, err := vfs.Lstat(d, ".")
			if err != nil {
				t.Fatal(err)
			}
			members[i] = unionfs.Member{Dir: d}
			if i != mounted {
				dev = attr.Dev
			}
		}
		d := unionfs.New(members, unionfs.Options{Dev: dev})
		want := []string{"d(y=2) f(x=1)", "d(x=1) f(x=1)"}[mounted]
		if got := show(t, d); got != want {
			t.Errorf("member %d is mounted: %s, want %s", mounted, got, want)
		}
		d.Close()
	}
}
