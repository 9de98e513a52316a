package place

import (
	"context"

	"psync/internal/engine/job"
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
func File(ctx context.Context, j *job.Worker, d *job.Dir, e Entry, from Source, method plan.Method) (o Outcome, err error) {
	switch method {
	case plan.Rewrite:
		err = rewrite(ctx, j, d, e, from, &o)
	case plan.Direct:
		t := target{Entry: metadata.Entry{Dir: d.Dst, Name: e.Name}}
		err = j.Collision(d, write(ctx, j, d, e, t, from, &o))
	default:
		err = replace(ctx, j, d, e, &o, func(in vfs.Dir, temp string) error {
			return write(ctx, j, d, e, target{metadata.Entry{Dir: in, Name: temp}, true}, from, &o)
		})
	}
	if err == nil && o.Temp == "" {
		err = finishNamed(j, d, e, &o)
	}
	if err == nil {
		RemoveParts(j, d, e.Name, from.Attr.Size)
	}
	return o, err
}
