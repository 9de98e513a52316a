package command

import (
	"context"
	"io"

	"psync/internal/cli"
	"psync/internal/cli/flags"
	"psync/internal/cluster/member"
	"psync/internal/cluster/supervisor"
	"psync/internal/run"
)

// IsOwn reports whether arguments are for [Main], rather than those of psync on hosts that share a job.
func IsOwn(args []string) bool {
	if len(args) == 0 {
		return true
	}
	switch args[0] {
	case "serve", "keys", "help", "--help", "-h", "--version":
		return true
	}
	return false
}

// Sharing shares jobs with other hosts. It implements [cli.Cluster].
type Sharing struct {
	Child int // of the supervisor; see [supervisor.Child]
}

// Supervise implements [cli.Cluster].
func (s Sharing) Supervise(o *flags.Options) (status int, supervised bool, err error) {
	if s.Child > 0 {
		return 0, false, nil
	}
	status, err = supervisor.Run(func(ctx context.Context) (int, bool) { return member.Over(ctx, o.Queue) })
	return status, true, err
}

// Member implements [cli.Cluster].
func (s Sharing) Member(c cli.SharedCommand, options *run.Options) (run.Member, error) {
	o := member.Options{Flags: c.Flags, Typed: c.Typed, Operands: c.Operands, Child: s.Child}
	for _, file := range c.Read {
		o.Files, o.Sums = append(o.Files, file.Name), append(o.Sums, file.Sum)
	}
	return member.New(o, options)
}

// Status implements [cli.Cluster].
func (Sharing) Status(ctx context.Context, q flags.Queue, to io.Writer) (complete bool, err error) {
	return member.Status(ctx, q, to)
}
