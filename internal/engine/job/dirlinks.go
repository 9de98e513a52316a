package job

import (
	"cmp"
	"errors"
	"io/fs"
	"strings"
	"sync"

	"psync/internal/engine/pairs"
	"psync/internal/lazymap"
	"psync/internal/vfs"
)

// With --keep-dirlinks, a symbolic link of the destination may stand for a directory of the source, whose entries are
// then copied to the directory that the link points to. That directory must not be removed even if the source does
// not have it under its own name. If the source does have it, two source directories determine what belongs there.
// All of this is known only when everything is copied, so nothing is removed before.

var (
	errDirlinkTarget = errors.New("is a directory that a link of the destination leads to, and what that link stands for was copied there")
	errDirlinkBroken = errors.New("no longer leads to a directory, for something on the way was not in the source and was removed; sync once more")
)

// dirlinks records, with --keep-dirlinks and --delete, what links of the destination stand for.
type dirlinks struct {
	mu      sync.Mutex     // guards the fields below
	targets map[vfs.ID]int // how many source directories are copied to each directory of the destination
	links   []dirlink      // the links that stand for directories
}

// A dirlink is a link in the destination of d.
type dirlink struct {
	d    *Dir
	name string
}

// AddDirlinkTarget records that a source directory is copied to the destination of d.
func (r *Run) AddDirlinkTarget(d *Dir) {
	if !r.Job.Policy.AwaitsLinks() || d.Task.Kind != Copy || !r.CopiesItself(d) {
		return
	}
	r.dirlinks.mu.Lock()
	defer r.dirlinks.mu.Unlock()
	lazymap.Set(&r.dirlinks.targets, d.DestAttr.ID(), r.dirlinks.targets[d.DestAttr.ID()]+1)
}

// AddDirlink records a link in the destination of d that stands for a directory of the source.
func (r *Run) AddDirlink(d *Dir, name string) {
	if !r.Job.Policy.AwaitsLinks() {
		return
	}
	r.dirlinks.mu.Lock()
	defer r.dirlinks.mu.Unlock()
	r.dirlinks.links = append(r.dirlinks.links, dirlink{d, strings.Clone(name)})
}

// DirlinkSources returns how many source directories are copied to the directory id of the destination.
func (r *Run) DirlinkSources(id vfs.ID) int {
	r.dirlinks.mu.Lock()
	defer r.dirlinks.mu.Unlock()
	return r.dirlinks.targets[id]
}

// CheckDirlinkTarget returns errDirlinkTarget if the directory called name in the destination of d must
// not be replaced by something else, because a source directory is copied to it.
func (r *Run) CheckDirlinkTarget(d *Dir, name string) error {
	attr, err := vfs.Lstat(d.Dst, name)
	if err == nil && r.DirlinkSources(attr.ID()) > 0 {
		err = errDirlinkTarget
	}
	return err
}

// ReportBrokenDirlinks reports links of the destination that stood for directories and, now that everything
// extraneous is removed, no longer lead there.
func (w *Worker) ReportBrokenDirlinks() {
	for _, l := range w.Run.dirlinks.links {
		d := l.d
		dirs := cmp.Or(d.Task.Dirs, w.Run.Roots[d.Task.Source])
		p, side, err := dirs.Use()
		if err == nil {
			side = pairs.Dest
			err = w.Run.checkDirlink(p.Dst, l.name)
			dirs.Done()
		}
		if err != nil {
			w.FailDir(d, side, l.name, err)
		}
	}
}

// checkDirlink returns errDirlinkBroken if a link no longer leads to a directory that was copied to.
func (r *Run) checkDirlink(dst vfs.Dir, name string) error {
	attr, err := dst.Statx(name, vfs.StatxFollow)
	if errors.Is(err, fs.ErrNotExist) || err == nil && r.DirlinkSources(attr.ID()) == 0 {
		return errDirlinkBroken
	}
	return err
}
