package engine

import (
	"context"
	"errors"
	"slices"
	"strings"

	"psync/internal/engine/entry"
	"psync/internal/engine/job"
	"psync/internal/engine/pairs"
	"psync/internal/vfs"
)

var errNamesNotCopied = errors.New("nothing of it was removed, because a directory that could not be copied may hold other names of its files")

// listWhole yields all entries of the source of d at once, each only once. Entries are removed while they are copied,
// and a file system that numbers entries by position would then omit others from the rest of a listing.
func listWhole(d *job.Dir, yield func([]vfs.Entry) error) error {
	var entries []vfs.Entry
	listError := d.Src.ReadDir(func(some []vfs.Entry) error {
		entries = append(entries, some...)
		return nil
	})
	slices.SortFunc(entries, func(a, b vfs.Entry) int { return strings.Compare(a.Name, b.Name) })
	entries = slices.CompactFunc(entries, func(a, b vfs.Entry) bool { return a.Name == b.Name })
	if err := yield(entries); err != nil {
		return err
	}
	return listError
}

// syncAndRemoveSources ends a run: with Fsync, it syncs what was written, and it puts tasks to remove copied entries
// from the sources whose removal had to wait. Where entries may have several names, it does so only if all were
// copied.
func (r *run) syncAndRemoveSources(ctx context.Context, w *worker) {
	if r.job.Job.DryRun || r.inHand(ctx).Err() != nil || r.job.Job.Fsync && !w.job.SyncAll() {
		return
	}
	lists := r.entries.CopiedLists()
	if len(lists) == 0 {
		return
	}
	if r.job.Job.SourceNamesRepeat() {
		if r.ended != nil || keepsSources(w.job, lists) {
			return
		}
		keep := r.job.SourceNames.FindUncopied(r.job.Roots)
		for _, l := range lists {
			l.Keep = keep
		}
	}
	r.putCopiedLists(lists)
}

// putCopiedLists puts tasks to remove copied entries from the sources.
func (r *run) putCopiedLists(lists []*entry.CopiedList) {
	for _, l := range lists {
		r.pool.Put(task{Task: job.Task{Kind: job.RemoveCopied}, dir: l.Dir, copied: l})
	}
}

// keepsSources reports whether nothing may be removed because it is not known whether every name of what was copied
// was copied too. It also reports that to the user.
func keepsSources(j *job.Worker, lists []*entry.CopiedList) bool {
	keys := make([]job.Key, len(lists))
	for i, l := range lists {
		keys[i] = l.At
	}
	if !j.Run.SourceNames.MayHaveUncopied(j.Run.Roots, keys, j.Run.Job.Links.Follows()) {
		return false
	}
	reported := make(map[int]bool)
	for _, k := range keys {
		if !reported[k.Source] {
			reported[k.Source] = true
			j.FailDir(j.Run.NewDir(job.Task{Source: k.Source}), pairs.Source, "", errNamesNotCopied)
		}
	}
	return true
}
