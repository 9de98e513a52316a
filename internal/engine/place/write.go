package place

import (
	"context"
	"errors"
	"io/fs"

	"psync/internal/content"
	"psync/internal/engine/attrs"
	"psync/internal/engine/changed"
	"psync/internal/engine/job"
	"psync/internal/plan"
	"psync/internal/vfs"
)

// write makes the new file t for an entry. If that fails, it removes the file, unless a later run can make use of it.
func write(ctx context.Context, j *job.Worker, d *job.Dir, e Entry, t target, from Source, o *Outcome) error {
	dst, err := cloneFile(ctx, j, d, t, from, o)
	isClone := dst != nil
	perm := j.Attrs.FirstMode(d.Dst, t.Dir, &d.Inherited, e.Attrs)
	if !isClone && err == nil {
		if d.DstVolume.Network && t.Dir.Caps().Has(vfs.CanCreateAsync) &&
			!j.Run.Job.Policy.Append && !usesPartialDir(j, d, from.Attr.Size) {
			return writeAsync(ctx, j, d, e, t, perm, from, o)
		}
		dst, err = createFile(j, d, t, perm)
	}
	if err != nil {
		return err
	}
	var made attrs.Made
	if isClone {
		j.Copier.Progress(from.Attr.Size)
		made, err = observeClone(j, d, e, dst, o)
	} else {
		made, err = fill(ctx, j, d, e, t, dst, perm, from, o)
	}
	var id vfs.ID
	if err != nil {
		id = vfs.Identify(dst)
		err = vfs.JoinErrors(err, dst.Close())
	} else {
		id, err = complete(j, d, e, t, dst, made, o)
	}
	if err != nil && !(o.incomplete && stays(j, d, e, t, from)) {
		return vfs.JoinErrors(err, removePartial(j, d, t, id))
	}
	return err
}

// stays reports whether the file t, which has a part of from, stays for a later run to make use of it.
func stays(j *job.Worker, d *job.Dir, e Entry, t target, from Source) bool {
	if j.Run.Job.Policy.Append {
		return !t.temporary && from.Attr.Size > 0
	}
	return usesPartialDir(j, d, from.Attr.Size) && keepPartial(j, d, e, t)
}

// writeAsync is write in a directory where it may not be known until the end whether the file could be made. If anything
// fails, the file system leaves nothing of the file, unless there was an outage. So it never removes the name, which may belong to
// another file, unless that is a temporary.
func writeAsync(ctx context.Context, j *job.Worker, d *job.Dir, e Entry, t target, perm fs.FileMode, from Source, o *Outcome) error {
	dst, err := t.Dir.OpenFile(t.Name, vfs.CreateAsync, perm)
	if err != nil {
		return err
	}
	made, err := fill(ctx, j, d, e, t, dst, perm, from, o)
	if err != nil {
		return afterOutage(j, d, t, from, o, vfs.JoinErrors(err, dst.Close()))
	}
	rest, notes, err := j.Attrs.SetAndCommit(d.Volumes(), made, dst, t.Entry, e.Attrs, o.Partial, j.Run.Job.Fsync)
	o.rest = rest
	o.Notes = append(o.Notes, notes...)
	return afterOutage(j, d, t, from, o, err)
}

// afterOutage removes what may be left of the file t, if making it failed with err because of an outage. What is left of a long
// one stays, for the next attempt to go on from.
func afterOutage(j *job.Worker, d *job.Dir, t target, from Source, o *Outcome, err error) error {
	outage, ok := errors.AsType[*vfs.OutageError](err)
	switch {
	case !ok || !t.temporary:
		return err
	case outage.Lost && j.Run.Job.Policy.TakesBase(from.Attr):
		o.Part = t.Name
		return err
	}
	return vfs.JoinErrors(err, removeTemp(j, d, t.Dir, t.Name))
}

// KeepLonger removes one of two parts of a file that attempts to make it have left, and returns the name of the other one, which
// is no shorter. Either may not exist, and the first one may be "".
func KeepLonger(j *job.Worker, d *job.Dir, part, other string) string {
	if part == "" {
		return other
	}
	in := tempDir(j, d)
	a, _ := vfs.Lstat(in, part) // zero after an error
	b, _ := vfs.Lstat(in, other)
	if a.Size > b.Size {
		part, other = other, part
	}
	_ = removeTemp(j, d, in, part) // it does no harm
	return other
}

func observeClone(j *job.Worker, d *job.Dir, e Entry, dst vfs.File, o *Outcome) (attrs.Made, error) {
	made, notes, err := j.Attrs.Cloned(d.Volumes(), dst, e.Attrs)
	o.Notes = append(o.Notes, notes...)
	return made, err
}

// cloneFile clones a file together with its attributes if the system supports that, and returns nil if it does not.
func cloneFile(ctx context.Context, j *job.Worker, d *job.Dir, t target, from Source, o *Outcome) (vfs.File, error) {
	v := d.DstVolume
	if !t.Dir.Caps().Has(vfs.CanCloneFile) || j.Copier.Sparse || j.Copier.Reflink == content.ReflinkNever || j.Attrs.Keep.XattrRules != nil || from.Attr.Dev != v.Dev || v.LacksClones() {
		return nil, nil
	}
	if from.Attr.Flags&j.Attrs.Source.RootLocks != 0 && !j.Attrs.User.Privileged() {
		return nil, nil // the clone could not be changed, renamed or removed
	}
	f, err := t.Dir.CloneFile(from.File, t.Name, j.Attrs.Keep.Owner && j.Attrs.Keep.Group)
	switch {
	case err == nil:
		return cloneUnchanged(ctx, j, d, t, f, from, o)
	case errors.Is(err, fs.ErrExist):
		return nil, err
	case errors.Is(err, errors.ErrUnsupported):
		v.LearnNoClones()
	}
	return nil, nil // copying will fail with the actual error
}

// cloneUnchanged checks whether from changed before it was cloned, and whether the clone reads back as from. If
// either check fails, it removes the clone and returns nil: the file must be copied, because a clone cannot be
// written to.
func cloneUnchanged(ctx context.Context, j *job.Worker, d *job.Dir, t target, clone vfs.File, from Source, o *Outcome) (vfs.File, error) {
	if change, _, _ := changed.Since(from.File, from.Attr, d.SrcVolume.Network); change == plan.Unchanged && cloneReadsBack(ctx, j, clone, from, o) {
		return clone, nil
	}
	id := vfs.Identify(clone)
	return nil, vfs.JoinErrors(clone.Close(), removePartial(j, d, t, id))
}

// fill copies the contents of from to the new file t, which is open as dst.
func fill(ctx context.Context, j *job.Worker, d *job.Dir, e Entry, t target, dst vfs.File, perm fs.FileMode, from Source, o *Outcome) (attrs.Made, error) {
	made, notes, err := j.Attrs.Created(d.Volumes(), d.Dst, t.Dir, &d.Inherited, dst, perm, e.Attrs)
	o.Notes = append(o.Notes, notes...)
	if err == nil {
		err = copyTo(ctx, j, d, e, dst, from)
		o.incomplete = err != nil
	}
	if err == nil {
		err = ensureUnchanged(ctx, j, d, dst, from, o)
	}
	if err == nil && !o.Partial {
		err = verify(ctx, j, d, t, dst, from, o)
	}
	return made, err
}

// complete sets the attributes of a file that has its contents, and closes it. If that fails, id identifies
// the file, or is zero if its identity is unknown.
func complete(j *job.Worker, d *job.Dir, e Entry, t target, dst vfs.File, made attrs.Made, o *Outcome) (id vfs.ID, err error) {
	// The file gets its time, and its name if it replaces another, when its contents are on disk.
	if j.Run.Job.Fsync {
		err = content.Sync(dst)
	}
	if err == nil {
		rest, notes, failed := j.Attrs.SetOpen(d.Volumes(), made, dst, e.Attrs, o.Partial)
		o.rest, err = rest, failed
		o.Notes = append(o.Notes, notes...)
	}
	if err != nil || d.DstVolume.Network || o.rest.WaitsForClose() {
		id = vfs.Identify(dst)
	}
	// A network file system may report only at this point that the contents did not arrive.
	if err = vfs.JoinErrors(err, dst.Close()); err != nil || !t.stillOurs(id) {
		return id, err
	}
	notes, err := j.Attrs.SetClosed(d.Volumes(), t.Entry, e.Attrs, &o.rest)
	o.Notes = append(o.Notes, notes...)
	return id, err
}
