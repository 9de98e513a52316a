package operand

import (
	"errors"
	"fmt"
	"io/fs"
	"strings"
	"syscall"

	"psync/internal/engine/job"
	"psync/internal/engine/source"
	"psync/internal/vfs"
)

// Roots are the opened operands of a run. The caller must close them.
type Roots struct {
	Sources   []source.Tree
	Dest      vfs.Dir // nil in a dry run that would make it
	DestPath  string
	DestIsNew bool
	DestRules source.Rules      // the rules of the run for paths in Dest; nil: the same as everywhere
	DestDev   uint64            // the device that Dest would be made on, if Dest is nil
	Umask     fs.FileMode       // the user's umask; that of the process has been cleared
	Network   bool              // one side is a network file system
	FarDest   bool              // Dest is on a network file system
	Watched   []job.WatchedRoot // for a run that changes Dest
	Files     source.List       // the entries of Sources that the operands list; nil: those of the options

	options Options
	placed  []placement
	merges  bool // what is placed is copied as one source
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

// closeOnError closes c if *err is set.
func closeOnError(c interface{ Close() }, err *error) {
	if *err != nil {
		c.Close()
	}
}

// OpenRoots examines the operands SRC... DST, which are paths on the hosts of o, refuses dangerous combinations,
// and only then makes a missing destination. If all sources are missing and ignored, it opens nothing.
func OpenRoots(args []string, o Options) (_ *Roots, err error) {
	last := len(args) - 1
	r := &Roots{options: o, DestPath: args[last]}
	defer closeOnError(r, &err)
	if err := o.checkSideFiles(args); err != nil {
		return nil, err
	}
	if err := o.checkMarkers(args[:last]); err != nil {
		return nil, err
	}
	if err := r.place(args[:last]); err != nil {
		return nil, err
	}
	placed := r.placed
	if len(placed) == 0 {
		return r, nil
	}
	o = r.options
	exists, err := o.checkDest(r.DestPath)
	if err != nil {
		return nil, err
	}
	for _, p := range placed {
		if err := o.checkOverlap(p, r.DestPath); err != nil {
			return nil, err
		}
	}
	if err := r.addSources(); err != nil {
		return nil, err
	}
	if exists {
		if err := o.checkOtherSources(placed, r.DestPath); err != nil {
			return nil, err
		}
	}
	r.DestIsNew = !exists
	if err := o.checkEarlierCopy(args, placed, r.DestPath); err != nil {
		return nil, err
	}
	if o.RemoveSource && !o.DryRun && !o.Hosts.Source.same(o.Hosts.Dest) {
		for _, p := range placed {
			if p.err != nil {
				continue
			}
			if err := o.checkRemoval(p, r.DestPath); err != nil {
				return nil, err
			}
		}
	}
	if err := r.bindRules(); err != nil {
		return nil, err
	}
	return r, r.openDest()
}

// checkMarkers returns an error if a source lacks the file that Require names, as it does if a volume is not
// mounted.
func (o Options) checkMarkers(sources []string) error {
	if o.Require == "" {
		return nil
	}
	for _, src := range sources {
		marker := strings.TrimRight(src, "/") + "/" + o.Require
		if _, err := o.Hosts.Source.Stat(marker, vfs.Follow); err != nil {
			if notExist(err) || errors.Is(err, syscall.ENOTDIR) {
				err = ErrNoMarker
			}
			return fmt.Errorf("%s: %w", o.Hosts.Source.Called(marker), err)
		}
	}
	return nil
}

// place determines where the sources go.
func (r *Roots) place(args []string) error {
	o := &r.options
	if o.Relative {
		placed, list, err := o.placeRelative(args)
		if r.placed = placed; list != nil {
			r.Files, o.Files = list, list
		}
		r.merges = meet(placed)
		return err
	}
	if o.SlashDecides && o.Files == nil {
		err := r.placeBySlash(args)
		r.merges = meet(r.placed)
		return err
	}
	sources, err := examineSources(o.Hosts.Source, args, o.IgnoreMissing)
	if err != nil || len(sources) == 0 {
		return err
	}
	if r.placed, err = placements(r.options.Hosts.Source, sources, len(args) == 1); err != nil {
		return err
	}
	if o.Files != nil {
		r.placed, err = o.placeParts(r.placed)
		return err
	}
	if len(args) == 1 {
		r.DestPath, err = o.renameFile(sources[0], &r.placed[0], r.DestPath)
	}
	return err
}

// OpenSources opens the sources of a run that has no destination. Nothing is changed.
func OpenSources(args []string, o Options) (_ *Roots, err error) {
	o.RenameFile = false // which depends on the destination
	if err := o.prepare(); err != nil {
		return nil, err
	}
	r := &Roots{options: o}
	defer closeOnError(r, &err)
	if err := r.place(args); err != nil {
		return nil, err
	}
	return r, r.addSources()
}

// OpenTrees opens two directories that exist, to compare them; or the directories of two files, as for a copy of one to the
// other.
func OpenTrees(src, dst string, o Options) (_ *Roots, err error) {
	if err := o.checkSideFiles([]string{src, dst}); err != nil {
		return nil, err
	}
	if err := o.prepare(); err != nil {
		return nil, err
	}
	r := &Roots{options: o, DestPath: dst}
	defer closeOnError(r, &err)
	dir, err := o.openTree(o.Hosts.Source, src, ErrMissing)
	if errors.Is(err, syscall.ENOTDIR) {
		return r, r.openFiles(src)
	}
	if err != nil {
		return nil, err
	}
	r.Sources, r.Network = []source.Tree{{Dir: dir, Label: o.Hosts.Source.Called(src)}}, isNetwork(dir)
	r.Dest, err = o.openTree(o.Hosts.Dest, dst, ErrNoEntry)
	if errors.Is(err, syscall.ENOTDIR) {
		err = fmt.Errorf("%s: %w, but %s is one", r.DestLabel(), syscall.ENOTDIR, r.Sources[0].Label)
	}
	if err != nil {
		return nil, err
	}
	r.Network = r.Network || isNetwork(r.Dest)
	r.placed = []placement{{dir: src}}
	return r, r.bindRules()
}

// openFiles opens the directories of the file src and of its counterpart, to compare them.
func (r *Roots) openFiles(src string) (err error) {
	r.options.MakeParents = true // so that a missing directory is openTree's error
	if err := r.place([]string{src}); err != nil {
		return err
	}
	if err := r.addSource(r.placed[0], true); err != nil {
		return err
	}
	if r.Dest, err = r.options.openTree(r.options.Hosts.Dest, r.DestPath, ErrNoEntry); err != nil {
		return err
	}
	r.Network = r.Network || isNetwork(r.Dest)
	return r.bindRules()
}

func (o Options) openTree(h Host, path string, missing error) (vfs.Dir, error) {
	dir, err := h.Open(path, vfs.OpenOptions{Noatime: o.Noatime})
	if notExist(err) {
		return nil, fmt.Errorf("%s: %w", h.Called(path), missing)
	}
	return dir, err
}

// DestLabel returns the destination as it is shown in messages.
func (r *Roots) DestLabel() string { return r.options.Hosts.Dest.Called(r.DestPath) }

// findDestDev finds the device that a destination would be made on in a dry run.
func (r *Roots) findDestDev() error {
	h := r.options.Hosts.Dest
	up, _, err := NearestDir(h, r.DestPath)
	if err != nil {
		return err
	}
	d, err := h.Open(up, r.options.trust())
	if err != nil {
		return err
	}
	defer d.Close()
	attr, err := vfs.Lstat(d, ".")
	r.DestDev = attr.Dev
	return err
}

// openDest opens the destination. It makes a new destination with the user's umask, and then clears the umask
// of the process.
func (r *Roots) openDest() error {
	o := r.options
	h := o.Hosts.Dest
	if err := o.prepare(); err != nil {
		return err
	}
	if r.DestIsNew && o.DryRun {
		r.Umask = h.ClearUmask()
		return r.findDestDev()
	}
	options := o.trust()
	if r.DestIsNew {
		options.Mkdir, options.MkdirAll, options.Perm = true, o.MakeParents, fs.ModePerm
	}
	var err error
	r.Dest, err = h.Open(r.DestPath, options)
	r.Umask = h.ClearUmask()
	if fatal := job.Fatal(err); fatal != nil && r.DestIsNew {
		return fmt.Errorf("mkdir %s: %w", r.DestLabel(), fatal)
	}
	if err != nil {
		return err
	}
	r.FarDest = isNetwork(r.Dest)
	r.Network = r.Network || r.FarDest
	attr, err := vfs.Lstat(r.Dest, ".")
	r.watch(h, r.DestPath, attr.ID(), r.FarDest)
	return err
}
