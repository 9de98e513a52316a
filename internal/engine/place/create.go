package place

import (
	"errors"
	"io/fs"
	"syscall"

	"psync/internal/engine/dirnames"
	"psync/internal/engine/job"
	"psync/internal/vfs"
)

// createFile makes the file t, in d or in another directory.
//
// Where exclusive creation is expensive, it is avoided if nothing else can have the name: in a directory that only
// this user can write to, if the file is a temporary of this run, or if the run made the directory and the volume
// distinguishes the names of the source. With NFS 3 and NFS 4 on Linux, O_EXCL costs another SETATTR, during which
// the system lets no other process make an entry in the directory.
func createFile(j *job.Worker, d *job.Dir, t target, perm fs.FileMode) (vfs.File, error) {
	in, name := t.Dir, t.Name
	if in != d.Dst || !d.DstVolume.SlowExclusive ||
		d.Mode()&0o022 != 0 || int(d.DestAttr.UID) != j.Attrs.User.UID {
		return in.OpenFile(name, vfs.Create, perm)
	}
	if !t.temporary && (!d.Fresh() || !dirnames.IsPlain(name) || j.IgnoresCase(d)) {
		return in.OpenFile(name, vfs.Create, perm)
	}
	if d.Sharing != nil && d.Sharing.Shared() {
		// Before it makes an entry, Linux looks up the name, and during that time also lets no other process make an
		// entry. It relies on the result of an earlier lookup, many of which can run at once.
		_, _ = vfs.Lstat(in, name)
	}
	f, err := in.OpenFile(name, vfs.OpenCreate, perm)
	if errors.Is(err, errors.ErrUnsupported) {
		return in.OpenFile(name, vfs.Create, perm)
	}
	if err != nil {
		return nil, err
	}
	attr, err := vfs.Stat(f) // the attributes came with the reply to opening
	switch {
	case err != nil:
		return nil, vfs.JoinErrors(err, vfs.JoinErrors(f.Close(), removePartial(j, d, t, vfs.ID{})))
	case !isNew(attr, j.Attrs.User, perm):
		return nil, vfs.JoinErrors(&fs.PathError{Op: "create", Path: name, Err: syscall.EEXIST}, f.Close())
	}
	return f, nil
}

// isNew reports whether an entry with these attributes may be one that a user has just made with the mode perm.
func isNew(attr vfs.Attr, u vfs.User, perm fs.FileMode) bool {
	return attr.Mode.IsRegular() && attr.Size == 0 && attr.Nlink == 1 &&
		int(attr.UID) == u.UID && attr.Mode.Perm()&^perm == 0
}
