package cli

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"

	"github.com/spf13/cobra"

	"psync/internal/cli/flags"
	"psync/internal/cli/misuse"
	"psync/internal/cli/rsyncflags"
	"psync/internal/cli/stdout"
	"psync/internal/filter"
	"psync/internal/metadata"
	"psync/internal/operand"
	"psync/internal/operand/location"
	"psync/internal/run"
	"psync/internal/ui"
	"psync/internal/ui/info"
	"psync/internal/version"
)

const rsyncVerb = "rsync"

// calledRsync reports whether the program was called by the name rsync, and not as a server by another psync.
func calledRsync(line []string) bool {
	serves := len(line) > 2 && line[1] == "serve" && line[2] == "--stdio"
	return len(line) > 0 && filepath.Base(line[0]) == rsyncVerb && !serves
}

// asRsync returns the arguments of rsync if a command line runs it: by the name of the program, or by the verb.
func asRsync(line []string) (args []string, ok bool) {
	switch {
	case calledRsync(line):
		return line[1:], true
	case len(line) > 1 && line[1] == rsyncVerb:
		return line[2:], true
	}
	return nil, false
}

// rsync runs rsync with the arguments that follow its name, and returns its exit code.
func (a *app) rsync(ctx context.Context, args []string) int {
	c := &cobra.Command{Use: "psync " + rsyncVerb}
	o := flags.Define(c, flags.Sync)
	o.DefineIgnored(c.Flags())
	if old, _ := strconv.Atoi(os.Getenv("RSYNC_OLD_ARGS")); old > 0 && len(args) > 0 {
		args = slices.Insert(slices.Clone(args), 0, "--old-args")
	}
	line, err := rsyncflags.Parse(args, c.Flags())
	switch {
	case line.Help != "" || len(args) == 0:
		fmt.Fprint(a.Stdout, cmp.Or(line.Help, rsyncflags.Help))
		return ExitOK
	case line.Version > 0:
		line.PrintVersion(a.Stdout, version.String(), metadata.Native().SetsBtime)
		return ExitOK
	case err == nil && len(line.Operands) == 0:
		err = errors.New("SRC and DST are missing")
	}
	if e := c.ParseFlags(line.Flags); e != nil { // which comes first in the line, and explains more
		err = misuse.Error(c, line.Flags, e, new(app).rootCommand)
	}
	if err == nil {
		o.Rsync, o.Operands.StrictLinks = true, true
		o.Remote.Command = cmp.Or(o.Remote.Command, os.Getenv("RSYNC_RSH"))
		err = o.Complete(c.Flags(), a.rsyncInputs(ctx, o, line))
	}
	if err == nil {
		err = asRsyncDoes(o, line)
	}
	if err != nil && !isUntrusted(err) && !isConnection(err) {
		complain(a.Stderr, err, "psync rsync --help lists the flags")
		return ExitUsage
	}
	if err == nil {
		a.line = line.Flags
		err = a.copyAsRsync(ctx, o, line)
	}
	if err != nil {
		complain(a.Stderr, err, hintFor(err))
		return line.ExitCode(a.rsyncExit(err), err)
	}
	return a.exit
}

// asRsyncDoes sets the options by which a sync does what rsync does.
func asRsyncDoes(o *flags.Options, line rsyncflags.Line) (err error) {
	o.Engine.OneLevel = line.OneLevel
	o.Engine.NoLinks = !line.Links
	o.Engine.StrictUpdate = true
	o.Engine.WholeSeconds = true
	if o.Engine.Delete.Max != nil {
		o.Engine.Delete.Max.Partial = true
	}
	o.Operands.SlashDecides = true
	o.ExpandSources = true
	o.UI.Quiet = line.Quiet
	o.UI.OutFormat, err = ui.ParseOutFormat(line.Shown.Format)
	if err != nil {
		return fmt.Errorf("--out-format: %w", err)
	}
	o.UI.Rsync = &ui.RsyncLines{Info: line.Shown.Info, Debug: line.Shown.Debug, Current: line.Shown.Current, DryRun: line.DryRun, Removes: line.Removes}
	return nil
}

// copyAsRsync copies, or lists, what a command line of rsync says. It returns an error if the run could not start.
func (a *app) copyAsRsync(ctx context.Context, o *flags.Options, line rsyncflags.Line) error {
	if !line.Dirs {
		o.Operands.SkipDir = func(name string) {
			if !line.Quiet {
				fmt.Fprintf(a.Stdout, "skipping directory %s\n", ui.Escape(name))
			}
		}
	}
	var hidden []func()
	if rules, ok := o.Engine.Rules.(*filter.Rules); ok {
		o.Operands.HideOperand = func(name string, isDir bool) {
			by, _ := rules.HideRule(name, isDir)
			hidden = append(hidden, func() { o.UI.Rsync.Hidden(a.Stdout, name, isDir, by) })
		}
	}
	args := slices.Clone(line.Operands)
	if line.ListOnly {
		return a.listOnly(ctx, o, args)
	}
	a.started, a.exitAs = true, line.ExitCode
	options := a.options(o, args)
	options.Connect.Command = ""
	if err := options.Validate(); err != nil {
		return err
	}
	r, err := run.OpenCopy(ctx, options)
	if err != nil {
		return err
	}
	defer r.Close()
	o.UI.Receives = r.Receives
	o.UI.Original = r.Original
	lines := o.UI.Rsync
	lines.WholeFile = o.Engine.Policy.WholeFile || a.dialer == nil
	lines.BackupDir = o.Aux.BackupDir
	if line.Dirs {
		line.PrintBegin(a.Stdout, r.Receives)
	}
	for _, show := range hidden {
		show()
	}
	a.listNewDest(o, line, r)
	lines.BeginFiles(a.Stdout, r.NewBackupDir)
	a.figures = func(result run.Result) { lines.End(a.Stdout, result.Totals, result.Elapsed) }
	return a.run(ctx, o, r)
}

// listNewDest says that the destination is made.
func (a *app) listNewDest(o *flags.Options, line rsyncflags.Line, r *run.Run) {
	if r.NewDest && (line.Shown.Info[info.Name] > 0 || o.UI.OutFormat.Itemizes()) {
		_, path, _ := location.CutHost(line.Operands[len(line.Operands)-1])
		fmt.Fprintf(a.Stdout, "created directory %s\n", ui.Escape(strings.TrimSuffix(path, "/")))
	}
}

// rsyncExit returns the exit code of rsync for a run that could not take place because of err.
func (a *app) rsyncExit(err error) int {
	switch {
	case errors.Is(err, operand.ErrMissing), errors.Is(err, syscall.ENOTDIR), errors.Is(err, syscall.EACCES):
		return ExitFailed
	case errors.Is(err, operand.ErrNoParent):
		return ExitFatal
	}
	return a.exitOfError(err)
}

// runRsync is [Main] for a command line of rsync.
func runRsync(ctx context.Context, args []string, p Process) int {
	out := &stdout.Writer{To: p.Stdout}
	p.Stdout = out
	a := &app{Process: p}
	defer a.disconnect()
	code := a.rsync(ctx, args)
	if err := out.Close(); err != nil {
		complain(p.Stderr, err, "")
		return withoutOutput(code, false)
	}
	return code
}

// rsyncCommand represents rsync in the help and in the manual; [Run] handles its command lines.
func (a *app) rsyncCommand() *cobra.Command {
	return &cobra.Command{
		Use:                rsyncVerb + " [options] SRC... DST",
		Short:              "Copy as rsync does, by its command line",
		Long:               rsyncflags.Help,
		DisableFlagParsing: true, DisableFlagsInUseLine: true,
		ValidArgsFunction: completeRsync,
		RunE: func(c *cobra.Command, args []string) error {
			a.started = true
			a.exit = a.rsync(c.Context(), args)
			return nil
		},
	}
}
