// Package member has this process take part in a job that several hosts share, as its command line says.
//
// The host with --journal keeps the journal of the job. It begins the job, and ends it. The others wait until it has begun.
// A job that has ended stays as it is: the next one of the same name is another one, which no host of the former
// can add to.
package member

import (
	"context"
	"errors"
	"os"
	"sync/atomic"
	"syscall"
	"time"

	"psync/internal/cli/flags"
	"psync/internal/cluster"
	"psync/internal/cluster/facts"
	"psync/internal/cluster/fence"
	"psync/internal/cluster/scope"
	"psync/internal/engine"
	"psync/internal/filter"
	"psync/internal/localfs"
	"psync/internal/localfs/overlap"
	"psync/internal/operand"
	"psync/internal/queue"
	"psync/internal/queue/address"
	"psync/internal/run"
	"psync/internal/sys"
	"psync/internal/version"
)

// Options say what a member takes part in.
type Options struct {
	Flags    *flags.Options
	Typed    []string // the flags that were typed; see [flags.Options.Typed]
	Operands []string
	Files    []string // that were read with the command line
	Sums     []string // their checksums
	Child    int      // of the supervisor; see [supervisor.Child]
}

// A Member implements [run.Member].
type Member struct {
	options Options
	command scope.Command
	address address.Address
	resumes bool // a journal
	note    func(text string)
	longest func() time.Duration // a call
	refused atomic.Int32         // messages
	lost    atomic.Bool          // it was noted that the server has lost something

	job   job
	facts queue.Facts
	roots *operand.Roots
}

// New returns a member, unless the command cannot be shared. Of a later child of the supervisor, it changes the options of the
// run to go on with what the first one has begun.
func New(o Options, r *run.Options) (*Member, error) {
	m := &Member{options: o, command: scope.Command{Verb: o.Flags.Verb(), Flags: o.Typed, Operands: o.Operands, Files: o.Files}}
	if rules, ok := o.Flags.Engine.Rules.(*filter.Rules); ok {
		m.command.ReadsAbove = rules.ReadsAbove()
	}
	if err := m.command.Check(); err != nil {
		return nil, err
	}
	var err error
	if m.address, err = addressOf(o.Flags.Queue); err != nil {
		return nil, err
	}
	m.longest = r.Volumes.LongestCall
	r.Output.Resume = r.Output.Resume || r.Output.Journal != "" && o.Child > 1
	m.resumes, m.note = r.Output.Resume && isThere(r.Output.Journal), r.Messages.Note
	if m.note == nil {
		m.note = func(string) {}
	}
	return m, nil
}

// isThere reports whether a journal has anything to go on with.
func isThere(name string) bool {
	info, err := os.Stat(name)
	return err == nil && info.Size() > 0
}

// keeps reports whether this host keeps the journal.
func (m *Member) keeps() bool { return m.options.Flags.Output.Journal != "" }

// Join implements [run.Member].
func (m *Member) Join(ctx context.Context, roots *operand.Roots, j engine.Job) error {
	if err := cluster.Check(&j); err != nil {
		return err
	}
	m.roots = roots
	if m.job.ended { // another mark would change DST
		return nil
	}
	var err error
	m.facts, err = m.findFacts(ctx, roots, j)
	return err
}

// findFacts returns the facts of this host, and marks DST.
func (m *Member) findFacts(ctx context.Context, roots *operand.Roots, j engine.Job) (queue.Facts, error) {
	temp := ""
	if m.keeps() {
		temp = localfs.ThisProcess().Namer()()
	}
	operands := facts.Operands{Roots: roots, Alternatives: j.Alternatives.Dirs, MountsBelow: overlap.MountsBelow}
	trees, err := operands.Facts(m.job.name(), temp)
	for errors.Is(err, facts.ErrIncomplete) {
		if err := pause(ctx, retryPause); err != nil {
			return nil, err
		}
		trees, err = operands.Facts(m.job.name(), temp)
	}
	if err != nil {
		return nil, err
	}
	p := facts.Process{
		Command: m.command, Sums: m.options.Sums, CVSIgnore: os.Getenv("CVSIGNORE"),
		After: j.Policy.MinMtime, Before: j.Policy.MaxMtime,
		Version: version.String(), User: j.User, Capabilities: sys.Capabilities(), Umask: roots.Umask,
	}
	p.Host, _ = os.Hostname() // which only people read
	return p.Facts(trees), nil
}

// Run implements [run.Member].
func (m *Member) Run(ctx context.Context, j engine.Job, kept *run.KeptJournal) (status int, err error) {
	f, err := fence.New()
	if err != nil {
		return 0, err
	}
	h := &cluster.Host{
		Queue: m.job.queue, Lease: m.job.queue.Lease(), Fence: f, Kill: kill,
		Member: queue.Member{Name: m.facts.Value(queue.HostFact), Facts: m.facts},
	}
	figures := newFigures(&j, m.longest, m.options.Flags.RateLimit())
	h.Describe, h.Observe = figures.describe, func(s queue.State) { figures.observe(s, h.Member.ID, h.Lease) }
	if kept == nil {
		status, err = m.work(ctx, h, j)
	} else {
		figures.keeper = &cluster.Keeper{Queue: h.Queue, Lease: h.Lease, Name: kept.Name, Journal: kept.Writer, MaxDelete: j.Delete.Max}
		status, err = m.keep(ctx, h, j, figures.keeper)
	}
	if errors.Is(err, queue.ErrClosed) { // while this host was joining
		var s queue.State
		s, err = m.job.queue.State(ctx)
		status = s.Status
	}
	if err != nil {
		unmarked := facts.UnmarkOther(facts.Tree{Label: m.roots.DestLabel(), Dir: m.roots.Dest}, m.job.name(), err)
		return 0, errors.Join(explained(err), unmarked, f.Close())
	}
	var tooMany error
	if figures.keeper != nil {
		tooMany = figures.keeper.TooMany
	}
	return status, errors.Join(tooMany, facts.Unmark(m.roots.Dest, m.job.name()), f.Close())
}

// work has a host work on the job.
func (m *Member) work(ctx context.Context, h *cluster.Host, j engine.Job) (status int, err error) {
	if m.job.ended {
		return m.job.status, nil
	}
	err = h.Run(ctx, j)
	return h.Status, err
}

// keep has a host work on the job, and a keeper keep its journal.
func (m *Member) keep(ctx context.Context, h *cluster.Host, j engine.Job, k *cluster.Keeper) (status int, err error) {
	if m.job.ended {
		m.note("the job has ended; another --journal begins the next one")
		return k.Run(ctx)
	}
	if err := k.Begin(ctx); err != nil {
		return 0, err
	}
	if err := h.Join(ctx); err != nil {
		return 0, err
	}
	k.Announce = h.Reporter()
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	ended := make(chan error, 1)
	go func() {
		_, err := k.Run(ctx)
		if err != nil {
			cancel(err)
		}
		ended <- err
	}()
	err = h.Run(ctx, j)
	if err != nil {
		cancel(err)
	}
	if failure := <-ended; failure != nil && !errors.Is(failure, err) {
		err = failure // why the host has ended
	}
	return h.Status, err
}

// kill ends this process at once. The supervisor starts it again.
func kill() { _ = syscall.Kill(os.Getpid(), syscall.SIGKILL) }

var _ run.Member = (*Member)(nil)
