package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"

	"psync/internal/cli/flags"
	"psync/internal/journal"
	"psync/internal/journal/check"
	"psync/internal/ui"
	"psync/internal/vfs"
	"psync/internal/walk"
)

// errNoCopies says that a journal does not record what each root was copied to.
var errNoCopies = errors.New("the journal of an earlier psync does not say where each source was copied to; psync compare looks at all")

// check looks at each directory that a journal names, in DST.
func (a *app) check(ctx context.Context, o *flags.Options, f *journal.File) (*check.Result, error) {
	copies := f.Job.Copies
	if len(copies) == 0 {
		return nil, errNoCopies
	}
	paths, host, err := a.connectOne(ctx, o, copies)
	if err != nil {
		return nil, err
	}
	var dests []vfs.Dir
	defer func() {
		for _, d := range dests {
			d.Close()
		}
	}()
	network := false
	for _, path := range paths {
		d, err := host.Open(path, true)
		if err != nil {
			return nil, err
		}
		dests = append(dests, d)
		v, err := d.Statfs()
		network = network || err == nil && v.Network
	}
	threads := o.Threads.First(network, a.roundTrip)
	return check.Run(ctx, check.Job{
		File: f, Dests: dests, Follow: slices.Contains(f.Job.Settings, "--keep-dirlinks"), Workers: walk.NewSize(threads, threads),
	})
}

// printChecked prints what of a journal is not so in DST.
func printChecked(out io.Writer, job journal.Job, r *check.Result, most int) {
	statusLine(out, "in DST", "%s directories found, %s not as the journal says", ui.Count(r.Found), ui.Count(int64(len(r.Wrong))))
	for _, w := range r.Wrong[:min(most, len(r.Wrong))] {
		fmt.Fprintf(out, "  %s: %s\n", ui.Escape(below(job.Copies[w.Root], w.Path)), ui.Escape(w.Err.Error()))
	}
	if more := len(r.Wrong) - most; more > 0 {
		fmt.Fprintf(out, "  and %s more\n", ui.Count(int64(more)))
	}
}
