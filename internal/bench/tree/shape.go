// Package tree generates, counts and changes the trees for measurements.
package tree

import (
	"errors"
	"fmt"
	"slices"
	"strings"
)

// A Shape describes a tree that can be generated.
type Shape struct {
	Name, About string
	Parts       []Part
}

// A Part is a set of files of a shape.
type Part struct {
	dirs             int // directories for the files; 0: the root
	files            int
	links            int   // symbolic links to files in the same directory; at most files
	minSize, maxSize int64 // of a file, in bytes
	// In a source tree, directories are nested, and files are in random directories or the root. Otherwise,
	// all directories are in the root and have the same number of files.
	sourceTree bool
}

const (
	kib = 1 << 10
	mib = 1 << 20
	gib = 1 << 30
)

// Shapes returns the workloads that -workloads can choose.
func Shapes() []Shape {
	return []Shape{
		{"small", "many small files in many directories", []Part{
			{dirs: 1000, files: 20_000, links: 200, maxSize: 32 * kib, sourceTree: true},
		}},
		{"flat", "files of one size in one directory", []Part{
			{files: 500, minSize: 256 * kib, maxSize: 256 * kib},
		}},
		{"large", "few large files", []Part{
			{files: 4, minSize: gib, maxSize: gib},
		}},
		{"video", "a video project: small files in directories, and large ones", []Part{
			{dirs: 30, files: 600, minSize: kib, maxSize: 64 * kib},
			{files: 8, minSize: 200e6, maxSize: 800e6},
		}},
		{"many", "very many tiny files in one directory", []Part{
			{dirs: 1, files: 100_000, maxSize: kib},
		}},
		{"far", "small files in directories", []Part{
			{dirs: 256, files: 2560, minSize: 4 * kib, maxSize: 4 * kib},
		}},
		{"farflat", "small files in one directory", []Part{
			{files: 2000, minSize: 4 * kib, maxSize: 4 * kib},
		}},
		{"farmix", "small directories, one with many files, and one large file", []Part{
			{dirs: 60, files: 600, minSize: 4 * kib, maxSize: 4 * kib},
			{dirs: 1, files: 2000, minSize: 4 * kib, maxSize: 4 * kib},
			{files: 1, minSize: 64 * mib, maxSize: 64 * mib},
		}},
	}
}

// bytes returns the approximate number of bytes in the files.
func (p Part) bytes() int64 { return int64(p.files) * (p.minSize + p.maxSize) / 2 }

// Need returns the space, in bytes, that the tree and one copy of it take.
func (s Shape) Need() int64 {
	var bytes int64
	var entries int
	for _, p := range s.Parts {
		bytes += p.bytes()
		entries += p.dirs + p.files + p.links
	}
	return 2 * footprint(bytes, entries)
}

// footprint adds the overhead of file systems, for partial blocks and metadata, to bytes of contents.
func footprint(bytes int64, entries int) int64 {
	const block = 4 * kib
	return bytes + bytes/4 + int64(entries)*block
}

// Fit returns s with smaller files, so that the tree and a copy of it fit into room bytes. It halves the
// largest part as often as needed.
func (s Shape) Fit(room int64) (Shape, error) {
	s.Parts = slices.Clone(s.Parts)
	about := s.About
	for s.Need() > room {
		largest := &s.Parts[0]
		for i := range s.Parts {
			if s.Parts[i].bytes() > largest.bytes() {
				largest = &s.Parts[i]
			}
		}
		if largest.maxSize == 0 {
			return Shape{}, errors.New("no room; choose a place with -dir")
		}
		largest.minSize /= 2
		largest.maxSize /= 2
		s.About = about + ", reduced to the room there is"
	}
	return s, nil
}

// ShapesNamed returns the shapes of a comma-separated list of names, none if the list is empty.
func ShapesNamed(list string) ([]Shape, error) {
	if list == "" {
		return nil, nil
	}
	var chosen []Shape
	for name := range strings.SplitSeq(list, ",") {
		i := slices.IndexFunc(Shapes(), func(s Shape) bool { return s.Name == name })
		if i < 0 {
			return nil, fmt.Errorf("no workload %q among %s", name, strings.Join(shapeNames(), ", "))
		}
		chosen = append(chosen, Shapes()[i])
	}
	return chosen, nil
}

func shapeNames() []string {
	var names []string
	for _, s := range Shapes() {
		names = append(names, s.Name)
	}
	return names
}

// String describes p.
func (p Part) String() string {
	sizes := bytesText(p.minSize)
	if p.minSize != p.maxSize {
		sizes += " to " + bytesText(p.maxSize)
	}
	files := "files"
	if p.files == 1 {
		files = "file"
	}
	text := fmt.Sprintf("%d %s of %s", p.files, files, sizes)
	switch p.dirs {
	case 0:
	case 1:
		text += " in a directory"
	default:
		text += fmt.Sprintf(" in %d directories", p.dirs)
	}
	return text
}

// bytesText returns a size in the unit that makes it short.
func bytesText(n int64) string {
	switch {
	case n >= 1e6 && n%1e6 == 0:
		return fmt.Sprintf("%d MB", n/1e6)
	case n >= gib && n%gib == 0:
		return fmt.Sprintf("%d GiB", n/gib)
	case n >= mib && n%mib == 0:
		return fmt.Sprintf("%d MiB", n/mib)
	case n >= kib && n%kib == 0:
		return fmt.Sprintf("%d KiB", n/kib)
	default:
		return fmt.Sprintf("%d B", n)
	}
}
