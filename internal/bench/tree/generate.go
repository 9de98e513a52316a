package tree

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

// A generator makes one tree. Trees with equal seeds are equal except for their times.
type generator struct {
	root        string
	noise       *rand.ChaCha8
	random      *rand.Rand // draws from noise
	dirs, files int        // the numbers made so far, for names
}

// Generate fills the directory root with a tree of the shape.
func (s Shape) Generate(ctx context.Context, root string, seed uint64) error {
	var key [32]byte
	binary.LittleEndian.PutUint64(key[:], seed)
	noise := rand.NewChaCha8(key)
	g := generator{root: root, noise: noise, random: rand.New(noise)}
	for _, p := range s.Parts {
		if err := g.part(ctx, p); err != nil {
			return err
		}
	}
	return nil
}

func (g *generator) part(ctx context.Context, p Part) error {
	dirs, err := g.makeDirs(p)
	if err != nil {
		return err
	}
	files := make([]string, p.files)
	for i := range files {
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
		dir := dirs[i%len(dirs)]
		if p.sourceTree {
			dir = dirs[g.random.IntN(len(dirs))]
		}
		files[i] = filepath.Join(dir, fmt.Sprintf("file%06d", g.files))
		g.files++
		size := p.minSize + g.random.Int64N(p.maxSize-p.minSize+1)
		if err := writeFile(files[i], io.LimitReader(g.noise, size)); err != nil {
			return err
		}
	}
	for _, i := range g.random.Perm(len(files))[:p.links] {
		if err := os.Symlink(filepath.Base(files[i]), files[i]+".link"); err != nil {
			return err
		}
	}
	return nil
}

// makeDirs makes the directories for the files of p. In a source tree, each is made in a random earlier one,
// which results in both wide and deep parts.
func (g *generator) makeDirs(p Part) ([]string, error) {
	var dirs []string
	if p.dirs == 0 || p.sourceTree {
		dirs = append(dirs, g.root)
	}
	for range p.dirs {
		parent := g.root
		if p.sourceTree {
			parent = dirs[g.random.IntN(len(dirs))]
		}
		dir := filepath.Join(parent, fmt.Sprintf("dir%04d", g.dirs))
		g.dirs++
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
