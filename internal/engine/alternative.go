package engine

import (
	"context"
	"errors"
	"syscall"

	"psync/internal/engine/attrs"
	"psync/internal/metadata"
	"psync/internal/plan"
	"psync/internal/report"
	"psync/internal/vfs"
)

// An alternative is what another tree offers for a file.
type alternative struct {
	exact vfs.Dir // has the file with the attributes that it is to get, or nil
	id    vfs.ID  // of that file
	near  origin  // has its contents, or holds no file
}

// findAlternative looks for a file with the contents of src in the other trees.
// The caller closes the file in near.
func (w *worker) findAlternative(ctx context.Context, d *directory, it *item, src vfs.File, o *attrs.Desired) (a alternative) {
	if len(w.Alternatives.Dirs) == 0 {
		return a
	}
	kind, attr := w.Alternatives.Kind, o.Want.Attr
	w.copier.Cutoff = w.cutoff(d)
	for _, dir := range w.openAlternatives(d) {
		if dir == nil {
			continue
		}
		alt, err := w.sameIn(ctx, dir, it.name, src, attr, d.tolerance())
		if err != nil || alt.File == nil {
			continue // then it is of no use, and no harm
		}
		exact := w.attrs.Matches(d.volumes(), alt.File, alt.attr, o)
		if a.near.File == nil && kind.IsOrigin(exact, w.Keep.KeepsPrivileges(&o.Want)) {
			a.near = alt
		} else {
			vfs.CloseUnwritten(alt)
		}
		if kind.Replaces(exact) {
			a.exact, a.id = dir, alt.attr.ID()
			break
		}
	}
	return a
}

// take does with an exact match what is to be done. It returns false if the file
// must be copied after all.
func (w *worker) take(ctx context.Context, d *directory, it *item, alt alternative, attr vfs.Attr) (done bool, err error) {
	same := it.there.ID() == alt.id && alt.id != (vfs.ID{})
	substitution := w.Alternatives.Kind.Substitute(it.step, same, alt.id.Dev == w.deviceOf(d))
	switch substitution {
	case plan.CopyAnyway:
		return false, nil
	case plan.Linked: // by an earlier run
		it.stays = true
		w.removeSource(d, it, attr)
	case plan.Link:
		if !w.DryRun {
			if done, err := w.linkTo(ctx, d, it, alt.exact); !done || err != nil {
				return false, err
			}
		}
		w.tell(d, report.Event{Kind: report.Link, Name: it.name, Size: attr.Size, Diff: it.diff})
		w.removeSource(d, it, attr)
	}
	it.placed = substitution != plan.DoWithout
	w.count.Add(report.FilesKept, 1)
	w.count.Add(report.BytesKept, attr.Size)
	return true, nil
}

// deviceOf returns the device of d's destination, or of what it is going to be made in.
func (w *worker) deviceOf(d *directory) uint64 {
	if d.dst == nil {
		return w.destID.Dev
	}
	return d.destAttr.Dev
}

// linkTo makes a file as a hard link to that of another tree. It returns false
// if the file system does not do that.
func (w *worker) linkTo(ctx context.Context, d *directory, it *item, dir vfs.Dir) (done bool, err error) {
	w.touch(d)
	var refused error
	try := func(in vfs.Dir, name string) error {
		refused = in.Link(dir, it.name, name)
		return refused
	}
	err = w.lifter.Force(func() error {
		if it.step == plan.Create {
			return try(d.dst, it.name)
		}
		return w.replace(ctx, d, it, try)
	}, dir, it.name)
	if errors.Is(refused, errors.ErrUnsupported) || errors.Is(refused, syscall.EMLINK) {
		return false, nil
	}
	return err == nil, d.collision(err)
}

// sameIn opens the file called name in an alternative directory, if the policy
// takes its contents for those of src.
func (w *worker) sameIn(ctx context.Context, dir vfs.Dir, name string, src vfs.File, attr vfs.Attr, t metadata.Tolerance) (origin, error) {
	there, err := dir.Lstat(name)
	if err != nil || !there.Mode.IsRegular() {
		return origin{}, err
	}
	verdict := w.Policy.Alternative(attr, there, t)
	if verdict == plan.Transfer {
		return origin{}, nil
	}
	f, err := dir.Open(name)
	if err != nil {
		return origin{}, err
	}
	if verdict == plan.CompareContents {
		same, err := w.copier.Equal(ctx, src, f, attr.Size)
		if err != nil || !same {
			return origin{}, both(err, f.Close())
		}
	}
	return origin{f, there}, nil
}

// openAlternatives returns the counterparts of d in the other trees, which it opens once. One that
// cannot be opened is of no use, and no harm.
func (w *worker) openAlternatives(d *directory) []vfs.Dir {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.alternatives != nil {
		return d.alternatives
	}
	for _, root := range w.Alternatives.Dirs {
		dir, err := vfs.Descend(root, d.path(""), vfs.Dir.OpenDir)
		if err != nil {
			dir = nil
		}
		d.alternatives = append(d.alternatives, dir)
	}
	return d.alternatives
}
