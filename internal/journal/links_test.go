package journal

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// TestLinks has records of the root, which has the directories a and b: the letter of a directory, and after it U if its links
// are left, D if DST has links, W if something waits, R if it is recorded again, and F if something has failed; and =a when the
// links of a are made.
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
		name := filepath.Join(t.TempDir(), "journal")
		w, err := Create(os.OpenFile, name, Job{Roots: []string{"/src"}}, Session{})
		if err != nil {
			t.Fatal(err)
		}
		root := w.Key.Root(0)
		ids := map[byte]ID{'r': root, 'a': w.Key.Child(root, "a"), 'b': w.Key.Child(root, "b")}
		for record := range strings.FieldsSeq(tt.records) {
			if record[0] == '=' {
				w.Linked(Linked{ids[record[1]]})
				continue
			}
			has := func(flag string) bool { return strings.Contains(record, flag) }
			d := &Directory{ID: ids[record[0]], HasLinks: has("U"), Unlinked: has("U"), DestLinks: has("D"), Waits: has("W"), Repeated: has("R")}
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
		defer f.Close()
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
			linked = append(linked, fmt.Sprint(filepath.Clean(l.Path)))
			return nil
		})
		if slices.Sort(linked); err != nil || strings.Join(linked, " ") != tt.linked {
			t.Errorf("%s: directories with links %q, %v, want %q", tt.records, linked, err, tt.linked)
		}
	}
}
