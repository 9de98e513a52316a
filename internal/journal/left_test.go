package journal

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// TestLinks has records of the root, which has the directories a and b: the letter of a directory, and after it U if its links
// are left, X if two of five entries are to be removed, D if DST has links, W if something waits, R if it is recorded again, and F if something has failed; and =a when the
// links of a are made, -a when entries were removed from it.
func TestLinks(t *testing.T) {
	for _, tt := range []struct {
		records           string
		unlinked, missing int64
		failed            int64
		destLinks         bool
		linked            string // directories with links
	}{
		{"r a b", 0, 0, 0, false, ""},
		{"r aU b", 1, 1, 0, false, "a"},
		{"rU aU bU", 3, 3, 0, false, ". a b"},
		{"r aU", 1, 2, 0, false, "a"},
		{"r aU b =a", 0, 0, 0, false, "a"},
		{"r aU bUD =a", 1, 1, 0, true, "a b"},
		{"r aU b =a aUR", 1, 1, 0, false, "a"},
		{"r aUD b =a aR", 0, 0, 0, false, ""},
		{"r aUW b", 0, 1, 0, false, "a"},
		{"r aUF b", 0, 0, 1, false, "a"},
		{"r aUF b =a", 0, 0, 1, false, "a"},
		{"r aU b aU", 1, 1, 0, false, "a"},
		{"r aU b aU =a", 0, 0, 0, false, "a"},
		{"r b =a", 0, 1, 0, false, ""},
		{"aU b", 0, 1, 0, false, ""}, // no root leads to it
	} {
		f := recorded(t, tt.records)
		a, err := f.Audit()
		if err != nil {
			t.Fatal(err)
		}
		var unlinked int64
		for _, d := range a.Open {
			if d.Unlinked {
				unlinked++
			}
		}
		if a.Unlinked != tt.unlinked || unlinked != a.Unlinked || a.Missing != tt.missing || a.Failed != tt.failed || a.DestLinks != tt.destLinks {
			t.Errorf("%s: %+v", tt.records, a)
		}
		var linked []string
		err = f.Links(func(l Location) error {
			linked = append(linked, filepath.Clean(l.Path))
			return nil
		})
		if slices.Sort(linked); err != nil || strings.Join(linked, " ") != tt.linked {
			t.Errorf("%s: directories with links %q, %v, want %q", tt.records, linked, err, tt.linked)
		}
	}
}

// TestRemovals has records as TestLinks has them.
func TestRemovals(t *testing.T) {
	for _, tt := range []struct {
		records            string
		unremoved, missing int64
		removals           Removals
		from               string // directories
	}{
		{"r a b", 0, 0, Removals{}, ""},
		{"r aX b", 1, 1, Removals{2, 5, false}, "a"},
		{"rX aX bX -a -b", 1, 1, Removals{6, 15, false}, ". a b"},
		{"r aX b -a", 0, 0, Removals{2, 5, false}, "a"},
		{"r aX b -a aXR", 1, 1, Removals{2, 5, false}, "a"},
		{"r aX b aR", 0, 0, Removals{}, ""},
		{"r aX b =a", 1, 1, Removals{2, 5, false}, "a"},
		{"r aX", 1, 2, Removals{2, 5, false}, "a"},
		{"r aXU b -a", 0, 1, Removals{2, 5, false}, "a"},
		{"r aXF b", 0, 0, Removals{2, 5, false}, "a"},
	} {
		f := recorded(t, tt.records)
		a, err := f.Audit()
		if err != nil {
			t.Fatal(err)
		}
		if a.Unremoved != tt.unremoved || a.Missing != tt.missing || a.Removals != tt.removals {
			t.Errorf("%s: %+v", tt.records, a)
		}
		var from []string
		err = f.Removals(func(l Location) error {
			if from = append(from, filepath.Clean(l.Path)); l.Extraneous != 2 {
				t.Errorf("%s: %+v", tt.records, l)
			}
			return nil
		})
		if slices.Sort(from); err != nil || strings.Join(from, " ") != tt.from {
			t.Errorf("%s: removals from %q, %v, want %q", tt.records, from, err, tt.from)
		}
	}
}

// recorded returns a journal that has records.
func recorded(t *testing.T, records string) *File {
	t.Helper()
	name := filepath.Join(t.TempDir(), "journal")
	w, err := Create(os.OpenFile, name, Job{Roots: []string{"/src"}}, Session{})
	if err != nil {
		t.Fatal(err)
	}
	root := w.Key.Root(0)
	ids := map[byte]ID{'r': root, 'a': w.Key.Child(root, "a"), 'b': w.Key.Child(root, "b")}
	for record := range strings.FieldsSeq(records) {
		switch record[0] {
		case '=':
			w.Linked(Linked{ids[record[1]]})
			continue
		case '-':
			w.Removed(Removed{ids[record[1]]})
			continue
		}
		has := func(flag string) bool { return strings.Contains(record, flag) }
		d := &Directory{ID: ids[record[0]], HasLinks: has("U"), Unlinked: has("U"), DestLinks: has("D"), Waits: has("W"), Repeated: has("R")}
		if has("X") {
			d.Unremoved, d.Removals = true, Removals{Extraneous: 2, Total: 5}
		}
		if has("F") {
			d.Failed = 1
		}
		if record[0] == 'r' {
			d.Children = []string{"a", "b"}
		}
		w.Directory(d)
	}
	if err := w.Close(End{}); err != nil {
		t.Fatal(err)
	}
	f, err := Read(name, "")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(f.Close)
	return f
}
