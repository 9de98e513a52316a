package place

import (
	"context"
	"errors"
	"io/fs"

	"psync/internal/engine/attrs"
	"psync/internal/engine/job"
	"psync/internal/metadata"
	"psync/internal/vfs"
)

// rewrite copies into an existing file. If that fails, the file's time is that of the failure, or a mark, so that the
// file does not look current.
func rewrite(ctx context.Context, j *job.Worker, d *job.Dir, e Entry, from Source, o *Outcome) (err error) {
	old, err := backUp(ctx, j, d, e, j.Run.Backups.CopyBeforeRewrite)
	if err != nil {
		return err
	}
	dst, lifted, err := openLifting(j, d.Dst, e.Name)
	if err != nil {
		return vfs.JoinErrors(err, old.FinishUnwritten())
	}
	defer func() { err = vfs.JoinErrors(err, lifted.Release()) }()
	was, err := vfs.Stat(dst)
	if err == nil && !was.Mode.IsRegular() {
		err = ErrNotRegular
	}
	if err == nil && e.Only != nil && !e.Only.Holds(was) {
		err = vfs.ErrChanged
	}
	if err != nil {
		return vfs.JoinErrors(vfs.JoinErrors(err, dst.Close()), old.FinishUnwritten())
	}
	err = overwrite(ctx, j, d, e, dst, was, from)
	if err == nil {
		err = ensureUnchanged(ctx, j, d, dst, from, o)
	}
	t := target{Entry: metadata.Entry{Dir: d.Dst, Name: e.Name}}
	if err == nil && !o.Partial {
		err = verify(ctx, j, d, t, dst, from, o)
	}
	if err != nil {
		err = vfs.JoinErrors(err, dst.Close())
		j.Run.Backups.MarkFailed(d.Dst, e.Name)
		return err
	}
	made, notes, err := j.Attrs.Rewritten(d.Volumes(), dst, lifted)
	o.Notes = append(o.Notes, notes...)
	if err == nil {
		_, err = complete(j, d, e, t, dst, made, o)
	} else {
		err = vfs.JoinErrors(err, dst.Close())
	}
	if err != nil {
		j.Run.Backups.MarkFailed(d.Dst, e.Name) // or the next attempt would make a backup of it
		return err
	}
	lifted.Discard()
	return old.Finish()
}

// openLifting opens a file for writing in place. If locks or ACLs forbid that, it lifts them until the hold is
// released.
func openLifting(j *job.Worker, in vfs.Dir, name string) (f vfs.File, lifted *attrs.Hold, err error) {
	f, err = openForWriting(in, name)
	if !errors.Is(err, fs.ErrPermission) {
		return f, nil, err
	}
	if lifted = j.Run.Lifter.Hold(in, name); lifted == nil {
		return nil, nil, err
	}
	err = lifted.Try(func() error {
		f, err = openForWriting(in, name)
		return err
	})
	if err != nil {
		return nil, nil, vfs.JoinErrors(err, lifted.Release())
	}
	return f, lifted, nil
}

// openForWriting opens an existing file for writing in place. The owner needs no write permission for that. The mode
// is restored at once: an open file stays writable, also over NFS and SMB, and a run that is killed later leaves the
// mode unchanged.
func openForWriting(in vfs.Dir, name string) (vfs.File, error) {
	f, err := in.OpenFile(name, vfs.ReadWrite, 0)
	if !errors.Is(err, fs.ErrPermission) {
		return f, err
	}
	attr, lerr := vfs.Lstat(in, name)
	if lerr != nil || attr.Mode&0o600 == 0o600 || vfs.Chmod(vfs.In(in, name), attr.Mode|0o600) != nil {
		return nil, err
	}
	if f, err = in.OpenFile(name, vfs.ReadWrite, 0); err != nil {
		return nil, vfs.JoinErrors(err, vfs.Chmod(vfs.In(in, name), attr.Mode))
	}
	if err = vfs.Chmod(f, attr.Mode); err != nil {
		return nil, vfs.JoinErrors(err, f.Close())
	}
	return f, nil
}
