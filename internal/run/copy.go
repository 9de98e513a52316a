package run

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"time"

	"psync/internal/engine"
	"psync/internal/engine/source"
	"psync/internal/localfs"
	"psync/internal/metadata"
	"psync/internal/operand"
	"psync/internal/plan"
	"psync/internal/record"
	"psync/internal/report"
)

// Copy copies o.Sources to o.Dest and reports what is done to sink, which may be nil. The error says that the copy could not
// begin, or ended early, or that a file beside the copy is not complete.
func Copy(ctx context.Context, o Options, sink report.Sink) (Result, error) {
	r, err := OpenCopy(ctx, o)
	if err != nil {
		return Result{}, err
	}
	defer r.Close()
	result, err := r.Finish(ctx, r.Do(ctx, sink), nil)
	return result, errors.Join(append(result.Files, result.Err, err)...)
}

// copyFiles are the files that only a copy writes in addition to DST.
type copyFiles struct {
	failures *record.FailureList // or nil
	sums     checksums
	journal  *journaled
	roots    *operand.Roots
}

// OpenCopy opens a copy of o.Sources to o.Dest, unless it cannot end well. The caller closes it.
func OpenCopy(ctx context.Context, o Options) (*Run, error) {
	o.complete()
	if err := o.Validate(); err != nil {
		return nil, err
	}
	if o.Member != nil {
		if err := o.Member.Find(ctx); err != nil {
			return nil, err
		}
	}
	t, err := o.openTrees(ctx)
	if err != nil {
		return nil, err
	}
	r, err := o.openCopy(ctx, t)
	if err != nil {
		t.close()
		return nil, err
	}
	return r, nil
}

// Validate refuses a run if too few files may be open, or if options name one file for several things to be written to.
func (o *Options) Validate() error {
	if err := checkOpenFiles(); err != nil {
		return err
	}
	return operand.CheckApart(localfs.Host{}, o.sideFiles())
}

// trees are the open operands of a copy, and what is to be done with them.
type trees struct {
	roots   *operand.Roots
	aux     operand.AuxDirs
	options engine.Options
	wait    time.Duration // a round trip to another host, or 0
}

// openTrees opens the operands, and the other directories that options name.
func (o *Options) openTrees(ctx context.Context) (*trees, error) {
	paths, err := o.connectPair(ctx, operand.RootQuestions)
	if err != nil {
		return nil, err
	}
	hosts := o.Operands.Hosts
	t := &trees{wait: roundTrip(hosts.Source, hosts.Dest)}
	if t.roots, err = operand.OpenRoots(paths, o.Operands); err != nil {
		return nil, err
	}
	if t.aux, err = t.roots.OpenAux(o.Aux, o.Messages.warn); err != nil {
		t.roots.Close()
		return nil, err
	}
	t.options = o.bind(hosts.Dest, t.roots.Umask)
	if t.roots.Files != nil {
		t.options.Files = t.roots.Files
	}
	o.spareDest(t)
	t.options.Backup, t.options.TempDir, t.options.Partial, t.options.Alternatives = t.aux.Backup, t.aux.TempDir, t.aux.Partial, t.aux.Alternatives
	return t, nil
}

// spareDest switches --delete off if a source is missing and the others are copied: what DST has may be from that one.
func (o *Options) spareDest(t *trees) {
	d := &t.options.Delete
	isMissing := func(s source.Tree) bool { return s.Err != nil }
	if d.On && !d.IgnoreErrors && o.Operands.SlashDecides && slices.ContainsFunc(t.roots.Sources, isMissing) {
		d.On, d.Force = false, true // directories still make room for other entries
		o.Messages.warn("a source could not be found, so --delete removes nothing (--ignore-errors)")
	}
}

func (t *trees) close() {
	t.aux.Close()
	t.roots.Close()
}

// openCopy opens the files of a copy, and confines it.
func (o *Options) openCopy(ctx context.Context, t *trees) (_ *Run, err error) {
	hosts, roots := o.Operands.Hosts, t.roots
	if err := o.checkSources(ctx, t); err != nil {
		return nil, err
	}
	r := newRun(o, t.close)
	r.Receives, r.copy.roots = receives(hosts), roots
	r.describeDest(roots)
	r.NewBackupDir = t.aux.Backup.Missing
	defer func() {
		if err != nil {
			r.discard()
		}
	}()
	if o.Member != nil {
		if err := o.Member.Join(ctx, roots, r.job(t.options, roots, nil)); err != nil {
			return nil, err
		}
	}
	if r.copy.failures, err = o.createFailures(roots); err != nil {
		return nil, err
	}
	if r.copy.sums, err = o.openChecksums(ctx, t); err != nil {
		return nil, err
	}
	t.options.Hashes = r.copy.sums.hashes(hosts)
	dest := describeOperand(o.Dest, roots.Dest)
	if r.log, err = o.openLog(0o666&^roots.Umask, r.Receives, o.sourceOperands(roots), &dest); err != nil {
		return nil, err
	}
	if r.copy.journal, err = o.openJournal(roots); err != nil {
		return nil, err
	}
	o.warnOfSync(t.options, hosts.Dest)
	o.confineCopy(t.options, roots, &t.aux) // from here on, no file may be made elsewhere than in DST
	var mayCountFiles bool
	more := moreSources(roots)
	r.Workers, t.options.OpenDirs, mayCountFiles = o.newWorkers(t.roots.Network, t.wait, t.aux.PerWorker()+2*more)
	t.options.OpenDirs = max(1, t.options.OpenDirs/(1+more))
	// With a list of files, most of the files of the sources do not matter; over SFTP they would be listed twice.
	if mayCountFiles && o.Member == nil && t.options.Files == nil && !t.options.OneLevel && !isSFTP(hosts.Source) {
		r.count = func(ctx context.Context) {
			o.selector(t).Count(ctx, roots.Sources, t.options.Policy, &r.Stats.Expected)
		}
	}
	r.setEngine(t)
	return r, nil
}

// setEngine sets what carries the copy out.
func (r *Run) setEngine(t *trees) {
	job := func(sink report.Sink) engine.Job {
		j := r.job(t.options, t.roots, sink)
		j.Process = sync.OnceValue(localfs.ThisProcess)
		return j
	}
	if r.options.Member != nil {
		r.engine = r.share(job)
		return
	}
	r.engine = func(ctx context.Context, sink report.Sink) error {
		job := job(sink)
		if j := r.copy.journal; j != nil {
			job.Journal, job.Progress = j.writer, j.progress
		}
		return engine.Run(ctx, job)
	}
}

// describeDest sets what the run makes of its destination.
func (r *Run) describeDest(roots *operand.Roots) {
	r.NewDest = roots.DestIsNew
	for _, s := range roots.Sources {
		r.Original = s.Original
	}
}

// selector selects the entries of the sources that take part.
func (o *Options) selector(t *trees) *source.Selector {
	return source.NewSelector(t.options.Selection, plan.Links{}, metadata.ProfileOf(o.Operands.Hosts.Source.Info().System))
}

// A FewFilesError says that the sources hold fewer files than [Options.MinSourceFiles].
type FewFilesError struct{ files, want int64 }

func (e *FewFilesError) Error() string {
	return fmt.Sprintf("the source holds %d files, fewer than the %d of --min-source-files", e.files, e.want)
}

// checkSources refuses sources that hold too few files.
func (o *Options) checkSources(ctx context.Context, t *trees) error {
	if o.MinSourceFiles == 0 {
		return nil
	}
	if enough, files := o.selector(t).HoldAtLeast(ctx, t.roots.Sources, t.options.Policy, o.MinSourceFiles); !enough && ctx.Err() == nil {
		return &FewFilesError{files, o.MinSourceFiles}
	}
	return nil
}

// createFailures makes the file that gets the paths that failed, if it is wanted.
func (o *Options) createFailures(roots *operand.Roots) (*record.FailureList, error) {
	if o.Output.Failures == "" {
		return nil, nil
	}
	f, err := o.createFile(o.Output.Failures, roots.Umask)
	if err != nil {
		return nil, fmt.Errorf("--failures: %w", err)
	}
	inSource := o.Output.InSource
	if inSource == nil {
		inSource = func(path string) string { return path }
	}
	return record.NewFailureList(f, o.Output.FailuresNUL, inSource), nil
}

// job returns the job of a copy or a comparison.
func (r *Run) job(o engine.Options, roots *operand.Roots, sink report.Sink) engine.Job {
	hosts := r.options.Operands.Hosts
	o.SourceProfile, o.DestProfile = metadata.ProfileOf(hosts.Source.Info().System), metadata.ProfileOf(hosts.Dest.Info().System)
	return engine.Job{
		Options: o,
		Sources: roots.Sources,
		Dest:    roots.Dest, DestLabel: roots.DestLabel(), DestIsNew: roots.DestIsNew, DestDev: roots.DestDev, DestRules: roots.DestRules, Watched: roots.Watched,
		Workers: r.Workers, Sink: sink, Stats: r.Stats, Activity: r.options.Activity,
	}
}
