package bench

import (
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"testing"
)

func TestGenerateMakesWhatTheShapePromises(t *testing.T) {
	s := shape{dirs: 7, files: 40, links: 5, minSize: 10, maxSize: 30}
	root := t.TempDir()
	if err := s.generate(t.Context(), root, 1); err != nil {
		t.Fatal(err)
	}
	got, err := count(t.Context(), root)
	if err != nil {
		t.Fatal(err)
	}
	if got.bytes < 40*10 || got.bytes > 40*30 {
		t.Errorf("got %d bytes in 40 files of 10 to 30", got.bytes)
	}
	got.bytes = 0
	if want := (census{files: 40, dirs: 7, links: 5}); got != want {
		t.Errorf("got %v, want %v", got, want)
	}
}

func TestGenerateRepeatsItself(t *testing.T) {
	first, again, other := contents(t, 1), contents(t, 1), contents(t, 2)
	if !maps.Equal(first, again) {
		t.Error("equal seeds made different trees")
	}
	if maps.Equal(first, other) {
		t.Error("different seeds made equal trees")
	}
}

// contents returns what each name of a generated tree holds.
func contents(t *testing.T, seed uint64) map[string]string {
	t.Helper()
	root := t.TempDir()
	s := shape{dirs: 3, files: 10, links: 2, maxSize: 50}
	if err := s.generate(t.Context(), root, seed); err != nil {
		t.Fatal(err)
	}
	held := make(map[string]string)
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		var content []byte
		if err == nil && !d.IsDir() {
			content, err = os.ReadFile(path) // of a link: that of its file, so it must lead there
		}
		held[path[len(root):]] = d.Type().String() + string(content)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return held
}

func TestShapesFitTheRoom(t *testing.T) {
	s := shape{about: "some", files: 4, minSize: 1 << 20, maxSize: 1 << 20} // needs 10 MiB
	for _, tt := range []struct {
		room, size int64
		about      string
	}{
		{10 << 20, 1 << 20, "some"},
		{10<<20 - 1, 1 << 19, "some, reduced to the room there is"},
		{3 << 20, 1 << 18, "some, reduced to the room there is"},
	} {
		got, err := s.fit(tt.room)
		if err != nil || got.maxSize != tt.size || got.minSize != tt.size || got.about != tt.about {
			t.Errorf("room %d: got %+v, %v; want size %d, %q", tt.room, got, err, tt.size, tt.about)
		}
	}
	if got, err := s.fit(5); err == nil {
		t.Errorf("room 5: got %+v, want an error", got)
	}
}

func TestLost(t *testing.T) {
	source := census{files: 3, dirs: 2, links: 1}
	for _, tt := range []struct {
		copied census
		want   string
	}{
		{census{files: 3, dirs: 2, links: 1}, ""},
		{census{files: 3, dirs: 3, links: 1}, ""}, // copied into a directory
		{census{files: 3, dirs: 2}, "links"},
		{census{files: 3}, "links directories"},
	} {
		var got string
		for i, kind := range source.lost(tt.copied) {
			got += " "[:min(i, 1)] + kind
		}
		if got != tt.want {
			t.Errorf("%+v: got %q, want %q", tt.copied, got, tt.want)
		}
	}
}
