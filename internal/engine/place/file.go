package place

import (
	"context"

	"psync/internal/metadata"
	"psync/internal/plan"
	"psync/internal/vfs"
)

// A Source is a file to take contents from, with the attributes it had when it was opened.
type Source struct {
	vfs.File
	Attr vfs.Attr
}

// File makes a file with the contents and attributes of from, by method. The Outcome is valid even
// if an error is returned.
func (p *Placer) File(ctx context.Context, d *Dir, e Entry, from Source, method plan.Method) (o Outcome, err error) {
	switch method {
	case plan.Rewrite:
		err = p.rewrite(ctx, d, e, from, &o)
	case plan.Direct:
		t := target{Entry: metadata.Entry{Dir: d.Dir, Name: e.Name}}
		err = d.collision(p.write(ctx, d, e, t, from, &o))
	default:
		err = p.replace(ctx, d, e, &o, func(in vfs.Dir, temp string) error {
			return p.write(ctx, d, e, target{metadata.Entry{Dir: in, Name: temp}, true}, from, &o)
		})
	}
	if err == nil && o.Temp == "" {
		err = p.finishNamed(d, e, &o)
	}
	return o, err
}
