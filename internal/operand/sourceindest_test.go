package operand

import (
	"errors"
	"testing"

	"psync/internal/filter"
	"psync/internal/vfs/fstest"
	"psync/internal/vfs/memfs"
)

// TestSourceInDest copies /a/b, or what the row says, to the root, or removes what it lacks.
func TestSourceInDest(t *testing.T) {
	for _, tt := range []struct {
		name, tree, source string
		exclude            string
		folding, delete    bool
		want               string // the path of the entry that the run would come upon
	}{
		{"nothing in the way", "a/b/f 644 x", "/a/b", "", false, false, ""},
		{"an entry leads to the source", "a/b/a/b/ 755", "/a/b", "", false, false, "a/b"},
		{"an entry leads beside it", "a/b/a/c/ 755", "/a/b", "", false, false, ""},
		{"a file where the source is", "a/b/a/b 644 x", "/a/b", "", false, false, "a/b"},
		{"a file above", "a/b/a 644 x", "/a/b", "", false, false, "a"},
		{"a link above", "a/b/a -> f", "/a/b", "", false, false, "a"},
		{"left out", "a/b/a/b/ 755", "/a/b", "/a", false, false, ""},
		{"something else left out", "a/b/a/b/ 755", "/a/b", "/b", false, false, "a/b"},
		{"another case", "a/b/A/b/ 755", "/a/b", "", false, false, ""},
		{"another case where none is heeded", "a/b/A/b/ 755", "/a/b", "", true, false, "a/b"},
		{"removed", "a/b/f 644 x", "/a/b", "", false, true, "a"},
		{"removed below an entry", "a/b/a/c 644 x", "/a/b", "", false, true, "a/b"},
		{"protected", "a/b/a/c 644 x", "/a/b", "/a/b", false, true, ""},
		{"protected above", "a/b/f 644 x", "/a/b", "/a", false, true, ""},
	} {
		m := memfs.New()
		if tt.folding {
			m = memfs.NewFolding()
		}
		d := m.Root()
		fstest.Fill(t, d, tt.tree)
		d.Close()
		h := Host{Host: memfs.NewHost(1, m)}
		o := Options{Hosts: Hosts{h, h}, Delete: tt.delete, DryRun: true}
		if tt.exclude != "" {
			b := new(filter.Builder)
			if err := b.Exclude(tt.exclude); err != nil {
				t.Fatal(err)
			}
			o.Rules = b.Rules(false)
		}
		r, err := OpenRoots([]string{tt.source, "/"}, o)
		if err == nil {
			r.Close()
		}
		var got SourceInDestError
		if e, ok := errors.AsType[*SourceInDestError](err); ok {
			got = *e
		}
		if got.Path != tt.want || (err == nil) != (tt.want == "") {
			t.Errorf("%s: %v, %q; want %q", tt.name, err, got.Path, tt.want)
		}
		if n := m.Open(); n != 0 {
			t.Errorf("%s: %d handles stay open", tt.name, n)
		}
	}
}
