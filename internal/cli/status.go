package cli

import (
	"errors"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"psync/internal/journal"
	"psync/internal/sys"
	"psync/internal/ui"
)

// mostOpenListed is how many directories that are not done psync status lists without -v.
const mostOpenListed = 20

// statusCommand returns the verb that says what a journal proves.
func (a *app) statusCommand() *cobra.Command {
	c := &cobra.Command{
		Use:               "status [-v] JOURNAL",
		ValidArgsFunction: completeWith(cobra.ShellCompDirectiveDefault),
		Args: func(_ *cobra.Command, args []string) error {
			switch len(args) {
			case 0:
				return errors.New("JOURNAL is missing")
			case 1:
				return nil
			}
			return errors.New("there is one JOURNAL to a job: ask for them one after the other")
		},
	}
	describe(c, "status")
	verbose := c.Flags().BoolP("verbose", "v", false, "list all directories that are not done (up to 10,000)")
	c.RunE = func(_ *cobra.Command, args []string) error {
		a.started = true
		return a.status(args[0], *verbose)
	}
	return c
}

// status prints what a journal proves. The exit status says whether that is that everything is done.
func (a *app) status(name string, verbose bool) error {
	f, err := journal.Read(name, sys.BootID())
	if err != nil {
		return err
	}
	defer f.Close()
	audit, err := f.Audit()
	if err != nil {
		return err
	}
	if !audit.Complete() || f.Running {
		a.exit = ExitIncomplete
	}
	most := mostOpenListed
	if verbose {
		most = len(audit.Open)
	}
	printStatus(a.Stdout, f, audit, most)
	return nil
}

// printStatus prints what is known of a run, and most of the directories that are not done.
func printStatus(out io.Writer, f *journal.File, audit *journal.Audit, most int) {
	line := func(what, format string, args ...any) {
		fmt.Fprintf(out, "%-12s %s\n", what, ui.Escape(fmt.Sprintf(format, args...)))
	}
	line("job", "%s", jobLine(f.Job))
	line("runs", "%d, the first from %s", len(f.Sessions), f.Started().Format(time.DateTime))
	line("state", "%s", stateOf(f))
	line("directories", "%s known, %s done, %s failed, %s not done", ui.Count(audit.Found), ui.Count(audit.Done), ui.Count(audit.Failed), ui.Count(audit.Missing))
	line("entries", "%s, %s in files, %s failed", ui.Count(audit.Entries), ui.Size(audit.Bytes), ui.Count(audit.FailedEntries))
	if f.Untrusted > 0 && !f.Running {
		line("not counted", "%s bytes at the end, which are damaged or incomplete, or tell of what the disk may lack", ui.Count(f.Untrusted))
	}
	if audit.Complete() {
		line("result", "complete")
		return
	}
	line("result", "incomplete; not done are, with all that is not known yet below:")
	for i, d := range audit.Open {
		if i == most {
			break
		}
		note := ""
		if d.Failed > 0 {
			note = fmt.Sprintf(" (%s failed)", ui.Count(d.Failed))
		}
		path := f.Job.Roots[d.Root]
		if d.Path != "" {
			path = strings.TrimSuffix(path, "/") + "/" + d.Path
		}
		fmt.Fprintf(out, "  %s%s\n", ui.Escape(path), note)
	}
	if more := audit.Failed + audit.Missing - int64(min(most, len(audit.Open))); more > 0 {
		fmt.Fprintf(out, "  and %s more\n", ui.Count(more))
	}
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
