package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"psync/internal/cli/flaggroup"
	"psync/internal/cli/flags"
	"psync/internal/cli/help"
	"psync/internal/journal"
	"psync/internal/journal/check"
	"psync/internal/run"
	"psync/internal/sys"
	"psync/internal/ui"
)

// maxOpenListed is how many directories that are not done psync status lists without -v.
const maxOpenListed = 20

// statusCommand returns the verb that says what a journal proves.
func (a *app) statusCommand() *cobra.Command {
	c := &cobra.Command{
		Use:               "status [flags] JOURNAL | --queue URL",
		ValidArgsFunction: cobra.FixedCompletions(nil, cobra.ShellCompDirectiveDefault),
		Args: func(c *cobra.Command, args []string) error {
			switch shared := c.Flags().Changed("queue"); {
			case shared && len(args) > 0:
				return errors.New("--queue asks the server for the state of a job: leave JOURNAL out")
			case shared:
				return nil
			}
			switch len(args) {
			case 0:
				return errors.New("JOURNAL is missing")
			case 1:
				return nil
			}
			return errors.New("there is one JOURNAL to a job: ask for them one after the other")
		},
	}
	help.Describe(c, "status")
	verbose := c.Flags().BoolP("verbose", "v", false, "list all directories that are not done (up to 10,000)")
	looks := c.Flags().Bool("check", false, "also look in DST at each directory that the journal calls done: that it is there, not what is in it")
	o, shared := addFlags(c, flags.Compare, flags.HeadingRemote), addFlags(c, flags.Copy, flags.HeadingQueue)
	c.RunE = func(c *cobra.Command, args []string) error {
		if shared.Queue.URL != "" && a.Cluster == nil {
			return a.becomeCluster()
		}
		if err := o.Complete(c.Flags(), inputsOf(o)); err != nil {
			return err
		}
		a.started = true
		if shared.Queue.URL != "" {
			return a.sharedStatus(c.Context(), shared.Queue)
		}
		return a.status(c.Context(), o, args[0], *verbose, *looks)
	}
	return c
}

// addFlags adds those flags of another verb that are under a heading.
func addFlags(c *cobra.Command, verb flags.Verbs, heading string) *flags.Options {
	defined := new(cobra.Command)
	o := flags.Define(defined, verb)
	defined.Flags().VisitAll(func(f *pflag.Flag) {
		if flaggroup.HeadingOf(f) == heading {
			c.Flags().AddFlag(f)
		}
	})
	return o
}

// status prints what a journal proves. The exit status says whether that is that everything is done.
func (a *app) status(ctx context.Context, o *flags.Options, name string, verbose, looks bool) error {
	f, err := journal.Read(name, sys.BootID())
	if err != nil {
		return err
	}
	defer f.Close()
	audit, err := f.Audit()
	if err != nil {
		return err
	}
	if !audit.Complete() || f.Running || wasRefused(f) {
		a.exit = ExitIncomplete
	}
	most := maxOpenListed
	if verbose {
		most = math.MaxInt
	}
	printStatus(a.Stdout, f, audit)
	if !looks {
		printResult(a.Stdout, f, audit, most, "complete, as the runs have recorded it; --check also looks in DST")
		return nil
	}
	checked, err := run.CheckJournal(ctx, a.options(o, []string{""}), f)
	if err != nil {
		return err
	}
	printChecked(a.Stdout, f.Job, checked, most)
	if len(checked.Wrong) > 0 {
		a.exit = ExitIncomplete
		advise(a.Stderr, "psync sync with the flags of this job copies what DST has lost; --resume would not look there")
		return nil
	}
	printResult(a.Stdout, f, audit, most, "complete")
	return nil
}

// wasRefused reports whether the last run did not begin because DST was empty.
func wasRefused(f *journal.File) bool { return f.End != nil && f.End.Status == run.StatusRefused }

func statusLine(out io.Writer, what, format string, args ...any) {
	fmt.Fprintf(out, "%-12s %s\n", what, ui.Escape(fmt.Sprintf(format, args...)))
}

// printStatus prints what is known of a run.
func printStatus(out io.Writer, f *journal.File, audit *journal.Audit) {
	line := func(what, format string, args ...any) { statusLine(out, what, format, args...) }
	line("job", "%s", jobLine(f.Job))
	line("runs", "%d, the first from %s", len(f.Sessions), f.Started().Format(time.DateTime))
	line("state", "%s", stateOf(f))
	line("directories", "%s known, %s done, %s failed, %s not done", ui.Count(audit.Found), ui.Count(audit.Done), ui.Count(audit.Failed), ui.Count(audit.Missing))
	line("entries", "%s, %s in files, %s failed", ui.Count(audit.Entries), ui.Size(audit.Bytes), ui.Count(audit.FailedEntries))
	if f.Untrusted > 0 && !f.Running {
		line("not counted", "%s bytes at the end, which are damaged or incomplete, or record what the disk may lack", ui.Count(f.Untrusted))
	}
}

// printResult prints whether all is done, or most of the directories that are not.
func printResult(out io.Writer, f *journal.File, audit *journal.Audit, most int, complete string) {
	switch {
	case audit.Complete() && wasRefused(f):
		statusLine(out, "result", "unknown: the last run found DST empty, where the journal says that directories are done")
		return
	case audit.Complete():
		statusLine(out, "result", "%s", complete)
		return
	}
	statusLine(out, "result", "incomplete; not done are, with all that is not known yet below:")
	roots := rootNames(f.Job)
	for i, d := range audit.Open {
		if i == most {
			break
		}
		note := ""
		if d.Failed > 0 {
			note = fmt.Sprintf(" (%s failed)", ui.Count(d.Failed))
		}
		name := below(f.Job.Roots[d.Root], d.Path)
		if d.Path == "" {
			name = roots[d.Root]
		}
		fmt.Fprintf(out, "  %s%s\n", ui.Escape(name), note)
	}
	if more := audit.Failed + audit.Missing - int64(min(most, len(audit.Open))); more > 0 {
		fmt.Fprintf(out, "  and %s more\n", ui.Count(more))
	}
}

// rootNames returns what the roots of a job are called. One that is only the directory of operands is called by these, as
// not all of it is part of the job.
func rootNames(job journal.Job) []string {
	operands := make([][]string, len(job.Roots))
	for _, src := range job.Sources {
		in, longest := -1, ""
		for i, root := range job.Roots {
			if prefix := prefixOf(root); len(prefix) > len(longest) && strings.HasPrefix(prefixOf(src), prefix) {
				in, longest = i, prefix
			}
		}
		if in >= 0 {
			operands[in] = append(operands[in], src)
		}
	}
	names := slices.Clone(job.Roots)
	for i, root := range job.Roots {
		isOperand := func(src string) bool { return prefixOf(src) == prefixOf(root) }
		if len(operands[i]) > 0 && !slices.ContainsFunc(operands[i], isOperand) {
			names[i] = strings.Join(shellWords(operands[i]), " ")
		}
	}
	return names
}

// below returns the path of what is at path below root.
func below(root, path string) string {
	if path == "" {
		return root
	}
	return prefixOf(root) + path
}

// prefixOf returns what the paths of entries below root begin with. Those in the home of another host have no directory.
func prefixOf(root string) string {
	if home := strings.TrimSuffix(root, "."); strings.HasSuffix(home, ":") && !strings.HasPrefix(root, "/") {
		return home
	}
	return strings.TrimSuffix(root, "/") + "/"
}

// jobLine returns the command line of a job.
func jobLine(j journal.Job) string {
	args := []string{}
	if j.Verb != "" {
		args = append(args, j.Verb)
	}
	args = append(args, j.Settings...)
	return shellLine(append(append(args, j.Sources...), j.Dest))
}

// stateOf says what becomes of the last run.
func stateOf(f *journal.File) string {
	last := f.Sessions[len(f.Sessions)-1]
	switch {
	case f.Running:
		return fmt.Sprintf("at work since %s, process %d of %s", last.Started.Format(time.DateTime), last.PID, last.Host)
	case f.End == nil:
		return "the last run was killed, or its system has crashed"
	}
	return fmt.Sprintf("the last run ended at %s with status %d", f.End.Ended.Format(time.DateTime), f.End.Status)
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
