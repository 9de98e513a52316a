package engine

import (
	"context"
	"errors"
	"io/fs"
	"slices"

	"psync/internal/engine/pairs"
	"psync/internal/engine/source"
	"psync/internal/plan"
	"psync/internal/report"
	"psync/internal/vfs"
	"psync/internal/walk"
)

// A RemoveJob holds the arguments of Remove. The caller closes the directories in it.
type RemoveJob struct {
	Workers     *walk.Size
	Auto        bool
	AlwaysShare bool // as in [Options]
	OpenDirs    int  // as in [Options]
	DryRun      bool
	CrossMounts bool // also remove the contents of file systems mounted in the trees
	// Trees lists the entries to remove: Names in Dir.
	Trees []source.Tree

	Sink     report.Sink
	Stats    *report.Stats
	Activity *report.Activity // or nil
}

// Remove removes trees. It returns the same errors as [Run].
func Remove(ctx context.Context, j RemoveJob) error {
	ctx, stop := context.WithCancelCause(ctx)
	defer stop(nil)
	r := newRun(Job{
		Options: Options{Auto: j.Auto, AlwaysShare: j.AlwaysShare, OpenDirs: j.OpenDirs, DryRun: j.DryRun, Policy: plan.Policy{Delete: plan.Delete{CrossMounts: j.CrossMounts}}},
		Sources: j.Trees, Workers: j.Workers, Sink: j.Sink, Stats: j.Stats, Activity: j.Activity,
	}, stop)
	r.onlyRemoves = true
	bases := make([]operandDir, len(j.Trees))
	defer func() {
		r.close()
		for i := range bases {
			bases[i].Release()
		}
	}()
	for i, s := range slices.Backward(j.Trees) { // the last is claimed first
		bases[i].source = s
		rm := r.removals.In(&bases[i], i)
		r.pool.Put(removalTask(rm))
	}
	r.work(ctx)
	return context.Cause(ctx)
}

// An operandDir is a directory that has operands of Remove in it. It is open from the time that its
// task is claimed until all of them are removed, so that no more are open than there are workers.
type operandDir struct {
	source source.Tree
	dir    vfs.Dir // opened by source.Open
}

func (o *operandDir) Path() string { return "" }
func (o *operandDir) Done()        {}

// Use is first called by the worker that has claimed the task, and only then for subdirectories, so it
// needs no lock.
func (o *operandDir) Use() (vfs.Dir, error) {
	if o.source.Dir != nil {
		return o.source.Dir, nil
	}
	if o.dir != nil {
		return o.dir, nil
	}
	var err error
	o.dir, err = o.source.Open()
	return o.dir, err
}

func (o *operandDir) Release() {
	if o.dir != nil {
		o.dir.Close()
		o.dir = nil
	}
}

// removeOperands removes the operands in d, and puts tasks to remove those that are directories.
func (w *worker) removeOperands(ctx context.Context, d *directory) {
	rm := d.removal
	if attr, err := d.Dst.Lstat("."); err == nil {
		d.destAttr = attr
		d.dstVolume = w.volumes.Of(d.Dst, attr)
		d.farDest = d.dstVolume.Network
	}
	var dirs []*removal
	var others []vfs.Entry
	for _, name := range w.Sources[rm.Source].Names {
		attr, err := d.Dst.Lstat(name)
		switch {
		case errors.Is(err, fs.ErrNotExist): // it was in another operand
		case err != nil:
			w.fail(d, pairs.Dest, name, err)
		case attr.Mode.IsDir():
			dirs = append(dirs, childRemoval(rm, name, attr.Dev))
		default:
			others = append(others, vfs.Entry{Name: name, Type: attr.Mode.Type()})
		}
	}
	for _, dir := range slices.Backward(dirs) {
		d.claim.Put(removalTask(dir))
	}
	_ = w.share(ctx, d, others) // whoever removes the last entry sees that ctx has ended
}
