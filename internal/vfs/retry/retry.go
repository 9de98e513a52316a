// Package retry wraps directories of volumes that may be unreachable for a while, such as network file systems, so that
// calls that fail during an outage are repeated.
//
// When a call returns an error that shows an outage, the worker that made it probes the volume: it opens the root by
// its path and calls Statfs. Other workers that get such an error wait for the same probe. When the volume answers,
// each repeats its call. If it does not answer within the time that [Options] allow, the volume is given up: from then
// on every call fails with a [vfs.LostError], which ends the run.
//
// The volume is also probed after EACCES, since a server may refuse everything for a while. If it answers at once, and
// there was no outage recently, the error is returned.
//
// What was open before an outage:
//   - A directory with a stale handle is reopened from the root down, by the calls that first opened it.
//   - A file opened for reading is reopened if it is still the same file and unchanged.
//   - A file opened for writing is not used any more: the system reports the loss of what was written only once, if at
//     all. All calls return a [vfs.OutageError], so that the file is copied again from the start. So it is if its
//     directory was opened again because of a stale handle, even if the file can be closed.
//
// A call that makes, renames or removes an entry may have succeeded although it returned an error. If the repeated call
// fails with an error that says that the work is already done, what is there decides; see package outcome.
//
// Another host, whose files are reached by a connection that may be lost, is one volume. Only a [vfs.LostError] of its
// session shows an outage; then psync connects again, which takes the place of probing; see connection.go. Everything that
// is open there is reopened from the root, by paths.
//
// A call that does not return is reported together with the entry that it concerns.
package retry

import (
	"context"
	"sync"
	"sync/atomic"
	"time"

	"psync/internal/report"
	"psync/internal/vfs"
)

// DefaultVolumeTimeout is the default of [Options].
const DefaultVolumeTimeout = time.Minute

// Options say which volumes are waited for.
type Options struct {
	VolumeTimeout time.Duration // how long a volume may be unreachable; 0: no call is repeated
	HostTimeout   time.Duration // how long a host reached by SFTP may be unreachable; 0: no call is repeated
	AllVolumes    bool          // wait for every volume, not only for network file systems
}

// shared is what the volumes of a run have in common.
type shared struct {
	Options

	outages, unreachable atomic.Int64 // outages so far, and volumes being waited for now
	repeated             atomic.Int64 // repeated calls

	// Volumes.Start sets what follows, before there are workers.
	sink report.Sink     // nil: nothing is reported
	done <-chan struct{} // closed when the run is to end; nil: never
}

// report reports an event if there is a sink.
func (s *shared) report(e report.Event) {
	if s.sink != nil {
		s.sink.Event(e)
	}
}

// Volumes are the volumes that a run uses.
type Volumes struct {
	shared

	mu    sync.Mutex         // guards byDev
	byDev map[uint64]*volume // by device number

	SourceCalls, DestCalls report.Durations // calls to volumes on each side
}

// NewVolumes returns a new set of volumes.
func NewVolumes(o Options) *Volumes {
	return &Volumes{shared: shared{Options: o}, byDev: make(map[uint64]*volume)}
}

// Start starts reporting outages and hanging calls to sink. The caller must call stop to end that. When ctx is done,
// nothing is waited for any more.
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
	return err == nil && v.Network || vs.AllVolumes
}

// dir wraps d, the root of a tree, so that its volume is waited for. Messages call it label. After an outage, open
// reopens it. The time that calls take is added to durations. Closing the result closes d.
func (vs *Volumes) dir(d vfs.Dir, label string, durations *report.Durations, open func() (vfs.Dir, error)) (vfs.Dir, error) {
	attr, err := vfs.Lstat(d, ".")
	if err != nil {
		return nil, vfs.JoinErrors(err, d.Close())
	}
	r := &root{label: label, dev: attr.Dev, open: open, calls: durations}
	return newDir(d, vs.volumeOf(r), r), nil
}

// volumeOf returns the volume that a root is on. The first root of a volume to be wrapped is the one that is probed.
func (vs *Volumes) volumeOf(r *root) *volume {
	vs.mu.Lock()
	defer vs.mu.Unlock()
	v := vs.byDev[r.dev]
	if v == nil {
		v = &volume{all: &vs.shared, root: r}
		vs.byDev[r.dev] = v
	}
	return v
}

// LongestCall returns how long the oldest call that has not returned has been running, or 0 if there is none.
func (vs *Volumes) LongestCall() (longest time.Duration) {
	now := time.Now()
	vs.mu.Lock()
	defer vs.mu.Unlock()
	for _, v := range vs.byDev {
		longest = max(longest, v.calls.longest(now))
	}
	return longest
}

// Outages returns the number of outages so far.
func (vs *Volumes) Outages() int64 { return vs.outages.Load() }

// Repeated returns how often calls were repeated after an error.
func (vs *Volumes) Repeated() int64 { return vs.repeated.Load() }

// Unreachable returns the number of volumes that do not answer and are being waited for.
func (vs *Volumes) Unreachable() int { return int(vs.unreachable.Load()) }
