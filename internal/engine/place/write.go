package place

import (
	"context"
	"errors"
	"io/fs"

	"psync/internal/content"
	"psync/internal/engine/attrs"
	"psync/internal/engine/changed"
	"psync/internal/plan"
	"psync/internal/vfs"
)

// write makes the new file t for an entry. If that fails, it removes the file.
func (p *Placer) write(ctx context.Context, d *Dir, e Entry, t target, from Source, o *Outcome) error {
	dst, err := p.cloneFile(ctx, d, t, from, o)
	isClone := dst != nil
	perm := p.Attrs.FirstMode(d.Parent, t.Dir, e.Attrs)
	if !isClone && err == nil {
		if d.Volumes.Dest.Network && t.Dir.Caps().Has(vfs.CanCreateLate) {
			return p.writeLate(ctx, d, e, t, perm, from, o)
		}
		dst, err = p.create(d, t, perm, o)
	}
	if err != nil {
		return err
	}
	var made attrs.Made
	if isClone {
		p.Copier.Progress(from.Attr.Size)
		made, err = p.observeClone(d, e, dst, o)
	} else {
		made, err = p.fill(ctx, d, e, t, dst, perm, from, o)
	}
	var id vfs.ID
	if err != nil {
		id = identify(dst)
		err = vfs.JoinErrors(err, dst.Close())
	} else {
		id, err = p.complete(d, e, t, dst, made, o)
	}
	if err != nil {
		return vfs.JoinErrors(err, p.removePartial(d, t, id, o))
	}
	return nil
}

// writeLate is write in a directory where it may not be known until the end whether the file could be made. It never
// removes the name: if anything fails, the file system leaves nothing of the file, and the name may belong to another
// one.
func (p *Placer) writeLate(ctx context.Context, d *Dir, e Entry, t target, perm fs.FileMode, from Source, o *Outcome) error {
	f, err := t.Dir.OpenFile(t.Name, vfs.CreateLate, perm)
	if err != nil {
		return err
	}
	dst := f.(attrs.LateFile)
	made, err := p.fill(ctx, d, e, t, dst, perm, from, o)
	if err != nil {
		return vfs.JoinErrors(err, dst.Discard())
	}
	rest, notes, err := p.Attrs.SetLate(d.Volumes, made, dst, t.Entry, e.Attrs, o.Partial, p.Fsync)
	o.rest = rest
	o.Notes = append(o.Notes, notes...)
	return err
}

func (p *Placer) observeClone(d *Dir, e Entry, dst vfs.File, o *Outcome) (attrs.Made, error) {
	made, notes, err := p.Attrs.Cloned(d.Volumes, dst, e.Attrs)
	o.Notes = append(o.Notes, notes...)
	return made, err
}

// cloneFile clones a file together with its attributes if the system supports that, and returns nil if it does not.
func (p *Placer) cloneFile(ctx context.Context, d *Dir, t target, from Source, o *Outcome) (vfs.File, error) {
	v := d.Volumes.Dest
	if !t.Dir.Caps().Has(vfs.CanCloneFile) || p.Copier.Sparse || p.Copier.Reflink == content.ReflinkNever || from.Attr.Dev != v.Dev || v.LacksClones() {
		return nil, nil
	}
	if from.Attr.Flags&p.Attrs.Source.RootLocks != 0 && !p.Attrs.User.Privileged() {
		return nil, nil // the clone could not be changed, renamed or removed
	}
	f, err := t.Dir.CloneFile(from.File, t.Name, p.Attrs.Keep.Owner && p.Attrs.Keep.Group)
	switch {
	case err == nil:
		return p.cloneUnchanged(ctx, d, t, f, from, o)
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
func (p *Placer) cloneUnchanged(ctx context.Context, d *Dir, t target, clone vfs.File, from Source, o *Outcome) (vfs.File, error) {
	if change, _, _ := changed.Since(from.File, from.Attr, d.Volumes.Source.Network); change == plan.Unchanged && p.cloneReadsBack(ctx, clone, from, o) {
		return clone, nil
	}
	id := identify(clone)
	return nil, vfs.JoinErrors(clone.Close(), p.removePartial(d, t, id, o))
}

// fill copies the contents of from to the new file t, which is open as dst.
func (p *Placer) fill(ctx context.Context, d *Dir, e Entry, t target, dst vfs.File, perm fs.FileMode, from Source, o *Outcome) (attrs.Made, error) {
	made, notes, err := p.Attrs.Created(d.Volumes, d.Parent, t.Dir, dst, perm, e.Attrs)
	o.Notes = append(o.Notes, notes...)
	if err == nil {
		err = p.copyTo(ctx, d, e, dst, from)
	}
	if err == nil {
		err = p.ensureUnchanged(ctx, d, dst, from, o)
	}
	if err == nil && !o.Partial {
		err = p.verify(ctx, d, t, dst, from, o)
	}
	return made, err
}

// complete sets the attributes of a file that has its contents, and closes it. If that fails, id identifies
// the file, or is zero if its identity is unknown.
func (p *Placer) complete(d *Dir, e Entry, t target, dst vfs.File, made attrs.Made, o *Outcome) (id vfs.ID, err error) {
	// The file gets its time, and its name if it replaces another, when its contents are on disk.
	if p.Fsync {
		err = content.Sync(dst)
	}
	if err == nil {
		rest, notes, failed := p.Attrs.SetOpen(d.Volumes, made, dst, e.Attrs, o.Partial)
		o.rest, err = rest, failed
		o.Notes = append(o.Notes, notes...)
	}
	if err != nil || d.Volumes.Dest.Network || o.rest.WaitsForClose() {
		id = identify(dst)
	}
	// A network file system may report only at this point that the contents did not arrive.
	if err = vfs.JoinErrors(err, dst.Close()); err != nil || !t.stillOurs(id) {
		return id, err
	}
	notes, err := p.Attrs.SetClosed(d.Volumes, t.Entry, e.Attrs, &o.rest)
	o.Notes = append(o.Notes, notes...)
	return id, err
}

var errChangedLeftOut = errors.New("changed while it was copied, so it was left out")

// ensureUnchanged checks that from has not changed while it was copied to dst. If only its change time differs, it
// copies the file again, since the contents may have changed too. If the file keeps changing, the copy is partial and
// must get a modification time that no later run considers current; if later runs do not compare times,
// ensureUnchanged returns an error. A source that does not answer, as when its connection is lost, has not
// necessarily changed; that is also an error.
func (p *Placer) ensureUnchanged(ctx context.Context, d *Dir, dst vfs.File, from Source, o *Outcome) error {
	for again := 0; ; again++ {
		change, now, err := changed.Since(from.File, from.Attr, d.Volumes.Source.Network)
		if err != nil {
			return &content.ReadError{Err: err}
		}
		switch p.Policy.AfterCopy(change, again) {
		case plan.Complete:
			return nil
		case plan.CopyAgain:
			from.Attr.Ctime = now.Ctime
			if err := p.recopy(ctx, d, dst, from); err != nil {
				return err
			}
		case plan.Discard:
			o.Partial = true
			return &content.ReadError{Err: errChangedLeftOut}
		default:
			o.Partial = true
			return nil
		}
	}
}

// recopy copies the contents of from again.
func (p *Placer) recopy(ctx context.Context, d *Dir, dst vfs.File, from Source) error {
	p.Copier.Quiet = true // the statistics count it only once
	defer func() { p.Copier.Quiet = false }()
	return p.Copier.Overwrite(ctx, dst, from.File, from.Attr, d.Route)
}
