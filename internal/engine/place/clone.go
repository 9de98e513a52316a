package place

import (
	"errors"
	"io/fs"

	"psync/internal/content"
	"psync/internal/engine/changed"
	"psync/internal/plan"
	"psync/internal/vfs"
)

// cloneFile makes a file together with its attributes, where the system does
// that, and returns nil where it does not.
func (p *Placer) cloneFile(d *Dir, t target, from Source, o *Outcome) (vfs.File, error) {
	v := d.Volumes.Dest
	if !t.Dir.Caps().Has(vfs.CanCloneFile) || p.Copier.Sparse || p.Copier.Reflink == content.ReflinkNever || from.Attr.Dev != v.Dev || v.LacksClones() {
		return nil, nil
	}
	if from.Attr.Flags&p.Attrs.Source.RootLocks != 0 && !p.Attrs.User.Privileged() {
		return nil, nil // nobody could change, rename or remove it
	}
	f, err := t.Dir.CloneFile(from.File, t.Name, p.Attrs.Keep.Owner && p.Attrs.Keep.Group)
	switch {
	case err == nil:
		return p.cloneUnchanged(d, t, f, from, o)
	case errors.Is(err, fs.ErrExist):
		return nil, err
	case errors.Is(err, errors.ErrUnsupported):
		v.LearnNoClones()
	}
	return nil, nil // copying will tell what is really wrong
}

// cloneUnchanged looks whether from changed before it was cloned. If so, it removes the clone and
// returns nil: the file has to be copied, for a clone cannot be written to.
func (p *Placer) cloneUnchanged(d *Dir, t target, clone vfs.File, from Source, o *Outcome) (vfs.File, error) {
	if change, _, _ := changed.Since(from.File, from.Attr, d.Volumes.Source.Network); change == plan.Unchanged {
		return clone, nil
	}
	id := identify(clone)
	return nil, vfs.JoinErrors(clone.Close(), p.removePartial(d, t, id, o))
}
