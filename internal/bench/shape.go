package bench

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
)

// A shape describes a tree that can be generated.
type shape struct {
	name, about      string
	dirs             int // below the root
	files            int
	links            int   // symbolic links to files beside them; no more than files
	minSize, maxSize int64 // of a file
}

// shapes returns the workloads that -workloads can choose.
func shapes() []shape {
	return []shape{
		{
			name: "small", about: "many small files in many directories",
			dirs: 1000, files: 20_000, links: 200, maxSize: 32 << 10,
		},
		{
			name: "flat", about: "files of one size in one directory",
			files: 500, minSize: 256 << 10, maxSize: 256 << 10,
		},
		{
			name: "large", about: "few large files",
			files: 4, minSize: 512 << 20, maxSize: 512 << 20,
		},
	}
}

// bytes returns about how many bytes a tree of the shape holds.
func (s shape) bytes() int64 { return int64(s.files) * (s.minSize + s.maxSize) / 2 }

// need returns how much room the tree and one copy of it take.
func (s shape) need() int64 { return 2 * withSlack(s.bytes()) }

// withSlack adds to n bytes of contents what a file system takes for itself.
func withSlack(n int64) int64 { return n + n/4 }

// fit returns s with its files made smaller, as often as needed by half, so that
// the tree and a copy of it go into room bytes.
func (s shape) fit(room int64) (shape, error) {
	about := s.about
	for s.need() > room {
		s.minSize /= 2
		s.maxSize /= 2
		s.about = about + ", reduced to the room there is"
		if s.maxSize == 0 {
			return shape{}, errors.New("no room; choose a place with -dir")
		}
	}
	return s, nil
}

// generate fills the directory root with a tree of the shape. Equal seeds make
// equal trees, times aside.
func (s shape) generate(ctx context.Context, root string, seed uint64) error {
	var key [32]byte
	binary.LittleEndian.PutUint64(key[:], seed)
	noise := rand.NewChaCha8(key)
	random := rand.New(noise)

	dirs, err := s.makeDirs(root, random)
	if err != nil {
		return err
	}
	files := make([]string, s.files)
	for i := range files {
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
		files[i] = filepath.Join(dirs[random.IntN(len(dirs))], fmt.Sprintf("file%05d", i))
		size := s.minSize + random.Int64N(s.maxSize-s.minSize+1)
		if err := writeFile(files[i], io.LimitReader(noise, size)); err != nil {
			return err
		}
	}
	for _, i := range random.Perm(len(files))[:s.links] {
		if err := os.Symlink(filepath.Base(files[i]), files[i]+".link"); err != nil {
			return err
		}
	}
	return nil
}

// makeDirs makes each directory in a random one of those before it, which gives
// wide and deep places alike, and returns all with root.
func (s shape) makeDirs(root string, random *rand.Rand) ([]string, error) {
	dirs := []string{root}
	for i := range s.dirs {
		dir := filepath.Join(dirs[random.IntN(len(dirs))], fmt.Sprintf("dir%04d", i))
		if err := os.Mkdir(dir, 0o777); err != nil {
			return nil, err
		}
		dirs = append(dirs, dir)
	}
	return dirs, nil
}

func writeFile(path string, contents io.Reader) error {
	f, err := os.Create(path)
	if err != nil {
		return err
	}
	_, err = io.Copy(f, contents)
	return errors.Join(err, f.Close())
}
