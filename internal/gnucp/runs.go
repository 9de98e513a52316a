package gnucp

import (
	"context"
	"sync"

	"psync/internal/gnucp/listing"
	"psync/internal/gnucp/policy"
	"psync/internal/output"
	"psync/internal/vfs"
)

const (
	// runLength is the maximum number of files that a worker takes from a directory at once. It leaves files for
	// other workers.
	runLength = 32
	// minRuns is the number of runs for which waking another worker pays.
	minRuns = 2
)

// runs holds the files of a directory. Idle workers take some of the files at a time. runs implements
// [walk.Entries].
type runs struct {
	d *directory

	mu      sync.Mutex // guards what follows
	entries *listing.Listing
	groups  []group // the first group has files that no worker has taken
	open    bool    // the next file belongs to the last group
}

// A group is a sequence of files without an entry between them that may be a directory.
type group struct {
	files int             // number of files that no worker has taken
	out   *output.Segment // the segment of the next run
}

// A nextRun stands for one of the runs. A worker finds out which run when it takes the run.
type nextRun struct{}

// add counts a file and returns the last segment. after was the last segment before the call.
func (r *runs) add(after *output.Segment) (last *output.Segment) {
	if !r.open {
		r.open = true
		after = after.After()
		r.groups = append(r.groups, group{out: after})
	}
	r.groups[len(r.groups)-1].files++
	return after
}

// endGroup ends the current group: the next entry of the directory is not a file.
func (r *runs) endGroup() { r.open = false }

// all returns a nextRun for each run.
func (r *runs) all() []nextRun {
	n := 0
	for _, g := range r.groups {
		n += (g.files + runLength - 1) / runLength
	}
	return make([]nextRun, n)
}

// take returns the files of the next run in buf, and the segment for messages about them.
func (r *runs) take(buf []vfs.Entry) (files []vfs.Entry, out *output.Segment) {
	r.mu.Lock()
	defer r.mu.Unlock()
	g := &r.groups[0]
	n := min(g.files, runLength)
	for files = buf; len(files) < n; {
		if e, _ := r.entries.Take(); !policy.MayBeDirectory(e.Type, r.d.item.Follow) {
			files = append(files, e)
		}
	}
	out = g.out
	if g.files -= n; g.files > 0 {
		g.out = out.After()
	} else {
		r.groups = r.groups[1:]
	}
	return files, out
}

// Begin does nothing, because a worker keeps no state about a directory.
func (r *runs) Begin(*worker) {}

// Do copies the files of the next run.
func (r *runs) Do(ctx context.Context, w *worker, _ nextRun) {
	var buf [runLength]vfs.Entry
	files, out := r.take(buf[:0])
	for _, e := range files {
		if ctx.Err() == nil {
			w.copyEntry(ctx, r.d, e, out)
		}
	}
	out.Close()
}

// Then ends the work on the directory.
func (r *runs) Then(_ context.Context, w *worker) { w.finishDirectory(r.d) }
