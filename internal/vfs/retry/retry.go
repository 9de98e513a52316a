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
	"sync/atomic"
	"time"

	"psync/internal/report"
)

// DefaultVolumeTimeout and DefaultHostTimeout are the defaults of [Options].
const (
	DefaultVolumeTimeout = time.Minute
	DefaultHostTimeout   = 2 * time.Minute
)

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
