// Package retry wraps directories of volumes that may be out of reach for a while, as network file systems are, so that
// calls that fail meanwhile are made again.
//
// After an error by which a file system says so, the worker that got it probes the volume: it opens the root by its
// path, and has the server describe the volume. All others that get such an error wait for the same probe. When the
// volume answers, each makes its call again. If it does not answer for as long as [Options] allow, it is given up: from
// then on every call fails with a [vfs.LostError], which ends the run.
//
// The volume is probed after EACCES, too: a server may refuse everything for a while. If it answers at once, the error
// stands.
//
// What was open before an outage:
//   - A directory with a stale handle is opened again from the root down, by the calls that it was first opened by.
//   - A file opened for reading is opened again if it is still the same, and unchanged.
//   - A file opened for writing is not used any more: the system reports the loss of what was written only once, if at
//     all. All calls return a [vfs.OutageError], so that the file is copied again from the start. So it is if its
//     directory was opened again because of a stale handle, even if the file can be closed.
//
// A call that makes, renames or removes an entry may have succeeded although it failed. When it is made again and the
// error says that nothing is left to do, what is there decides; see repeated.go.
//
// A call that does not return is reported, with the entry that it concerns.
package retry

import (
	"context"
	"sync"
	"sync/atomic"
	"time"

	"psync/internal/report"
	"psync/internal/vfs"
)

// Default is how long volumes are waited for by default.
const Default = time.Minute

// Options say which volumes are waited for.
type Options struct {
	For        time.Duration // how long a volume may be out of reach; 0: no call is made again
	Everywhere bool          // wait for every volume, not only for those of network file systems
}

// Volumes are those that a run uses.
type Volumes struct {
	Options

	mu    sync.Mutex         // guards byDev
	byDev map[uint64]*volume // by device number

	SourceCalls, DestCalls report.Durations // calls to volumes of either side

	outages, unreachable atomic.Int64 // how many there were, and volumes that are waited for
	repeated             atomic.Int64 // calls that were made again

	// Start sets what follows, before there are workers.
	sink report.Sink     // nil: nobody wants to know
	done <-chan struct{} // closed when the run is to end; nil: never
}

// NewVolumes returns a new set of volumes.
func NewVolumes(o Options) *Volumes {
	return &Volumes{Options: o, byDev: make(map[uint64]*volume)}
}

// Start has outages reported to sink, and calls that hang, until the caller calls stop, as the caller must. When ctx
// ends, nothing is waited for any more.
func (vs *Volumes) Start(ctx context.Context, sink report.Sink) (stop func()) {
	vs.sink, vs.done = sink, ctx.Done()
	ended := make(chan struct{})
	var watch sync.WaitGroup
	watch.Go(func() { vs.watch(ended) })
	return func() {
		close(ended)
		watch.Wait()
	}
}

// wraps reports whether the volume of a directory is one to wait for.
func (vs *Volumes) wraps(d vfs.Dir) bool {
	v, err := d.Statfs()
	return err == nil && v.Network || vs.Everywhere
}

// dir returns d, the root of a tree, as one whose volume is waited for. It is called label in messages. After an
// outage, open opens it again. How long calls take is added to durations. Closing the result closes d.
func (vs *Volumes) dir(d vfs.Dir, label string, durations *report.Durations, open func() (vfs.Dir, error)) (vfs.Dir, error) {
	attr, err := d.Lstat(".")
	if err != nil {
		return nil, vfs.JoinErrors(err, d.Close())
	}
	r := &root{label: label, dev: attr.Dev, open: open, calls: durations}
	return newDir(d, vs.volumeOf(r), r), nil
}

// volumeOf returns the volume that a root is on. The first root that is wrapped of a volume is the one that is probed.
func (vs *Volumes) volumeOf(r *root) *volume {
	vs.mu.Lock()
	defer vs.mu.Unlock()
	v := vs.byDev[r.dev]
	if v == nil {
		v = &volume{all: vs, root: r}
		vs.byDev[r.dev] = v
	}
	return v
}

// report reports an event, unless nobody wants to know.
func (vs *Volumes) report(e report.Event) {
	if vs.sink != nil {
		vs.sink.Event(e)
	}
}
