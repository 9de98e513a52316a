// Package dirs makes directories of a destination, and finds out what a copy needs to know of a pair of directories.
package dirs

import (
	"psync/internal/engine/job"
	"psync/internal/engine/pairs"
)

// A directory of a remote destination is made asynchronously: its task begins before it is known whether it could be made.
// Waiting for that at each level of a tree would take a round trip per level. So the directories in it are made
// first, in the same way, and AwaitMade waits before anything else is made. Entries of a directory that could not be
// made fail with it, and only the directory itself is reported.

// Inspect finds out what the copy needs to know about the pair of directories. For a destination that is made asynchronously,
// it only assumes what AwaitMade will find out.
func Inspect(j *job.Worker, d *job.Dir) (pairs.Side, error) {
	if err := inspectSource(j, d); err != nil {
		return pairs.Source, err
	}
	if d.Dst != nil {
		if mayAssumeMade(j, d) {
			assumeMade(j, d)
			return 0, nil
		}
		if err := inspectDest(j, d); err != nil {
			return pairs.Dest, err
		}
	}
	reportOpened(j, d)
	return 0, nil
}

// mayAssumeMade reports whether directories may be made in the destination of d before it is known whether that
// destination itself could be made. In that case nothing that inspectDest finds out is needed, apart from what is
// known of the parent.
func mayAssumeMade(j *job.Worker, d *job.Dir) bool {
	return d.Task.MadeIn != nil && !d.Task.DefaultACL && !j.Run.Job.Links.KeepDirlinks && !j.Run.Job.Policy.AwaitsLinks() &&
		(!j.Run.Job.Backup.On || j.Run.Job.Backup.InPlace())
}

// assumeMade assumes that the destination of d, which is new, is on the volume of its parent.
func assumeMade(j *job.Worker, d *job.Dir) {
	d.Pending = job.NewPendingDir(d.Task.MadeIn)
	SetVolume(j, d, d.Pending.Volume())
}

// AwaitMade finds out what is still unknown about a destination in which work has gone ahead. If it was not made, it
// reports that and records it in d.Pending.
func AwaitMade(j *job.Worker, d *job.Dir) error {
	if d.Pending.Known() {
		return nil
	}
	err := inspectDest(j, d)
	if err == nil {
		reportOpened(j, d)
	} else {
		FailToEnter(j, d, pairs.Dest, err)
	}
	d.Pending.Resolve(err == nil)
	return err
}
