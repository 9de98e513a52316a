package history

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"slices"
	"strings"
	"time"

	"psync/internal/content"
	"psync/internal/mhl"
	"psync/internal/vfs"
)

// A writer makes a generation of a history and of those below it.
type writer struct {
	recorder *Recorder
	creator  mhl.Creator
	failed   []string
	lists    []manifest // of generations; those of histories below come first
}

// A manifest is the list of hashes of a generation that is to be stored.
type manifest struct {
	path     string // of the directory that the history is about, or ""
	name     string
	contents []byte
	links    []mhl.Link
}

// A generation is a generation that is being made.
type generation struct {
	*writer
	path string // of the directory that the history is about, or ""
	old  previous
	out  mhl.Writer
}

// Write adds a generation to the history of a directory, which is called name, and to those of directories below it. The
// generations cover everything in the directory: Write hashes files that were not recorded. It returns the paths of
// files that differ from earlier generations.
func (r *Recorder) Write(ctx context.Context, dir vfs.Dir, name string, c mhl.Creator) (failed []string, err error) {
	attr, err := vfs.Lstat(dir, ".")
	if err != nil {
		return nil, err
	}
	w := &writer{recorder: r, creator: c}
	if _, _, err = w.history(ctx, dir, "", name); err != nil {
		return nil, err
	}
	for _, l := range w.lists {
		if err = l.store(dir); err != nil {
			break
		}
	}
	_ = vfs.Chtimes(vfs.In(dir, "."), time.Time{}, attr.Mtime) // restores the time that the copy has set
	return w.failed, err
}

// history makes a generation of the history of a directory at path, which is called name.
func (w *writer) history(ctx context.Context, dir vfs.Dir, path, name string) (*mhl.Tree, mhl.Link, error) {
	old, err := load(dir)
	if err != nil && path != "" {
		err = fmt.Errorf("%s: %w", path, err)
	}
	if err != nil {
		return nil, mhl.Link{}, err
	}
	attr, err := vfs.Lstat(dir, ".")
	if err != nil {
		return nil, mhl.Link{}, err
	}
	g := &generation{writer: w, path: path, old: old}
	tree, err := g.dir(ctx, dir, path)
	if err != nil {
		return nil, mhl.Link{}, err
	}
	contents, err := g.out.Finish(w.creator, g.directory(".", attr, tree))
	if err != nil {
		return nil, mhl.Link{}, err
	}
	link := mhl.Link{Number: 1, C4: mhl.C4Of(contents)}
	if n := len(old.chain); n > 0 {
		link.Number = old.chain[n-1].Number + 1
	}
	link.Name = fmt.Sprintf("%04d_%s_%s%s", link.Number, name, w.creator.Created.UTC().Format("2006-01-02_150405Z"), mhl.Extension)
	w.lists = append(w.lists, manifest{path, link.Name, contents, append(old.chain, link)})
	return tree, link, nil
}

// dir adds the entries of a directory.
func (g *generation) dir(ctx context.Context, dir vfs.Dir, path string) (*mhl.Tree, error) {
	var entries []vfs.Entry
	err := dir.ReadDir(func(some []vfs.Entry) error {
		entries = append(entries, some...)
		return context.Cause(ctx)
	})
	if err != nil {
		return nil, err
	}
	if path != g.path && slices.ContainsFunc(entries, isHistory) {
		return g.nested(ctx, dir, path)
	}
	slices.SortFunc(entries, func(a, b vfs.Entry) int { return strings.Compare(a.Name, b.Name) })
	tree := new(mhl.Tree)
	for _, e := range entries {
		switch below := vfs.Join(path, e.Name); {
		case mhl.Ignored(e.Name):
		case e.Type.IsDir():
			err = g.subdirectory(ctx, dir, e.Name, below, tree)
		default:
			err = g.file(ctx, dir, e, below, tree)
		}
		if err != nil {
			return nil, err
		}
	}
	return tree, nil
}

// nested makes a generation of the history of a directory below, and refers to it. What is in the directory is only there.
func (g *generation) nested(ctx context.Context, dir vfs.Dir, path string) (*mhl.Tree, error) {
	tree, link, err := g.history(ctx, dir, path, path[strings.LastIndexByte(path, '/')+1:])
	if err == nil {
		g.out.Refer(vfs.Join(g.relative(path), vfs.Join(mhl.Dir, link.Name)), link.C4)
	}
	return tree, err
}

// relative returns a path relative to the directory that the history is about.
func (g *generation) relative(path string) string {
	if g.path == "" {
		return path
	}
	return path[len(g.path)+1:]
}

func (g *generation) subdirectory(ctx context.Context, in vfs.Dir, name, path string, tree *mhl.Tree) error {
	sub, err := in.OpenDir(name, vfs.NoFollow)
	if err != nil {
		return err
	}
	defer sub.Close()
	attr, err := vfs.Lstat(sub, ".")
	if err != nil {
		return err
	}
	below, err := g.dir(ctx, sub, path)
	if err != nil {
		return err
	}
	tree.AddDir(name, below)
	g.out.Directory(g.directory(g.relative(path), attr, below))
	return nil
}

func (g *generation) directory(path string, attr vfs.Attr, tree *mhl.Tree) mhl.Directory {
	d := mhl.Directory{Path: path, Mtime: attr.Mtime, Hashed: g.creator.Created}
	d.Content, d.Structure = tree.Hashes()
	return d
}

// file adds a regular file, or a link to one, as the reference implementation of MHL does. It leaves out other entries.
func (g *generation) file(ctx context.Context, in vfs.Dir, e vfs.Entry, path string, tree *mhl.Tree) error {
	mode := vfs.ReadOnly
	switch e.Type {
	case 0:
	case fs.ModeSymlink:
		if attr, err := in.Statx(e.Name, vfs.StatxFollow); err != nil || !attr.Mode.IsRegular() {
			return nil
		}
		mode = vfs.ReadFollow
	default:
		return nil
	}
	rec, known := g.recorder.files[path]
	if !known {
		h := mhl.NewHash(mhl.Format)
		attr, err := digest(ctx, in, e.Name, mode, h)
		if err != nil {
			return err
		}
		rec = newRecord(h, attr)
	}
	f := mhl.File{Path: g.relative(path), Size: rec.size, Mtime: rec.mtime.Time(), Hashed: rec.hashed.Time()}
	hashes, err := g.compare(path, mhl.FormatSum(rec.sum), func(h io.Writer) error {
		_, err := digest(ctx, in, e.Name, mode, h)
		return err
	})
	if err != nil {
		return err
	}
	f.Hashes = hashes
	tree.AddFile(e.Name, rec.sum)
	g.out.File(f)
	return nil
}

// compare compares a file with earlier generations, and returns the hashes to write. If they have hashes in
// other formats only, digest computes those.
func (g *generation) compare(path, sum string, digest func(h io.Writer) error) ([]mhl.Hash, error) {
	old := g.old.hashes(g.relative(path))
	own := mhl.Hash{Format: mhl.Format, Value: sum, Action: mhl.Original}
	if len(old) == 0 {
		return []mhl.Hash{own}, nil
	}
	for _, h := range old {
		if h.Format == own.Format {
			own.Action = g.verdict(path, h.Value == own.Value)
			return []mhl.Hash{own}, nil
		}
	}
	for _, h := range old {
		other := mhl.NewHash(h.Format)
		if other == nil {
			continue
		}
		if err := digest(other); err != nil {
			return nil, err
		}
		h.Action = g.verdict(path, mhl.Value(h.Format, other.Sum(nil)) == h.Value)
		h.Value = mhl.Value(h.Format, other.Sum(nil))
		own.Action = h.Action
		return []mhl.Hash{h, own}, nil
	}
	return nil, fmt.Errorf("%s: the history has only its %s, which psync cannot make; continue it with ascmhl", path, old[0].Format)
}

func (g *generation) verdict(path string, same bool) mhl.Action {
	if same {
		return mhl.Verified
	}
	g.failed = append(g.failed, path)
	return mhl.Failed
}

// digest writes the contents of a file to h, and returns its attributes.
func digest(ctx context.Context, in vfs.Dir, name string, mode vfs.OpenMode, h io.Writer) (vfs.Attr, error) {
	f, err := in.OpenFile(name, mode, 0)
	if err != nil {
		return vfs.Attr{}, err
	}
	defer vfs.CloseUnwritten(f)
	attr, err := vfs.Stat(f)
	if err == nil {
		err = content.Digest(ctx, h, f)
	}
	return attr, err
}

// store writes the list of a generation, and then the chain with it. The directory that paths start at is root.
func (l manifest) store(root vfs.Dir) error {
	chain, err := mhl.Chain(l.links)
	if err != nil {
		return err
	}
	dir, err := vfs.Descend(root, l.path, vfs.NoFollow.OpenDir)
	if err != nil {
		return err
	}
	if dir != root {
		defer dir.Close()
	}
	if err := vfs.Mkdir(dir, mhl.Dir, 0o755); err != nil && !errors.Is(err, fs.ErrExist) {
		return err
	}
	in, err := dir.OpenDir(mhl.Dir, vfs.NoFollow)
	if err != nil {
		return err
	}
	defer in.Close()
	if err := writeFile(in, l.name, l.contents); err != nil {
		return err
	}
	const temp = mhl.ChainFile + ".new"
	err = writeFile(in, temp, chain)
	if err == nil {
		err = in.Rename(temp, nil, mhl.ChainFile, nil)
	}
	if err != nil {
		// A list that is not in the chain would make the history invalid.
		_ = in.Remove(temp, nil)
		_ = in.Remove(l.name, nil)
	}
	return err
}

func writeFile(in vfs.Dir, name string, contents []byte) error {
	f, err := in.OpenFile(name, vfs.Create, 0o644)
	if err != nil {
		return err
	}
	_, err = f.WriteAt(contents, 0)
	if err == nil {
		err = content.Sync(f)
	}
	return vfs.JoinErrors(err, f.Close())
}
