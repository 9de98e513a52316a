package engine

import (
	"context"

	"psync/internal/engine/dirs"
	"psync/internal/engine/job"
	"psync/internal/engine/pairs"
	"psync/internal/engine/source"
	"psync/internal/vfs"
)

// The root of a source is its directory together with what it is copied to: the destination, or the directory Into of
// it. There may be many sources, so the roots that come with Open instead of Dir are opened when they are needed, and
// closed like other directories.

// addSource registers the root of a source and returns the task to copy it. It makes the directory that the source is
// copied to if that is missing. root holds the attributes of the destination.
func (w *worker) addSource(ctx context.Context, i int, root vfs.Attr) (t job.Task, ok bool) {
	s := w.job.Run.Job.Sources[i]
	if s.Err != nil {
		d := w.job.Run.NewDir(job.Task{Source: i})
		for _, name := range s.Failed() {
			w.job.Fail(d, pairs.Source, name, s.Err)
		}
		return t, false
	}
	if s.Dir == nil {
		return w.addReopened(ctx, i, root)
	}
	t = job.Task{Source: i, New: w.job.Run.Job.DestIsNew, ID: w.run.rootID(i)}
	p := pairs.Pair{Src: s.Dir, Dst: w.job.Run.Job.Dest}
	if s.Into != "" {
		if p.Dst, t.New, ok = into(ctx, w.job, (&job.Dir{Task: t, DestAttr: root}).Open(p), s.Into); !ok {
			return t, false
		}
		w.run.opened = append(w.run.opened, p)
	}
	t.Rules = dirs.RulesOf(w.job, s) // they are not in force above
	t.Dirs = w.run.cache.Root(p, w.run.destDirs.Root(pairs.Pair{Dst: p.Dst}, nil))
	w.job.Run.Roots[i] = t.Dirs
	return t, true
}

// into makes and opens the directory called name in the destination.
func into(ctx context.Context, j *job.Worker, d *job.Dir, name string) (dst vfs.Dir, fresh, ok bool) {
	fresh, _, ok = dirs.Make(ctx, j, d, vfs.Entry{Name: "."}, name, false)
	if !ok || j.Run.Job.DryRun && fresh {
		return nil, fresh, ok
	}
	dst, err := source.OpenDir(j.Run.Job.Dest, name, j.Run.Job.Links.KeepDirlinks)
	if err != nil {
		j.FailDir(d, pairs.Dest, name, err)
		return nil, false, false
	}
	return dst, fresh, true
}

// addReopened does what addSource does for a source that comes with Open.
func (w *worker) addReopened(ctx context.Context, i int, root vfs.Attr) (t job.Task, ok bool) {
	s := w.job.Run.Job.Sources[i]
	t = job.Task{Source: i, New: w.job.Run.Job.DestIsNew, ID: w.run.rootID(i)}
	if s.Into != "" {
		src, err := s.Open()
		if err != nil {
			w.job.FailDir(&job.Dir{Task: t}, pairs.Source, "", err)
			return t, false
		}
		defer src.Close()
		d := (&job.Dir{Task: t, DestAttr: root}).Open(pairs.Pair{Src: src, Dst: w.job.Run.Job.Dest})
		if t.New, _, ok = dirs.Make(ctx, w.job, d, vfs.Entry{Name: "."}, s.Into, false); !ok {
			return t, false
		}
	}
	t.Rules = dirs.RulesOf(w.job, s) // likewise
	dest := w.run.destDirs.ReopenedRoot(func() (pairs.Pair, pairs.Side, error) { return w.run.destDirs.OpenInto(s, w.job.Run.Job.Dest) }, nil)
	t.Dirs = w.run.cache.ReopenedRoot(func() (pairs.Pair, pairs.Side, error) { return w.run.cache.OpenSource(s, w.job.Run.Job.Dest) }, dest)
	w.job.Run.Roots[i] = t.Dirs
	return t, true
}
