package gnucp

import (
	"context"
	"sync"

	"psync/internal/gnucp/listing"
	"psync/internal/gnucp/output"
	"psync/internal/gnucp/policy"
	"psync/internal/vfs"
)

const (
	// runLength is how many files, at most, a worker takes from a directory at once, so
	// that others find some left.
	runLength = 32
	// leastRuns is how many runs are worth waking another worker for.
	leastRuns = 2
)

// runs are the files of a directory, of which idle workers take some at a time. It is a worklist's
// [walk.Entries].
type runs struct {
	d *directory

	mu      sync.Mutex // guards what follows
	entries *listing.Listing
	groups  []group // the first of which has files that no worker has taken
	open    bool    // the last group goes on
}

// A group is files between which there is nothing that may be a directory.
type group struct {
	files int             // number of files that no worker has taken
	out   *output.Segment // of the next run
}

// A nextRun stands for one of the runs: for which one is found out when it is taken.
type nextRun struct{}

// add counts a file, and returns the last segment, of which after was the last before.
func (r *runs) add(after *output.Segment) (last *output.Segment) {
	if !r.open {
		r.open = true
		after = after.After()
		r.groups = append(r.groups, group{out: after})
	}
	r.groups[len(r.groups)-1].files++
	return after
}

// endGroup says that what is next in the directory is no file.
func (r *runs) endGroup() { r.open = false }

// all returns something for each run.
func (r *runs) all() []nextRun {
	n := 0
	for _, g := range r.groups {
		n += (g.files + runLength - 1) / runLength
	}
	return make([]nextRun, n)
}

// take returns the files of the next run in buf, and where what is said of them belongs.
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

// Begin does nothing: a worker remembers no directory.
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
