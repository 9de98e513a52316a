package entry

import (
	"errors"
	"time"

	"psync/internal/engine/attrs"
	"psync/internal/engine/job"
	"psync/internal/engine/pairs"
	"psync/internal/metadata"
	"psync/internal/report"
	"psync/internal/vfs"
)

// settled is how long ago a plain file must have changed: longer than the steps of any clock that file times are taken
// from, and than a call of write(2) that is under way takes.
const settled = 2 * time.Second

// plainFiles are those of a directory that a worker may copy the short way, see [vfs.Dir].CopyPlain.
type plainFiles struct {
	of *Parent // nil: none
	o  vfs.PlainOptions
}

// copiesPlain reports whether a run may copy files the short way.
func copiesPlain(r *job.Run) bool {
	repeated := r.HardLinks && (r.Links.Follows() || len(r.Sources) > 1) // names of one entry
	return r.Policy.CopiesPlain(r.Keep) && !repeated && !r.DryRun && !r.Fsync && !r.RemoveSource &&
		r.TempDir == nil && len(r.Alternatives.Dirs) == 0
}

// FindPlain finds out which files of d the worker may copy the short way, and reports whether there may be any. More
// may be known when some files were copied in the general way.
func (w *Worker) FindPlain(d *Parent) bool {
	w.plain.of = nil
	if !w.copiesPlain || d.Task.Kind != job.Copy || !d.Fresh() || !d.Dst.Caps().Has(vfs.CanCopyPlain) {
		return false
	}
	v, in := d.Volumes(), d.AsParent()
	if v.Source.Network || v.Dest.Network || !v.Dest.KeepsAttrs || v.Dest.Ignored() != 0 || w.cutoff(d) > 0 || in.HasDefaultACL() {
		return false
	}
	o := vfs.PlainOptions{
		ChangedBefore: vfs.StampOf(time.Now().Add(-settled)),
		Mtime:         w.Keep.Mtime,
		IgnoresXattr:  w.ignoresXattr,
		Buf:           w.Copier.PlainBuffer(d.Route, d.Dst.Caps()),
	}
	if w.Keep.Owner || w.Keep.Group {
		o.Owned = true
		var known bool
		if o.UID, o.GID, known = w.ownerOfNew(d, in); !known {
			return false
		}
	}
	o.LookFirst = len(o.Buf) == 1
	if len(o.Buf) == 0 {
		return false
	}
	w.Touch(&d.Dir)
	w.plain = plainFiles{d, o}
	return true
}

// ownerOfNew returns the owner and group that files made in d have by themselves, if that is known. A directory that
// this run has made has the owner that they get. If it also has the user's group, they get that, whether the
// volume gives new entries the group of the user or of the directory.
func (w *Worker) ownerOfNew(d *Parent, in attrs.Parent) (uid, gid uint32, known bool) {
	if in.Made && int(d.DestAttr.GID) == w.User.GID {
		return d.DestAttr.UID, d.DestAttr.GID, true
	}
	return in.Owner()
}

func (w *Worker) ignoresXattr(name string) bool {
	return w.Profiles.Source.Xattr(name)&metadata.Copies == 0
}

// CopyPlain copies an entry of d if that is a plain file, and reports whether nothing is left to do for it. Any doubt
// about the file, and any error, is left to the general way.
func (w *Worker) CopyPlain(d *Parent, e vfs.Entry) (done bool) {
	if e.Type != 0 || w.plain.of != d {
		return false
	}
	o := &w.plain.o
	w.Doing.SetName(e.Name)
	size, err := d.Dst.CopyPlain(d.Src, e.Name, o)
	o.LookFirst = size >= int64(len(o.Buf)) || len(o.Buf) == 1
	if err != nil {
		return w.undoPlain(d, e.Name, err)
	}
	w.Count.Add(report.FilesSeen, 1)
	w.Count.Add(report.BytesSeen, size)
	w.Count.Add(report.FilesMade, 1)
	w.Count.Add(report.FilesCopied, 1)
	w.Count.Add(report.BytesCopied, size)
	diff := report.DiffNew
	if !w.Keep.Mtime {
		diff |= report.DiffNow
	}
	w.Emit(&d.Dir, report.Event{Kind: report.Copy, Name: e.Name, Size: size, Diff: diff})
	return true
}

// undoPlain removes what is there of a file after an error, so that the file can be copied in the general way. If that
// fails, it reports that.
func (w *Worker) undoPlain(d *Parent, name string, err error) (failed bool) {
	partial, ok := errors.AsType[*vfs.PartialError](err)
	if !ok {
		return false
	}
	w.item = item{name: name}
	dir, _ := w.begin(d, &w.item, nil)
	out, err := w.placer.RemovePlain(dir, name, partial.ID)
	w.reportOutcome(d, &w.item, &out)
	if err == nil {
		return false
	}
	w.Count.Add(report.FilesSeen, 1)
	w.Fail(&d.Dir, pairs.Dest, name, vfs.JoinErrors(partial.Err, err))
	return true
}
