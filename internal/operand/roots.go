package operand

import (
	"fmt"
	"io/fs"

	"psync/internal/engine/source"
	"psync/internal/vfs"
)

// Roots are the opened operands of a run. The caller closes them.
type Roots struct {
	Sources   []source.Tree
	Dest      vfs.Dir // nil in a dry run that would make it
	DestPath  string
	DestIsNew bool
	DestDev   uint64      // the device that Dest would be made on, where it is nil
	Umask     fs.FileMode // of the user; the process has none any more
	Network   bool        // one side is a network file system

	options Options
}

// Close closes all roots.
func (r *Roots) Close() {
	for _, s := range r.Sources {
		if s.Dir != nil {
			s.Dir.Close()
		}
	}
	if r.Dest != nil {
		r.Dest.Close()
	}
}

// Open parses the operands SRC... DST, refuses what cannot end well, and only then makes
// the destination if need be.
func Open(args []string, o Options) (_ *Roots, err error) {
	last := len(args) - 1
	r := &Roots{options: o}
	defer func() {
		if err != nil {
			r.Close()
		}
	}()
	sources, err := parseSources(o.Hosts.Source, args[:last])
	if err != nil {
		return nil, err
	}
	if r.DestPath, err = parse(args[last]); err != nil {
		return nil, err
	}
	placed, err := placements(sources)
	if err != nil {
		return nil, err
	}
	exists, err := o.checkDest(r.DestPath)
	if err != nil {
		return nil, err
	}
	for _, p := range placed {
		if err := o.checkOverlap(p, r.DestPath); err != nil {
			return nil, err
		}
		if err := r.addSource(p, len(placed) <= maxOpenSources); err != nil {
			return nil, err
		}
	}
	r.DestIsNew = !exists
	if err := o.checkTrailingSlash(args, placed, r.DestPath); err != nil {
		return nil, err
	}
	if o.Files != nil && (len(placed) != 1 || len(placed[0].names) > 0) {
		return nil, ErrFilesFrom
	}
	return r, r.openDest()
}

// OpenTrees opens two directories that exist, to compare them.
func OpenTrees(src, dst string, o Options) (_ *Roots, err error) {
	if err := o.prepare(); err != nil {
		return nil, err
	}
	r := new(Roots)
	defer func() {
		if err != nil {
			r.Close()
		}
	}()
	dir, err := openTree(src, o.openSource, ErrMissing)
	if err != nil {
		return nil, err
	}
	r.Sources, r.Network = []source.Tree{{Dir: dir, Label: src}}, isNetwork(dir)
	if r.Dest, err = openTree(dst, o.openDest, ErrNoEntry); err != nil {
		return nil, err
	}
	r.DestPath, r.Network = dst, r.Network || isNetwork(r.Dest)
	return r, nil
}

func openTree(arg string, openDir func(string) (vfs.Dir, error), missing error) (vfs.Dir, error) {
	path, err := parse(arg)
	if err != nil {
		return nil, err
	}
	dir, err := openDir(path)
	if notExist(err) {
		return nil, fmt.Errorf("%s: %w", path, missing)
	}
	return dir, err
}
