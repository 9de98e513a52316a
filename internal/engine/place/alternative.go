package place

import (
	"context"

	"psync/internal/engine/attrs"
	"psync/internal/engine/job"
	"psync/internal/metadata"
	"psync/internal/plan"
	"psync/internal/vfs"
)

// An Alternative is what another tree offers for a file.
type Alternative struct {
	Exact vfs.Dir // has the file with the desired attributes; may be nil
	ID    vfs.ID  // of that file
	Near  Source  // has a file with the same contents, or no file; the caller closes it
}

// FindAlternative looks in the counterparts of d in other trees for a file with the contents of src, whose copy should
// have the attributes o.
func FindAlternative(ctx context.Context, j *job.Worker, d *job.Dir, name string, src vfs.File, o *attrs.Desired) (a Alternative) {
	kind, v := j.Run.Job.Alternatives.Kind, d.Volumes()
	for _, dir := range d.OpenAlternatives(&j.Run.Job.Alternatives) {
		alt, err := openSame(ctx, j, dir, v, name, src, o.Want.Attr)
		if err != nil || alt.File == nil {
			continue // ignore a tree that cannot be used
		}
		if v.Dest != nil && v.Dest.Network && !isStill(alt) {
			vfs.CloseUnwritten(alt)
			continue
		}
		exact := j.Attrs.Matches(v, alt.File, alt.Attr, o)
		if a.Near.File == nil && kind.IsOrigin(exact, j.Attrs.Keep.KeepsPrivileges(&o.Want)) {
			a.Near = alt
		} else {
			vfs.CloseUnwritten(alt)
		}
		if kind.Replaces(exact) {
			a.Exact, a.ID = dir.Dir, alt.Attr.ID()
			break
		}
	}
	return a
}

// HasSame reports whether one of the counterparts of d in other trees has a link to target, or a special file, with the
// attributes that o desires. attr holds the attributes of the entry called name in the source.
func HasSame(j *job.Worker, d *job.Dir, name string, attr vfs.Attr, target string, o *attrs.Desired) bool {
	for _, dir := range d.OpenAlternatives(&j.Run.Job.Alternatives) {
		there, err := vfs.Lstat(dir.Dir, name) // not as listed: it may be left out, and removed from the source
		if err != nil {
			continue // ignore a tree that cannot be used
		}
		switch plan.Special(attr, there) {
		case plan.Transfer:
			continue
		case plan.CompareContents:
			if t, err := dir.Existing(name, there).Readlink(dir.Dir); err != nil || t != target {
				continue
			}
		}
		if j.Attrs.Matches(d.Volumes(), metadata.Entry{Dir: dir.Dir, Name: name}, there, o) {
			return true
		}
	}
	return false
}

// isStill reports whether a file still has the attributes that were listed.
func isStill(s Source) bool {
	now, err := vfs.Stat(s)
	return err == nil && plan.ChangeOf(s.Attr, now) != plan.ContentsChanged
}

// openSame opens the file in a directory of another tree if the policy considers its contents the same as those of
// src.
func openSame(ctx context.Context, j *job.Worker, in *job.Counterpart, v attrs.Volumes, name string, src vfs.File, want vfs.Attr) (Source, error) {
	there, err := in.Lstat(name, v.Dest)
	if err != nil || !there.Mode.IsRegular() {
		return Source{}, err
	}
	verdict := j.Run.Job.Policy.Alternative(want, there, v.Tolerance)
	if verdict == plan.Transfer {
		return Source{}, nil
	}
	f, err := in.Dir.OpenFile(name, vfs.ReadOnly, 0)
	if err != nil {
		return Source{}, err
	}
	if verdict == plan.CompareContents {
		same, err := j.Copier.Equal(ctx, src, f, want.Size)
		if err != nil || !same {
			return Source{}, vfs.JoinErrors(err, f.Close())
		}
	}
	return Source{f, there}, nil
}
