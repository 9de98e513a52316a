package tree

import (
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"testing"
)

func TestGenerateMakesWhatTheShapePromises(t *testing.T) {
	s := Shape{Parts: []Part{
		{dirs: 7, files: 30, links: 5, minSize: 10, maxSize: 30, sourceTree: true},
		{dirs: 2, files: 8, minSize: 20, maxSize: 20},
		{files: 2, minSize: 10, maxSize: 10},
	}}
	root := t.TempDir()
	if err := s.Generate(t.Context(), root, 1); err != nil {
		t.Fatal(err)
	}
	got, err := Count(t.Context(), root)
	if err != nil {
		t.Fatal(err)
	}
	if got.Bytes < 40*10 || got.Bytes > 40*30 {
		t.Errorf("got %d bytes in 40 files of 10 to 30", got.Bytes)
	}
	got.Bytes = 0
	if want := (Census{Files: 40, Dirs: 9, Links: 5}); got != want {
		t.Errorf("got %v, want %v", got, want)
	}
}

func TestGenerateSpreadsFilesEvenly(t *testing.T) {
	root := t.TempDir()
	s := Shape{Parts: []Part{{dirs: 4, files: 12, maxSize: 5}, {files: 3}}}
	if err := s.Generate(t.Context(), root, 1); err != nil {
		t.Fatal(err)
	}
	in := make(map[string]int)
	files, err := regularFiles(t.Context(), root)
	for _, f := range files {
		in[filepath.Base(filepath.Dir(f))]++
	}
	want := map[string]int{"dir0000": 3, "dir0001": 3, "dir0002": 3, "dir0003": 3, filepath.Base(root): 3}
	if err != nil || !maps.Equal(in, want) {
		t.Errorf("got %v, %v; want %v", in, err, want)
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
	s := Shape{Parts: []Part{{dirs: 3, files: 10, links: 2, maxSize: 50, sourceTree: true}}}
	if err := s.Generate(t.Context(), root, seed); err != nil {
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
	// The files of 1 MiB take 10 MiB with slack and a copy, and 4 blocks twice; the
	// small ones 2 blocks twice, and next to nothing.
	const blocks = 6 * 2 * 4 * kib
	s := Shape{About: "some", Parts: []Part{{files: 4, minSize: mib, maxSize: mib}, {files: 2, minSize: 1, maxSize: 1}}}
	for _, tt := range []struct {
		room, size int64
		about      string
	}{
		{10*mib + blocks + 10, mib, "some"},
		{10*mib + blocks, mib / 2, "some, reduced to the room there is"},
		{3*mib + blocks, mib / 4, "some, reduced to the room there is"},
	} {
		got, err := s.Fit(tt.room)
		if err != nil || got.About != tt.about {
			t.Errorf("room %d: got %+v, %v; want %q", tt.room, got, err, tt.about)
			continue
		}
		if large, small := got.Parts[0], got.Parts[1]; large.maxSize != tt.size || large.minSize != tt.size || small.maxSize != 1 {
			t.Errorf("room %d: got %+v; want size %d", tt.room, got, tt.size)
		}
	}
	if got, err := s.Fit(5); err == nil {
		t.Errorf("room 5: got %+v, want an error", got)
	}
	if s.Parts[0].maxSize != mib {
		t.Error("the shape itself was changed")
	}
}

func TestLost(t *testing.T) {
	source := Census{Files: 3, Dirs: 2, Links: 1}
	for _, tt := range []struct {
		copied Census
		want   string
	}{
		{Census{Files: 3, Dirs: 2, Links: 1}, ""},
		{Census{Files: 3, Dirs: 3, Links: 1}, ""}, // copied into a directory
		{Census{Files: 3, Dirs: 2}, "links"},
		{Census{Files: 3}, "links directories"},
	} {
		var got string
		for i, kind := range source.Lost(tt.copied) {
			got += " "[:min(i, 1)] + kind
		}
		if got != tt.want {
			t.Errorf("%+v: got %q, want %q", tt.copied, got, tt.want)
		}
	}
}
