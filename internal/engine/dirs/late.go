package dirs

import (
	"path"

	"psync/internal/engine/job"
	"psync/internal/engine/pairs"
)

// A directory of a remote destination is made late: its task begins before it is known whether it could be made.
// Waiting for that at each level of a tree would take a round trip per level. So the directories in it are made
// first, in the same way, and AwaitMade waits before anything else is made. Entries of a directory that could not be
// made fail with it, and only the directory itself is reported.

// mayGoAhead reports whether directories may be made in the destination of d before it is known whether that
// destination itself could be made. In that case nothing that inspectDest finds out is needed, apart from what is
// known of the parent.
func mayGoAhead(j *job.Worker, d *job.Dir) bool {
	return d.Task.MadeIn != nil && !d.Task.DefaultACL && !j.Run.Job.Links.KeepDirlinks && !j.Run.Job.Policy.AwaitsLinks() &&
		(!j.Run.Job.Backup.On || j.Run.Job.Backup.InPlace())
}

// goAhead assumes that the destination of d, which is new, is on the volume of its parent.
func goAhead(j *job.Worker, d *job.Dir) {
	d.Late = job.NewLateDir(d.Task.MadeIn)
	SetVolume(j, d, d.Late.Volume())
}

// AwaitMade finds out what is still unknown about a destination in which work has gone ahead. If it was not made, it
// reports that and records it in d.Late.
func AwaitMade(j *job.Worker, d *job.Dir) error {
	if d.Late.Known() {
		return nil
	}
	err := inspectDest(j, d)
	if err == nil {
		entered(j, d)
	} else {
		FailToEnter(j, d, pairs.Dest, err)
	}
	d.Late.Resolve(err == nil)
	return err
}

// LateMade reports that the destination of d was made, if that was not known before.
func LateMade(j *job.Worker, d *job.Dir) {
	if in := d.Task.MadeIn; in != nil {
		in.Late.Made() // reports the parent first
		Made(j, j.Run.NewDir(in.Task), nil, path.Base(d.Task.Path))
		d.Task.MadeIn = nil
	}
}

// FailToEnter reports that one side of d cannot be used. If its destination could not be made, its parent reports
// that, or nothing is reported if the parent could not be made either.
func FailToEnter(j *job.Worker, d *job.Dir, side pairs.Side, err error) {
	in := d.Task.MadeIn
	if in != nil {
		d.Left.Failures.Add(1)
	}
	switch {
	case in != nil && !in.Late.Made(): // already reported
	case in != nil && side == pairs.Dest:
		in.HasFailures.Store(true)
		in.Left.Failures.Add(1)         // before the run may stop
		parent := j.Run.NewDir(in.Task) // closed, while another worker may be about to close in
		parent.DestAttr = in.DestAttr
		j.FailDir(parent, side, path.Base(d.Task.Path), j.Collision(parent, err))
	default:
		j.FailDir(d, side, "", err)
	}
}
