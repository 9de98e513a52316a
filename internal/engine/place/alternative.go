package place

import (
	"context"

	"psync/internal/engine/attrs"
	"psync/internal/engine/job"
	"psync/internal/metadata"
	"psync/internal/plan"
	"psync/internal/report"
	"psync/internal/vfs"
)

// An Alternative is what another tree offers for a file.
type Alternative struct {
	Exact vfs.Dir       // has the file with the desired attributes; may be nil
	ID    vfs.ID        // of that file
	Near  Source        // has a file with the same contents, or no file; the caller closes it
	Basis *report.Basis // says how that differs, if it is to be reported; nil: there is none
}

// FindAlternative looks in the counterparts of d in other trees for a file with the contents of src, whose copy should
// have the attributes o.
func FindAlternative(ctx context.Context, j *job.Worker, d *job.Dir, name string, src vfs.File, o *attrs.Desired) (a Alternative) {
	kind, v := j.Run.Job.Alternatives.Kind, d.Volumes()
	for _, dir := range d.OpenAlternatives(&j.Run.Job.Alternatives) {
		alt, err := openSame(ctx, j, dir, v, name, src, o.Want.Attr)
		if err != nil {
			continue // ignore a tree that cannot be used
		}
		if alt.File == nil {
			if a.Basis == nil && alt.Attr.Mode.IsRegular() {
				a.Basis = basisOf(j, d, metadata.Entry{Dir: dir.Dir, Name: name}, alt.Attr, o)
			}
			continue
		}
		if v.Dest != nil && v.Dest.Network && !isStill(alt) {
			vfs.CloseUnwritten(alt)
			continue
		}
		exact := j.Attrs.Matches(v, alt.File, alt.Attr, o)
		if a.Basis == nil || !a.Basis.Same || exact {
			a.Basis = basisOf(j, d, alt.File, alt.Attr, o)
			a.Basis.SetSame()
		}
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

// basisOf returns how an entry of another tree, with the attributes attr, differs from what is desired, if that is reported.
func basisOf(j *job.Worker, d *job.Dir, n vfs.Node, attr vfs.Attr, o *attrs.Desired) *report.Basis {
	if !j.Run.Reporting.Bases {
		return nil
	}
	b := &report.Basis{Diff: j.Attrs.DiffersIn(d.Volumes(), n, attr, o)}
	if attr.Mode.IsRegular() && attr.Size != o.Want.Size {
		b.Diff |= report.DiffSize
	}
	if !j.Run.Job.Keep.Mtime {
		b.Diff |= report.DiffNow
	}
	return b
}

// FindSpecial looks in the counterparts of d in other trees for a link to target, or a special file, with the attributes that o
// desires. attr holds the attributes of the entry called name in the source. If none is exact, the basis is the first of the type.
func FindSpecial(j *job.Worker, d *job.Dir, name string, attr vfs.Attr, target string, o *attrs.Desired) (a Alternative) {
	for _, dir := range d.OpenAlternatives(&j.Run.Job.Alternatives) {
		there, err := vfs.Lstat(dir.Dir, name) // not as listed: it may be left out, and removed from the source
		if err != nil || there.Mode.Type() != attr.Mode.Type() {
			continue // ignore a tree that cannot be used
		}
		verdict := plan.Special(attr, there)
		if verdict == plan.CompareContents {
			if t, err := dir.Existing(name, there).Readlink(dir.Dir); err != nil || t != target {
				verdict = plan.Transfer
			}
		}
		n := metadata.Entry{Dir: dir.Dir, Name: name}
		if verdict != plan.Transfer && j.Attrs.Matches(d.Volumes(), n, there, o) {
			return Alternative{Exact: dir.Dir, ID: there.ID(), Basis: new(report.Basis)}
		}
		if j.Run.Reporting.Bases && a.Basis == nil {
			a.Basis = basisOf(j, d, n, there, o)
			if verdict == plan.Transfer {
				a.Basis.Diff |= report.DiffContents
			}
		}
	}
	return a
}

// isStill reports whether a file still has the attributes that were listed.
func isStill(s Source) bool {
	now, err := vfs.Stat(s)
	return err == nil && plan.ChangeOf(s.Attr, now) != plan.ContentsChanged
}

// openSame opens the file in a directory of another tree if the policy considers its contents the same as those of
// src. Otherwise it returns only the attributes of what has the name.
func openSame(ctx context.Context, j *job.Worker, in *job.Counterpart, v attrs.Volumes, name string, src vfs.File, want vfs.Attr) (Source, error) {
	there, err := in.Lstat(name, v.Dest)
	if err != nil || !there.Mode.IsRegular() {
		return Source{Attr: there}, err
	}
	verdict := j.Run.Job.Policy.Alternative(want, there, v.Tolerance)
	if verdict == plan.Transfer {
		return Source{Attr: there}, nil
	}
	f, err := in.Dir.OpenFile(name, vfs.ReadOnly, 0)
	if err != nil {
		return Source{}, err
	}
	if verdict == plan.CompareContents {
		same, err := j.Copier.Equal(ctx, src, f, want.Size)
		if err != nil || !same {
			return Source{Attr: there}, vfs.JoinErrors(err, f.Close())
		}
	}
	return Source{f, there}, nil
}
