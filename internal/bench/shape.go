package bench

import (
	"errors"
	"fmt"
	"slices"
	"strings"
)

// A shape describes a tree that can be generated.
type shape struct {
	name, about string
	parts       []part
}

// A part is a set of files of a shape.
type part struct {
	dirs             int // for these files; none: they are in the root
	files            int
	links            int   // symbolic links to files beside them; no more than files
	minSize, maxSize int64 // of a file, in bytes
	// In a source tree directories are within each other and files at random in all
	// of them and the root; else directories are side by side and their files even.
	sourceTree bool
}

const (
	kib = 1 << 10
	mib = 1 << 20
	gib = 1 << 30
)

// shapes returns the workloads that -workloads can choose.
func shapes() []shape {
	return []shape{
		{"small", "many small files in many directories", []part{
			{dirs: 1000, files: 20_000, links: 200, maxSize: 32 * kib, sourceTree: true},
		}},
		{"flat", "files of one size in one directory", []part{
			{files: 500, minSize: 256 * kib, maxSize: 256 * kib},
		}},
		{"large", "few large files", []part{
			{files: 4, minSize: gib, maxSize: gib},
		}},
		{"video", "a video project: small files in directories, and large ones", []part{
			{dirs: 30, files: 600, minSize: kib, maxSize: 64 * kib},
			{files: 8, minSize: 200e6, maxSize: 800e6},
		}},
		{"many", "very many tiny files in one directory", []part{
			{dirs: 1, files: 100_000, maxSize: kib},
		}},
		{"far", "small files in directories", []part{
			{dirs: 256, files: 2560, minSize: 4 * kib, maxSize: 4 * kib},
		}},
		{"farflat", "small files in one directory", []part{
			{files: 2000, minSize: 4 * kib, maxSize: 4 * kib},
		}},
		{"farmix", "small directories, one with many files, and one large file", []part{
			{dirs: 60, files: 600, minSize: 4 * kib, maxSize: 4 * kib},
			{dirs: 1, files: 2000, minSize: 4 * kib, maxSize: 4 * kib},
			{files: 1, minSize: 64 * mib, maxSize: 64 * mib},
		}},
	}
}

// bytes returns about how many bytes the files hold.
func (p part) bytes() int64 { return int64(p.files) * (p.minSize + p.maxSize) / 2 }

// need returns how many bytes of room the tree and one copy of it take.
func (s shape) need() int64 {
	var bytes int64
	var entries int
	for _, p := range s.parts {
		bytes += p.bytes()
		entries += p.dirs + p.files + p.links
	}
	return 2 * footprint(bytes, entries)
}

// footprint adds to bytes of contents what file systems take for blocks that are
// not full and for themselves.
func footprint(bytes int64, entries int) int64 {
	const block = 4 * kib
	return bytes + bytes/4 + int64(entries)*block
}

// fit returns s with files made smaller so that the tree and a copy of it go into
// room bytes: the part that holds most is halved, as often as needed.
func (s shape) fit(room int64) (shape, error) {
	s.parts = slices.Clone(s.parts)
	about := s.about
	for s.need() > room {
		largest := &s.parts[0]
		for i := range s.parts {
			if s.parts[i].bytes() > largest.bytes() {
				largest = &s.parts[i]
			}
		}
		if largest.maxSize == 0 {
			return shape{}, errors.New("no room; choose a place with -dir")
		}
		largest.minSize /= 2
		largest.maxSize /= 2
		s.about = about + ", reduced to the room there is"
	}
	return s, nil
}

// shapesNamed returns the shapes of a list of names split at commas, none if the
// list is empty.
func shapesNamed(list string) ([]shape, error) {
	if list == "" {
		return nil, nil
	}
	var chosen []shape
	for name := range strings.SplitSeq(list, ",") {
		i := slices.IndexFunc(shapes(), func(s shape) bool { return s.name == name })
		if i < 0 {
			return nil, fmt.Errorf("no workload %q among %s", name, joined(shapeNames()))
		}
		chosen = append(chosen, shapes()[i])
	}
	return chosen, nil
}

func shapeNames() []string {
	var names []string
	for _, s := range shapes() {
		names = append(names, s.name)
	}
	return names
}
