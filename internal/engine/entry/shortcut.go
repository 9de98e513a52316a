package entry

import (
	"errors"
	"io/fs"
	"time"

	"psync/internal/engine/changed"
	"psync/internal/engine/job"
	"psync/internal/engine/pairs"
	"psync/internal/engine/place"
	"psync/internal/engine/volume"
	"psync/internal/metadata"
	"psync/internal/plan"
	"psync/internal/report"
	"psync/internal/vfs"
)

// A shortcut processes most files of a directory in one call each.
type shortcut struct {
	of    *job.Dir // nil: none
	plain vfs.PlainOptions
	empty vfs.PlainOptions // for directories
	dir   vfs.EmptyDirOptions
	check vfs.QuickCheckOptions
}

// shortcuts says which shortcuts a run may use.
type shortcuts struct {
	ignoresXattr    func(name string) bool // an extended attribute is neither copied nor removed
	isDest          func(vfs.ID) bool      // a directory is the destination
	copiesPlain     bool                   // in new directories
	copiesEmptyDirs bool                   // likewise
	quickChecks     bool                   // in other directories
}

func shortcutsOf(r *job.Run) shortcuts {
	repeated := r.Job.HardLinks && r.Job.LinksRepeat()
	if repeated || r.Job.RemoveSource || r.Job.Hashes.New != nil {
		return shortcuts{}
	}
	s := shortcuts{
		ignoresXattr: func(name string) bool {
			return (r.Lifter.Source.Xattr(name)|r.Lifter.Dest.Xattr(name))&(metadata.Copies|metadata.Deletes) == 0
		},
		isDest:      func(id vfs.ID) bool { return id == r.DestID },
		copiesPlain: r.Job.Policy.CopiesPlain(r.Job.Keep) && !r.Job.DryRun && !r.Job.Fsync && !r.Job.Verify && r.Job.TempDir == nil && len(r.Job.Alternatives.Dirs) == 0,
		quickChecks: r.Job.Policy.QuickChecks(r.Job.Keep) && !r.Job.Alternatives.Removes(r.Job.Policy.Sync, plan.Replace),
	}
	// The directory may be searched for named files, and backups may be put into it.
	s.copiesEmptyDirs = s.copiesPlain && r.Job.Files == nil && !r.Job.Backup.On
	return s
}

// FindShortcut finds out how the worker may process most files of d in one call each, and reports whether it may.
// If few is true, it may do so with more of them once one has been copied with the general method, which shows whether blocks
// can be shared.
func (w *Worker) FindShortcut(d *job.Dir) (found, few bool) {
	w.shortcut.of = nil
	if d.Task.Kind != job.Copy || d.Dst == nil || w.job.Run.IsFar(d) {
		return false, false
	}
	if d.Fresh() {
		found = w.shared.shortcuts.copiesPlain && d.Dst.Caps().Has(vfs.CanCopyPlain) && w.findPlain(d)
		few = found && len(w.shortcut.plain.Buf) == 1
	} else if w.shared.shortcuts.quickChecks && d.Dst.Caps().Has(vfs.CanCopyPlain) && !place.HasParts(w.job, d) {
		w.shortcut.check = vfs.QuickCheckOptions{
			OneName: w.job.Run.Job.HardLinks, NoXattrs: w.job.Run.Job.Keep.InXattrs(), IgnoresXattr: w.shared.shortcuts.ignoresXattr,
		}
		found = true
	}
	if found {
		w.shortcut.of = d
	}
	return found, few
}

// findPlain finds out which files of d are plain, and reports whether any may be.
func (w *Worker) findPlain(d *job.Dir) bool {
	v := d.Volumes()
	if !v.Dest.KeepsAttrs || v.Dest.Ignored() != 0 || rangesFrom(w.job, d) > 0 || d.Inherited.HasDefaultACL(d.Dst) {
		return false
	}
	o := vfs.PlainOptions{
		Mtime:        w.job.Run.Job.Keep.Mtime,
		IgnoresXattr: w.shared.shortcuts.ignoresXattr,
		Buf:          w.job.Copier.PlainBuffer(d.Route, d.Dst.Caps()),
	}
	o.ChangedBefore = vfs.StampOf(time.Now().Add(-changed.AtRest(int64(len(o.Buf)), hasFineTimes(d.SrcVolume))))
	if w.job.Run.Job.Keep.Owner || w.job.Run.Job.Keep.Group {
		o.Owned = true
		var known bool
		if o.UID, o.GID, known = ownerOfNew(w.job, d); !known {
			return false
		}
	}
	if len(o.Buf) == 0 {
		return false
	}
	o.LookFirst = len(o.Buf) == 1
	w.job.PrepareChange(d)
	w.shortcut.plain = o
	return true
}

// hasFineTimes reports whether a volume is known to keep the times of the kernel's clock as they are.
func hasFineTimes(v *volume.Volume) bool {
	return v != nil && v.KeepsAttrs && !v.Network && v.Granularity() == 0
}

// ownerOfNew returns the owner and group that files made in d get automatically, if known. A directory that this run
// made has the owner that they get. If it also has the user's group, they get that group, whether the volume gives
// new entries the group of the user or of the directory.
func ownerOfNew(j *job.Worker, d *job.Dir) (uid, gid uint32, known bool) {
	if d.Inherited.Made && int(d.DestAttr.GID) == j.Run.Job.User.GID {
		return d.DestAttr.UID, d.DestAttr.GID, true
	}
	return d.Inherited.Owner()
}

// TakeShortcut processes an entry of d in one call if that is enough, and reports whether nothing is left to do for
// it. CopyEntry handles any doubt and any error.
func (w *Worker) TakeShortcut(d *job.Dir, e vfs.Entry) (done bool) {
	switch {
	case e.Type != 0 || w.shortcut.of != d:
		return false
	case d.Fresh():
		return w.copyPlain(d, e.Name)
	}
	size, equal := d.Dst.QuickCheck(d.Src, e.Name, &w.shortcut.check)
	if equal {
		w.job.Count.Add(report.FilesSeen, 1)
		w.job.Count.Add(report.BytesSeen, size)
		w.job.Count.Add(report.FilesKept, 1)
		w.job.Count.Add(report.BytesKept, size)
		w.job.Emit(d, e.Facts, report.Event{Kind: report.Current, Name: e.Name, Size: size})
	}
	return equal
}

// copyPlain copies a file of a new directory if it is plain.
func (w *Worker) copyPlain(d *job.Dir, name string) (done bool) {
	o := &w.shortcut.plain
	w.job.Current.SetName(name)
	size, err := d.Dst.CopyPlain(d.Src, name, o)
	o.LookFirst = size >= int64(len(o.Buf)) || len(o.Buf) == 1
	if err != nil {
		return undoPlain(w.job, d, name, err)
	}
	w.job.Count.Add(report.FilesSeen, 1)
	w.job.Count.Add(report.BytesSeen, size)
	w.job.Count.Add(report.FilesMade, 1)
	w.job.Count.Add(report.FilesCopied, 1)
	w.job.Count.Add(report.BytesCopied, size)
	diff := report.DiffNew
	if !w.job.Run.Job.Keep.Mtime {
		diff |= report.DiffNow
	}
	w.job.Emit(d, nil, report.Event{Kind: report.Copy, Name: name, Size: size, Diff: diff})
	return true
}

// undoPlain removes what was made of a file after an error, so that the file can be copied with the general method.
// If that fails, it reports that.
func undoPlain(j *job.Worker, d *job.Dir, name string, err error) (failed bool) {
	partial, ok := errors.AsType[*vfs.PartialError](err)
	if !ok {
		return false
	}
	j.PrepareChange(d)
	err = place.RemovePlain(j, d, name, partial.ID)
	if err == nil {
		return false
	}
	j.Count.Add(report.FilesSeen, 1)
	j.Count.Add(report.EntriesFailed, 1)
	j.Fail(d, pairs.Dest, name, vfs.JoinErrors(partial.Err, err))
	return true
}

// CopiesEmptyDirs reports whether empty directories of d need nothing but to be made and to get their attributes.
func CopiesEmptyDirs(w *Worker, d *job.Dir) bool {
	return w.shared.shortcuts.copiesEmptyDirs && d.Fresh() && d.Task.Kind == job.Copy && !job.BequeathsGroup(d)
}

// CopyEmptyDir copies an empty directory of d if one call is enough, and reports whether it made the copy. Anything
// else is left to the general method. If it made the directory but could not complete it, the directory must be
// copied as one that this run made.
func (w *Worker) CopyEmptyDir(d *job.Dir, name string) (made, complete bool) {
	if w.shortcut.of != d || !CopiesEmptyDirs(w, d) {
		return false, false
	}
	s := &w.shortcut
	s.dir = vfs.EmptyDirOptions{
		Mtime:    w.job.Run.Job.Keep.For(fs.ModeDir).Mtime,
		Dev:      d.Attr.Dev,
		Except:   w.shared.shortcuts.isDest,
		NoXattrs: w.job.Run.Job.Keep.InXattrs(),
	}
	s.empty = s.plain
	s.empty.Dir = &s.dir
	_, err := d.Dst.CopyPlain(d.Src, name, &s.empty)
	return err == nil || errors.As(err, new(*vfs.PartialError)), err == nil
}
