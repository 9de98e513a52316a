package cli

import (
	"context"
	"errors"
	"fmt"
	"io/fs"

	"github.com/spf13/cobra"

	"psync/internal/cli/flags"
	"psync/internal/engine"
	"psync/internal/engine/source"
	"psync/internal/localfs"
	"psync/internal/metadata"
	"psync/internal/operand"
	"psync/internal/plan"
	"psync/internal/record"
	"psync/internal/report"
)

// copyingCommand returns psync itself, or one of the verbs that copy.
func (a *app) copyingCommand(name string, verb flags.Verbs) *cobra.Command {
	c := &cobra.Command{Use: name + " [flags] SRC... DST", Args: copyOperands, ValidArgsFunction: completeWith(cobra.ShellCompDirectiveDefault)}
	describe(c, name)
	o := flags.Define(c, verb)
	if a.ignoresFlags {
		o.DefineIgnored(c.Flags())
	}
	c.RunE = func(c *cobra.Command, args []string) error { return a.copy(c, o, args) }
	return c
}

func copyOperands(c *cobra.Command, args []string) error {
	switch list, _ := c.Flags().GetBool("list-only"); len(args) {
	case 0:
		return errors.New("SRC and DST are missing")
	case 1:
		if list {
			return nil
		}
		return fmt.Errorf("DST is missing after %s", args[0])
	}
	return nil
}

// copy runs the copying verbs. It returns an error if the run could not start.
func (a *app) copy(c *cobra.Command, o *flags.Options, args []string) error {
	open, hashes := inputsOf(o), []string(nil)
	if o.Journal != "" {
		open = hashed(open, &hashes)
	}
	if err := o.Complete(c.Flags(), open); err != nil {
		return err
	}
	if err := a.refuseValueOfSwitch(c.Flags(), args); err != nil {
		return err
	}
	if o.Output.ListOnly {
		return a.listOnly(c.Context(), o, args)
	}
	if o.Output.Failures != "" && len(args) > 2 {
		return errors.New("--failures names what failed relative to SRC, of which there is more than one: copy them one after the other")
	}
	a.started = true
	if err := checkFiles(o); err != nil {
		return err
	}
	if err := a.reserveMetrics(o); err != nil {
		return err
	}
	if o.UI.Verbose {
		for _, what := range o.Ignored() {
			a.note(o, what)
		}
	}
	t, err := a.openTrees(c.Context(), o, args)
	if err != nil {
		return err
	}
	defer t.close()
	if err := t.checkSources(c.Context(), o); err != nil {
		return err
	}
	roots := t.roots
	failures, err := createFailures(o, roots.Umask)
	if err != nil {
		return err
	}
	sums, err := openChecksums(o, t.options.DryRun, roots)
	if err != nil {
		return err
	}
	t.options.Hashes = sums.hashes(t.hosts)
	o.UI.Receives = t.hosts.Source.IsRemote() && !t.hosts.Dest.IsRemote()
	if err := a.openLog(o, 0o666&^roots.Umask, record.Start{Sources: sourceOperands(args, roots), Dest: destOperand(args, roots)}); err != nil {
		return err
	}
	recorded, err := a.openJournal(o, args, hashes, roots)
	if err != nil {
		return err
	}
	a.confineCopy(o, t.options, t.hosts, roots, &t.aux) // from here on, no file may be made elsewhere than in DST
	a.run(c.Context(), runSpec{
		options: o, network: roots.Network && !o.Bare(), perWorker: t.aux.PerWorker(), failures: failures,
		count: t.countFiles,
		start: func(ctx context.Context, r resources) error {
			job := a.job(t.options, t.hosts, roots, r)
			job.Process = localfs.ThisProcess()
			if recorded != nil {
				job.Journal, job.Progress = recorded.writer, recorded.progress
			}
			return recorded.audit(ctx, a, o, engine.Run(ctx, job))
		},
	})
	sums.complete(c.Context(), a, o, t.hosts.Dest, roots)
	return recorded.close(a.exit)
}

// trees are the open operands of a copy, and what is to be done with them.
type trees struct {
	hosts   operand.Hosts
	roots   *operand.Roots
	aux     operand.AuxDirs
	options engine.Options
}

// openTrees opens the operands SRC... DST, and the other directories that flags name.
func (a *app) openTrees(ctx context.Context, o *flags.Options, args []string) (t *trees, err error) {
	t = new(trees)
	paths, hosts, err := a.connectPair(ctx, o, args, operand.RootQuestions)
	if err != nil {
		return nil, err
	}
	o.Operands.Hosts, t.hosts = hosts, hosts
	if t.roots, err = operand.OpenRoots(paths, o.Operands); err != nil {
		return nil, err
	}
	if t.aux, err = t.roots.OpenAux(o.Aux, func(what string) { a.warn(o, what) }); err != nil {
		t.roots.Close()
		return nil, err
	}
	o.OverSFTP = isSFTP(hosts.Dest)
	t.options = o.Engine(hosts.Dest.User(), t.roots.Umask)
	if t.roots.Files != nil {
		t.options.Files = t.roots.Files
	}
	t.options.Backup, t.options.TempDir, t.options.Alternatives = t.aux.Backup, t.aux.TempDir, t.aux.Alternatives
	return t, nil
}

func (t *trees) close() {
	t.aux.Close()
	t.roots.Close()
}

// selector selects the entries of the sources that take part.
func (t *trees) selector() *source.Selector {
	return source.NewSelector(t.options.Selection, plan.Links{}, metadata.ProfileOf(t.hosts.Source.System()))
}

// countFiles counts the files of the sources. With a list of files, most of them do not matter; over SFTP they would be listed
// twice.
func (t *trees) countFiles(ctx context.Context, stats *report.Stats) {
	if t.options.Files == nil && !t.options.OneLevel && !isSFTP(t.hosts.Source) {
		t.selector().Count(ctx, t.roots.Sources, t.options.Policy, &stats.Expected)
	}
}

// A fewFilesError says that the sources hold fewer files than --min-source-files wants.
type fewFilesError struct{ files, want int64 }

func (e *fewFilesError) Error() string {
	return fmt.Sprintf("the source holds %d files, fewer than the %d of --min-source-files", e.files, e.want)
}

// checkSources refuses sources that hold too few files.
func (t *trees) checkSources(ctx context.Context, o *flags.Options) error {
	if o.MinSourceFiles == 0 {
		return nil
	}
	if enough, files := t.selector().HoldAtLeast(ctx, t.roots.Sources, t.options.Policy, o.MinSourceFiles); !enough && ctx.Err() == nil {
		return &fewFilesError{files, o.MinSourceFiles}
	}
	return nil
}

// createFailures makes the file that gets the paths that failed, if it is wanted.
func createFailures(o *flags.Options, umask fs.FileMode) (*record.FailureList, error) {
	if o.Output.Failures == "" {
		return nil, nil
	}
	f, err := createOutput(o, o.Output.Failures, umask)
	if err != nil {
		return nil, fmt.Errorf("--failures: %w", err)
	}
	return record.NewFailureList(f, o.Output.FailuresNUL, o.Output.InSource), nil
}

// job returns the job of a copy or a comparison.
func (a *app) job(o engine.Options, hosts operand.Hosts, roots *operand.Roots, r resources) engine.Job {
	o.SourceProfile, o.DestProfile = metadata.ProfileOf(hosts.Source.System()), metadata.ProfileOf(hosts.Dest.System())
	o.OpenDirs, o.AlwaysShare = r.openDirs, a.AlwaysShare
	return engine.Job{
		Options: o,
		Sources: roots.Sources,
		Dest:    roots.Dest, DestLabel: roots.DestLabel(), DestIsNew: roots.DestIsNew, DestDev: roots.DestDev, DestRules: roots.DestRules, Watched: roots.Watched,
		Workers: r.workers, Sink: r.sink, Stats: r.stats, Activity: &a.activity,
	}
}
