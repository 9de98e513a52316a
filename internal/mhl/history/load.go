package history

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path"

	"psync/internal/mhl"
	"psync/internal/vfs"
)

// previous are the earlier generations of a history.
type previous struct {
	chain []mhl.Link
	lists []mhl.List
}

// hashes returns the hashes of a file in the earlier generations, oldest first.
func (p *previous) hashes(path string) (hashes []mhl.Hash) {
	for _, l := range p.lists {
		hashes = append(hashes, l.Files[path]...)
	}
	return hashes
}

// Check returns an error if the history of a directory cannot be continued. A directory need not have a
// history.
func Check(dir vfs.Dir) error {
	_, err := load(dir)
	return err
}

// Nested calls found for each directory below dir that has a history, unless hidden says that it, or one above it, does not
// take part. It passes over directories that cannot be read.
func Nested(ctx context.Context, dir vfs.Dir, hidden func(path string) bool, found func(path string, below vfs.Dir) error) error {
	return nestedIn(ctx, dir, "", hidden, found)
}

func nestedIn(ctx context.Context, dir vfs.Dir, path string, hidden func(string) bool, found func(string, vfs.Dir) error) error {
	var dirs []string
	var has bool
	err := dir.ReadDir(func(some []vfs.Entry) error {
		for _, e := range some {
			below := vfs.Join(path, e.Name)
			switch {
			case !e.Type.IsDir() || hidden != nil && hidden(below):
			case isHistory(e):
				has = true
			default:
				dirs = append(dirs, e.Name)
			}
		}
		return nil
	})
	if err == nil && has && path != "" {
		if err := found(path, dir); err != nil {
			return err
		}
	}
	for _, name := range dirs {
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
		sub, err := dir.OpenDir(name, vfs.NoFollow)
		if err != nil {
			continue
		}
		err = nestedIn(ctx, sub, vfs.Join(path, name), hidden, found)
		sub.Close()
		if err != nil {
			return err
		}
	}
	return nil
}

func isHistory(e vfs.Entry) bool { return e.Name == mhl.Dir && e.Type.IsDir() }

// load reads the history of a directory, if there is one.
func load(dir vfs.Dir) (p previous, err error) {
	in, err := dir.OpenDir(mhl.Dir, vfs.NoFollow)
	if errors.Is(err, fs.ErrNotExist) {
		return p, nil
	}
	if err != nil {
		return p, err
	}
	defer in.Close()
	contents, err := readFile(in, mhl.ChainFile)
	if err != nil {
		return p, fmt.Errorf("%s: a history without a chain file cannot be continued: %w", mhl.Dir, err)
	}
	if p.chain, err = mhl.ReadChain(bytes.NewReader(contents)); err != nil {
		return p, fmt.Errorf("%s/%s: %w", mhl.Dir, mhl.ChainFile, err)
	}
	for _, l := range p.chain {
		list, err := readGeneration(in, l)
		if err != nil {
			return p, fmt.Errorf("%s/%s: %w", mhl.Dir, l.Name, err)
		}
		p.lists = append(p.lists, list)
	}
	return p, nil
}

func readGeneration(in vfs.Dir, l mhl.Link) (mhl.List, error) {
	if l.Name != path.Base(l.Name) || l.Name == ".." {
		return mhl.List{}, errors.New("is not the name of a file")
	}
	contents, err := readFile(in, l.Name)
	if err != nil {
		return mhl.List{}, err
	}
	if mhl.C4Of(contents) != l.C4 {
		return mhl.List{}, errors.New("is not what the chain file says, so the history cannot be continued")
	}
	list, err := mhl.Read(bytes.NewReader(contents))
	if err == nil && list.Patterns != nil {
		err = fmt.Errorf("the history ignores %q, which psync cannot; continue it with ascmhl", list.Patterns[0])
	}
	return list, err
}

func readFile(in vfs.Dir, name string) ([]byte, error) {
	f, err := in.OpenFile(name, vfs.ReadOnly, 0)
	if err != nil {
		return nil, err
	}
	defer vfs.CloseUnwritten(f)
	attr, err := vfs.Stat(f)
	if err != nil {
		return nil, err
	}
	if !attr.Mode.IsRegular() {
		return nil, fs.ErrInvalid
	}
	return io.ReadAll(io.NewSectionReader(f, 0, attr.Size))
}
