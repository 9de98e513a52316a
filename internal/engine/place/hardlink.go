package place

import (
	"context"
	"errors"
	"syscall"

	"psync/internal/plan"
	"psync/internal/vfs"
)

// HardLink makes an entry that is another name of the one called name in from. If that cannot have any, or no more
// of them, refused says why.
func (p *Placer) HardLink(ctx context.Context, d *Dir, e Entry, from vfs.Dir, name string) (o Outcome, refused, err error) {
	var linkErr error
	link := func(in vfs.Dir, newname string) error {
		linkErr = in.Link(from, name, newname)
		return linkErr
	}
	err = p.Lifter.Force(func() error {
		if e.Action == plan.Create {
			return d.collision(link(d.Dir, e.Name))
		}
		return p.replace(ctx, d, e, &o, link)
	}, from, name)
	if errors.Is(linkErr, errors.ErrUnsupported) || errors.Is(linkErr, syscall.EMLINK) {
		return o, linkErr, nil
	}
	return o, nil, err
}
