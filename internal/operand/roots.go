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
	placed  []placement
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

// Open examines the operands SRC... DST, paths on the hosts of o, refuses what cannot end well, and only then
// makes the destination if need be.
func Open(args []string, o Options) (_ *Roots, err error) {
	last := len(args) - 1
	r := &Roots{options: o}
	defer func() {
		if err != nil {
			r.Close()
		}
	}()
	sources, err := examineSources(o.Hosts.Source, args[:last])
	if err != nil {
		return nil, err
	}
	r.DestPath = args[last]
	placed, err := placements(sources)
	if err != nil {
		return nil, err
	}
	r.placed = placed
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
	if o.RemoveSource && !o.DryRun && !o.Hosts.Source.same(o.Hosts.Dest) {
		for _, p := range placed {
			if err := o.checkRemoval(p, r.DestPath); err != nil {
				return nil, err
			}
		}
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
	dir, err := o.openTree(o.Hosts.Source, src, ErrMissing)
	if err != nil {
		return nil, err
	}
	r.Sources, r.Network = []source.Tree{{Dir: dir, Label: o.Hosts.Source.called(src)}}, isNetwork(dir)
	if r.Dest, err = o.openTree(o.Hosts.Dest, dst, ErrNoEntry); err != nil {
		return nil, err
	}
	r.options, r.DestPath, r.Network = o, dst, r.Network || isNetwork(r.Dest)
	return r, nil
}

func (o Options) openTree(h Host, path string, missing error) (vfs.Dir, error) {
	dir, err := h.Open(path, o.Noatime)
	if notExist(err) {
		return nil, fmt.Errorf("%s: %w", h.called(path), missing)
	}
	return dir, err
}

// DestLabel returns what the destination is called in messages.
func (r *Roots) DestLabel() string { return r.options.Hosts.Dest.called(r.DestPath) }
