package mirror

import (
	"cmp"
	"errors"
	"io/fs"
	"sync/atomic"
	"time"

	"psync/internal/engine/job"
	"psync/internal/engine/pairs"
	"psync/internal/engine/source"
	"psync/internal/metadata"
	"psync/internal/report"
	"psync/internal/vfs"
)

// A Premise is the reason why entries of the destination are removed: a directory of the source has no entry called
// Name to copy.
//
// That was true when the source was listed, which may be long ago: while this run was suspended or waited for a
// server, the source may have got such an entry, and another run may have copied it. So the name is looked up again
// right before each entry is removed. For entries of a directory that is itself removed, the name is that of the
// topmost such directory. What remains is the race between the two system calls or, with a source on another host,
// whose answers take a round trip, a fraction of a second.
type Premise struct {
	Name string
	In   *job.Dir // the directory of the source, and its counterpart
	Src  vfs.Dir  // that directory of the source, open; nil: it is opened to look up the name
	// Replaces says that the source does have such an entry, which is not a directory and
	// replaces one, so that the contents of that directory are removed.
	Replaces bool

	pruned atomic.Bool  // the source has a directory of that name, but it is empty and so not copied
	failed atomic.Bool  // a failure to look up the name was reported
	held   atomic.Int64 // when the source last confirmed it, in nanoseconds since 1970
}

// holds checks with the source whether a premise still holds. If the check fails, holds reports the failure, but only
// once, and returns false, so nothing is removed.
func holds(j *job.Worker, p *Premise) bool {
	if p == nil || j.Run.Job.DryRun || p.IsKnown() || p.heldLately() {
		return true
	}
	holds, side, err := p.ask(j.Run)
	if err != nil && !p.failed.Swap(true) {
		failed(j, p.In, p.In, side, report.Event{Name: p.Name, Err: err})
	}
	return holds && err == nil
}

// ask checks the premise with the source. If that fails, side is the one that the error is about.
func (p *Premise) ask(r *job.Run) (holds bool, side pairs.Side, err error) {
	src := p.Src
	if src == nil {
		dirs := p.In.Task.Dirs
		open, side, err := dirs.Use()
		if err != nil {
			return false, cmp.Or(side, pairs.Dest), err
		}
		defer dirs.Done()
		src = open.Src
	}
	if holds, err = p.Holds(r, p.In, src); holds && err == nil {
		p.held.Store(time.Now().UnixNano())
	}
	return holds, pairs.Source, err
}

// heldLately reports whether a source on another host has just confirmed the premise.
func (p *Premise) heldLately() bool {
	return hasFarSource(p.In) && time.Since(time.Unix(0, p.held.Load())) < recent
}

// hasFarSource reports whether checking the source of d takes a round trip.
func hasFarSource(d *job.Dir) bool { return d.SrcVolume != nil && d.SrcVolume.Network }

// IsKnown reports whether the premise is known to hold without a lookup.
func (p *Premise) IsKnown() bool { return p.pruned.Load() }

// Holds reports whether the premise still holds in src, the source of d, which was listed before. An error means that
// this is unknown.
func (p *Premise) Holds(r *job.Run, d *job.Dir, src vfs.Dir) (bool, error) {
	if is, err := inPlace(r, d, src); !is {
		return false, err
	}
	attr, err := src.Statx(p.Name, vfs.StatxFresh)
	switch {
	case errors.Is(err, fs.ErrNotExist) && p.Replaces:
		return false, nil
	case errors.Is(err, fs.ErrNotExist):
		other, err := gainedAlias(r, d, src, p.Name)
		return !other, err
	case err != nil:
		return false, err
	}
	e := vfs.Entry{Name: p.Name, Type: attr.Mode.Type()}
	if p.Replaces {
		as, err := r.Selector.Type(src, r.Scope(d), e)
		return err == nil && as != fs.ModeDir, vfs.IgnoreNotExist(err)
	}
	absent, pruned := r.Selector.Presence(src, r.Scope(d), e)
	if pruned {
		p.pruned.Store(true)
	}
	return absent, nil
}

// inPlace reports whether src, the source of d, is still the directory at its path. If another one has replaced it, the new
// one may have names that this one lacks. The path is resolved again only if the change time of the directory differs
// from that at its listing, as it does after the directory is renamed. Renaming one of its ancestors goes unnoticed.
func inPlace(r *job.Run, d *job.Dir, src vfs.Dir) (bool, error) {
	now, err := src.Statx(".", vfs.StatxFresh)
	switch {
	case err != nil:
		return false, vfs.IgnoreNotExist(err)
	case now.Nlink == 0:
		return false, nil // it was removed
	case now.ID() != d.Attr.ID():
		return false, source.ErrSwapped
	case now.Ctime == d.Attr.Ctime || d.Task.Path == "":
		return true, nil
	}
	again, closeDir, err := r.Roots.OpenSource(d.Key(), r.Job.Links.Follows())
	if err != nil {
		return false, vfs.IgnoreNotExist(err)
	}
	defer closeDir()
	there, err := again.Statx(".", vfs.StatxFresh)
	if err == nil && there.ID() != now.ID() {
		err = source.ErrSwapped
	}
	return err == nil, err
}

// gainedAlias reports whether src, the source of d, has gained a name since it was listed that the destination may not
// distinguish from name. It lists the directory again only if its modification time has changed.
func gainedAlias(r *job.Run, d *job.Dir, src vfs.Dir, name string) (bool, error) {
	if d.Relisting == nil {
		return false, nil
	}
	now, err := src.Statx(".", vfs.StatxFresh)
	if err != nil || now.Mtime.Equal(d.Attr.Mtime) {
		return false, err
	}
	fold, in := metadata.Folding(true), r.Scope(d)
	return d.Relisting.Has(fold.Key(name), now.Mtime, func() (map[string]bool, error) {
		keys := make(map[string]bool)
		return keys, src.ReadDir(func(entries []vfs.Entry) error {
			for _, e := range entries {
				if absent, _ := r.Selector.Presence(src, in, e); !absent {
					keys[fold.Key(e.Name)] = true
				}
			}
			return nil
		})
	})
}
