package place

import (
	"io/fs"

	"psync/internal/engine/job"
	"psync/internal/plan"
	"psync/internal/vfs"
)

// openPartialDir opens the directory where files of d stay that could not be completed, or returns nil if there is none.
// With mayMake, it makes the directory. The caller calls done when it no longer uses the directory.
func openPartialDir(j *job.Worker, d *job.Dir, mayMake bool) (in vfs.Dir, done func()) {
	p := j.Run.Job.Partial
	if p.Dir != nil || p.Name == "" {
		return p.Dir, func() {}
	}
	if mayMake {
		_ = d.Dst.Make(p.Name, vfs.Spec{Mode: fs.ModeDir | 0o700}) // it may exist
	}
	in, err := d.Dst.OpenDir(p.Name, vfs.NoFollow)
	if err != nil {
		return nil, nil
	}
	return in, func() { in.Close() }
}

// usesPartialDir reports whether a file of d may stay in part, or an earlier run may have left a part of it. On another
// host, looking for parts of small files would take longer than to copy them.
func usesPartialDir(j *job.Worker, d *job.Dir, size int64) bool {
	return j.Run.Job.Partial.On() && (size >= plan.MinPatch || !d.DstVolume.Network)
}

// keepPartial moves the incomplete file t to the directory for such files, unless that has more of it already, and
// reports whether it did.
func keepPartial(j *job.Worker, d *job.Dir, e Entry, t target) bool {
	made, err := vfs.Lstat(t.Dir, t.Name)
	if err != nil || made.Size == 0 {
		return false
	}
	in, done := openPartialDir(j, d, true)
	if in == nil {
		return false
	}
	defer done()
	if there, err := vfs.Lstat(in, e.Name); err == nil && there.Size > made.Size {
		return false
	}
	return t.Dir.Rename(t.Name, in, e.Name, nil) == nil
}

// HasParts reports whether earlier runs may have left parts of files of d that are complete now. In a directory for the
// parts of all files, these may be parts of others of the same name.
func HasParts(j *job.Worker, d *job.Dir) bool {
	if j.Run.Job.Partial.Name == "" {
		return false
	}
	in, done := openPartialDir(j, d, false)
	if in == nil {
		return false
	}
	done()
	return true
}

// RemoveParts removes what earlier runs have left of a file of d, of this size, that is complete. What cannot be removed
// does no harm.
func RemoveParts(j *job.Worker, d *job.Dir, name string, size int64) {
	if !usesPartialDir(j, d, size) {
		return
	}
	in, done := openPartialDir(j, d, false)
	if in == nil {
		return
	}
	err := in.Remove(name, nil)
	done()
	if p := j.Run.Job.Partial; err == nil && p.Dir == nil {
		_ = d.Dst.Rmdir(p.Name) // unless it has parts of others
	}
}
