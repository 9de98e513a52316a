package place

import (
	"context"
	"errors"
	"io/fs"
	"syscall"

	"psync/internal/engine/job"
	"psync/internal/metadata"
	"psync/internal/plan"
	"psync/internal/report"
	"psync/internal/vfs"
)

// ErrNotMade says that an entry was not made because this user may not make, or this volume cannot have, an entry of
// its type. The notes of the [Outcome] give the reason.
var ErrNotMade = errors.New("entries of this type cannot be made")

// Special makes an entry that is neither a regular file nor a directory: a symbolic link to target, or a
// special file, for which target is not used.
func Special(ctx context.Context, j *job.Worker, d *job.Dir, e Entry, method plan.Method, target string) (o Outcome, err error) {
	makeWithAttrs := func(in vfs.Dir, name string) error {
		if err := makeSpecial(in, name, &e.Attrs.Want.Attr, target); err != nil {
			if what := lacking(e.Attrs.Want.Mode.Type(), err); what != 0 {
				o.Notes = append(o.Notes, j.Attrs.Unkept(what, err)...)
				return ErrNotMade
			}
			return err
		}
		rest, notes, err := j.Attrs.SetNew(d.Volumes(), d.Dst, &d.Inherited, metadata.Entry{Dir: in, Name: name}, e.Attrs)
		o.rest = rest
		o.Notes = append(o.Notes, notes...)
		if err != nil && name != e.Name {
			return vfs.JoinErrors(err, removeTemp(j, d, in, name))
		}
		return err
	}
	if method == plan.Direct {
		err = j.Collision(d, makeWithAttrs(d.Dst, e.Name))
	} else {
		err = replace(ctx, j, d, e, &o, makeWithAttrs)
	}
	if err == nil {
		err = finishNamed(j, d, e, &o)
	}
	return o, err
}

func makeSpecial(in vfs.Dir, name string, attr *vfs.Attr, target string) error {
	if attr.Mode.Type() == fs.ModeSymlink {
		return vfs.Symlink(in, target, name)
	}
	return vfs.Mknod(in, name, attr.Mode, attr.Rdev)
}

// lacking returns the kind of entry that the volume lacks, or that this user may not make, if err, the error for an
// entry of type t, says so. Otherwise it returns 0.
func lacking(t fs.FileMode, err error) report.Attr {
	switch {
	case !vfs.CannotKeep(err):
		return 0
	case t == fs.ModeSymlink && errors.Is(err, syscall.EINVAL):
		return 0 // the volume has links but does not accept this name
	case t == fs.ModeSymlink:
		return report.Symlinks
	case t&fs.ModeDevice != 0:
		return report.Devices
	}
	return report.Specials
}
