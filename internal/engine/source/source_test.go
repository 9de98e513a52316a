package source

import (
	"fmt"
	"io/fs"
	"slices"
	"strings"
	"testing"

	"psync/internal/engine/dirnames"
	"psync/internal/filesfrom"
	"psync/internal/metadata"
	"psync/internal/plan"
	"psync/internal/vfs"
	"psync/internal/vfs/fstest"
	"psync/internal/vfs/memfs"
)

const tree = `
	f 644 x
	._f 644 "attributes of f"
	._alone 644 "a file of its own"
	d/sub/ 755
	full/sub/g 644 x
	.Trashes/ 755
	to-f -> f
	to-d -> d
	out -> /elsewhere
	broken -> nowhere
`

// rules hides and protects entries by their paths.
type rules struct{ hidden, protected string }

func (r rules) Hidden(path string, isDir bool) bool {
	if isDir {
		path += "/"
	}
	return slices.Contains(strings.Fields(r.hidden), path)
}

func (r rules) Protected(path string, _ bool) bool {
	return slices.Contains(strings.Fields(r.protected), path)
}

// open returns the root of a file system in memory that holds tree.
func open(t *testing.T) vfs.Dir {
	t.Helper()
	root := memfs.New().Root()
	t.Cleanup(func() { root.Close() })
	fstest.Fill(t, root, tree)
	return root
}

func TestSelect(t *testing.T) {
	const (
		all   = "._alone ._f .Trashes/ broken@ d/ f full/ out@ to-d@ to-f@"
		names = "._alone ._f .Trashes broken d f full out to-d to-f"
	)
	tests := []struct {
		name      string
		selection Selection
		links     plan.Links
		in        Scope
		want      string // selected: directories end in a slash, links in @
		omitted   string
		names     string // that the source has
	}{
		{name: "everything", want: all, names: names},
		{
			name: "hidden", selection: Selection{Rules: rules{hidden: "f d to-f full/"}},
			want: "._alone ._f .Trashes/ broken@ d/ out@ to-d@", names: "._alone ._f .Trashes broken d out to-d",
		},
		{
			name: "hidden below the counterpart's path", in: Scope{Path: "a/b"}, selection: Selection{Rules: rules{hidden: "f a/b/f"}},
			want: "._alone ._f .Trashes/ broken@ d/ full/ out@ to-d@ to-f@", names: "._alone ._f .Trashes broken d full out to-d to-f",
		},
		{
			name: "pruned", selection: Selection{Prune: true},
			want: "._alone ._f broken@ f full/ out@ to-d@ to-f@", names: "._alone ._f broken f full out to-d to-f",
		},
		{
			name: "pruned, but protected", selection: Selection{Prune: true, Rules: rules{protected: "d/sub"}},
			want: "._alone ._f broken@ d/ f full/ out@ to-d@ to-f@", names: "._alone ._f broken d f full out to-d to-f",
		},
		{
			name: "AppleDouble", in: Scope{AppleDouble: true},
			want: "._alone .Trashes/ broken@ d/ f full/ out@ to-d@ to-f@", names: "._alone .Trashes broken d f full out to-d to-f",
		},
		{
			name: "root of a volume", in: Scope{AtVolumeRoot: true},
			want: "._alone ._f broken@ d/ f full/ out@ to-d@ to-f@", omitted: ".Trashes: is kept by the system for the volume",
			names: "._alone ._f broken d f full out to-d to-f",
		},
		{name: "root of a volume, all of it", in: Scope{AtVolumeRoot: true}, selection: Selection{VolumeFiles: true}, want: all, names: names},
		{
			name: "links followed", links: plan.Links{Copy: true}, want: "._alone ._f .Trashes/ d/ f full/ to-d/ to-f",
			omitted: "broken: is a link that leads nowhere, out: is a link that leads nowhere", names: names,
		},
		{name: "links to directories followed", links: plan.Links{CopyDirlinks: true}, want: "._alone ._f .Trashes/ broken@ d/ f full/ out@ to-d/ to-f@", names: names},
		{name: "safe links", links: plan.Links{Safe: true}, want: "._alone ._f .Trashes/ broken@ d/ f full/ to-d@ to-f@", omitted: "out: leads out of the tree", names: names},
		{
			name: "unsafe links followed", links: plan.Links{CopyUnsafe: true}, want: "._alone ._f .Trashes/ broken@ d/ f full/ to-d@ to-f@",
			omitted: "out: is a link that leads nowhere", names: names,
		},
		{
			name: "a followed link hidden as a directory", links: plan.Links{Copy: true}, selection: Selection{Rules: rules{hidden: "to-d to-d/ broken out"}},
			want: "._alone ._f .Trashes/ d/ f full/ to-f", omitted: "broken: is a link that leads nowhere, out: is a link that leads nowhere",
			names: "._alone ._f .Trashes broken d f full out to-f",
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			d := open(t)
			var got, omitted []string
			var has dirnames.Set
			s := NewSelector(tt.selection, tt.links, metadata.Darwin)
			err := d.ReadDir(func(entries []vfs.Entry) error {
				selected, some, left := s.Select(d, tt.in, entries, &has)
				if !some {
					t.Error("the directory is said to be empty")
				}
				got = append(got, describe(selected)...)
				for _, o := range left {
					omitted = append(omitted, o.Name+": "+o.Err.Error())
				}
				return nil
			})
			if err != nil {
				t.Fatal(err)
			}
			slices.SortFunc(got, func(a, b string) int { return strings.Compare(strings.ToLower(a), strings.ToLower(b)) })
			slices.Sort(omitted)
			if got := strings.Join(got, " "); got != tt.want {
				t.Errorf("selected %s,\n want %s", got, tt.want)
			}
			if got := strings.Join(omitted, ", "); got != tt.omitted {
				t.Errorf("omitted %s,\n want %s", got, tt.omitted)
			}
			has.Sort()
			for name := range strings.FieldsSeq(names) {
				if want := slices.Contains(strings.Fields(tt.names), name); has.Has(name) != want {
					t.Errorf("%s is a name of the source: %v, want %v", name, !want, want)
				}
			}
		})
	}
}

func describe(entries []vfs.Entry) (names []string) {
	for _, e := range entries {
		switch {
		case e.Type.IsDir():
			e.Name += "/"
		case !e.Type.IsRegular():
			e.Name += "@"
		}
		names = append(names, e.Name)
	}
	return names
}

func TestLinkToADirectoryThatItLiesInIsNotFollowed(t *testing.T) {
	root := open(t)
	sub, err := root.OpenDir("d", vfs.NoFollow)
	if err != nil {
		t.Fatal(err)
	}
	defer sub.Close()
	if err := vfs.Symlink(sub, "..", "up"); err != nil {
		t.Fatal(err)
	}
	attr, err := vfs.Lstat(root, ".")
	if err != nil {
		t.Fatal(err)
	}
	var lineage *Lineage
	in := Scope{Path: "d", Lineage: lineage.Child(attr.ID())}
	_, _, omitted := NewSelector(Selection{}, plan.Links{Copy: true}, nil).Select(sub, in, []vfs.Entry{{Name: "up", Type: fs.ModeSymlink}}, nil)
	if len(omitted) != 1 || omitted[0].Err != errLoop {
		t.Errorf("omitted %v, want a loop", omitted)
	}
}

func TestSelectFollowsLinksThatTheListLeadsThrough(t *testing.T) {
	files, err := filesfrom.Parse(strings.NewReader(".\nto-d/sub\nto-f/x\nbroken/"), false, true, false)
	if err != nil {
		t.Fatal(err)
	}
	entries := []vfs.Entry{{Name: "to-d", Type: fs.ModeSymlink}, {Name: "to-f", Type: fs.ModeSymlink}, {Name: "broken", Type: fs.ModeSymlink}, {Name: "out", Type: fs.ModeSymlink}}
	selected, _, omitted := NewSelector(Selection{Files: files}, plan.Links{}, nil).Select(open(t), Scope{}, entries, nil)
	if got, want := strings.Join(describe(selected), " "), "to-d/ to-f@ broken@ out@"; got != want || len(omitted) > 0 {
		t.Errorf("%s, omitted %v, want %s", got, omitted, want)
	}
}

func TestNamed(t *testing.T) {
	d := open(t)
	for _, tt := range []struct {
		files     string
		want, bad string
	}{
		{"d gone", "d/", "gone: " + ErrNotFound.Error()},
		{"to-f f/x", "to-f@", "f: " + errNotDir.Error()},
		{"f f/x", "f", "f: " + errNotDir.Error()},
		{"to-d to-d/sub", "to-d/", ""},
		{"broken/", "broken@", ""},
	} {
		files, err := filesfrom.New(strings.Fields(tt.files))
		if err != nil {
			t.Fatal(err)
		}
		entries, omitted, all := NewSelector(Selection{Files: files}, plan.Links{}, nil).Named(d, Scope{})
		bad := ""
		for _, o := range omitted {
			bad += fmt.Sprintf("%s: %v", o.Name, o.Err)
		}
		if got := strings.Join(describe(entries), " "); all || got != tt.want || bad != tt.bad {
			t.Errorf("%s: %s; %s; all %v; want %s; %s", tt.files, got, bad, all, tt.want, tt.bad)
		}
	}
	if _, _, all := NewSelector(Selection{}, plan.Links{}, nil).Named(d, Scope{}); !all {
		t.Error("without a list, not everything takes part")
	}
}

func TestRename(t *testing.T) {
	root := memfs.New().TestRoot(t)
	fstest.Fill(t, root, "a 644 of-a\nb 644 b\nlink -> a\n")
	dir := Rename(root, "a", "b")
	for name, size := range map[string]int64{"a": 4, "b": 4, "link": 1} {
		if attr, err := vfs.Lstat(dir, name); err != nil || attr.Size != size {
			t.Errorf("%s has %d bytes, %v, want %d", name, attr.Size, err, size)
		}
	}
	f, err := dir.OpenFile("b", vfs.ReadOnly, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if attr, err := vfs.Stat(f); err != nil || attr.Size != 4 {
		t.Errorf("opened a file of %d bytes, %v", attr.Size, err)
	}
	if err := dir.Remove("b", nil); err != nil {
		t.Error(err)
	}
	if attr, err := vfs.Lstat(root, "b"); err != nil || attr.Size != 1 {
		t.Errorf("left a b of %d bytes, %v", attr.Size, err)
	}
	if target, err := Rename(root, "link", "new").Readlink("new"); target != "a" || err != nil {
		t.Errorf("the link leads to %q, %v", target, err)
	}
}
