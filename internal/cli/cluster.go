package cli

import (
	"context"
	"errors"
	"io"

	"psync/internal/cli/flags"
	"psync/internal/run"
	"psync/internal/sys/killtimer"
)

// A Cluster shares jobs with other hosts. psync itself has none, because what that takes would cost each copy: see psync-cluster.
type Cluster interface {
	// Supervise has another process do the work of this one, and returns its exit status, unless this is that process.
	Supervise(o *flags.Options) (status int, supervised bool, err error)
	// Member returns what takes part in a job, for which it may change the options of the run. The error says that hosts
	// cannot share the job.
	Member(c SharedCommand, options *run.Options) (run.Member, error)
	// Status writes the state of a job, and reports whether everything is done.
	Status(ctx context.Context, q flags.Queue, to io.Writer) (complete bool, err error)
}

// A SharedCommand is a command that is given on several hosts.
type SharedCommand struct {
	Flags    *flags.Options
	Typed    []string // the flags that were typed; see [flags.Options.Typed]
	Operands []string
	Read     []Input
}

// An Input is a file that was read with the command line.
type Input struct{ Name, Sum string }

// becomeCluster has psync-cluster carry out the command line.
func (a *app) becomeCluster() error {
	a.started, a.unstarted = true, ExitUsage
	if _, err := killtimer.New(); errors.Is(err, errors.ErrUnsupported) { // the timer ends with this program
		return errors.New("--queue: only hosts that run Linux share jobs, because its kernel can end a process in time")
	}
	return become("psync-cluster", a.line)
}

// share has a run share its job with other hosts. It reports whether another process has done everything.
func (a *app) share(o *flags.Options, options *run.Options, args []string, read []Input) (supervised bool, err error) {
	options.Member, err = a.Cluster.Member(SharedCommand{o, o.Typed(a.line), args, read}, options)
	if err != nil {
		a.unstarted = ExitUsage
		return false, err
	}
	a.exit, supervised, err = a.Cluster.Supervise(o)
	return supervised, err
}

// sharedStatus prints the state of a job that several hosts share.
func (a *app) sharedStatus(ctx context.Context, q flags.Queue) error {
	complete, err := a.Cluster.Status(ctx, q, a.Stdout)
	if err == nil && !complete {
		a.exit = ExitIncomplete
	}
	return err
}
