package run

import (
	"cmp"
	"context"
	"errors"
	"io/fs"
	"slices"

	"psync/internal/engine/source"
	"psync/internal/journal"
	"psync/internal/journal/check"
	"psync/internal/metadata"
	"psync/internal/operand"
	"psync/internal/vfs"
)

// List calls found with each entry of o.Sources that would take part in a copy, and failed with what could not be read, as
// [source.Lister] does. Nothing is copied, and o.Dest may be missing.
func List(ctx context.Context, o Options, found func(path string, attr vfs.Attr, target string), failed func(label, path string, err error)) error {
	o.complete()
	paths, err := o.connectPair(ctx, operand.RootQuestions)
	if err != nil {
		return err
	}
	roots, err := operand.OpenSources(paths[:len(paths)-1], o.Operands)
	if err != nil {
		return err
	}
	defer roots.Close()
	on := o.Operands.Hosts.Source
	options := o.bind(on, 0)
	if roots.Files != nil {
		options.Files = roots.Files
	}
	l := source.Lister{
		Selector:      source.NewSelector(options.Selection, options.Links, metadata.ProfileOf(on.Info().System)),
		OneFileSystem: options.OneFileSystem, Found: found, Failed: failed,
	}
	return l.List(ctx, roots.Sources)
}

// errNoCopies says that a journal does not record what each root was copied to.
var errNoCopies = errors.New("the journal of an earlier psync does not say where each source was copied to; psync compare looks at all")

// CheckJournal looks at each directory that a journal names, in DST. If nothing is there of what the sources were copied to,
// it returns an error, for then a volume may not be mounted.
func CheckJournal(ctx context.Context, o Options, f *journal.File) (*check.Result, error) {
	copies := f.Job.Copies
	if len(copies) == 0 {
		return nil, errNoCopies
	}
	o.complete()
	paths, host, err := o.connectOne(ctx, copies)
	if err != nil {
		return nil, err
	}
	wait := roundTrip(host)
	dests := make([]vfs.Dir, len(paths))
	var missing error
	opened, network := false, false
	for i, path := range paths {
		d, err := host.Open(path, vfs.OpenOptions{Noatime: true})
		if errors.Is(err, fs.ErrNotExist) {
			missing = cmp.Or(missing, err)
			continue
		}
		if err != nil {
			return nil, err
		}
		defer d.Close()
		dests[i], opened = d, true
		v, err := d.Statfs()
		network = network || err == nil && v.Network
	}
	if !opened {
		return nil, missing
	}
	return check.Run(ctx, check.Job{
		File: f, Dests: dests, Workers: o.Threads.size(network, wait),
		Follow: slices.Contains(f.Job.Settings, "--keep-dirlinks"), MayLack: slices.Contains(f.Job.Settings, "--existing"),
	})
}
