// Package cli reads flags, wires the floors below, and maps errors to exit codes
// and hints.
package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"

	"github.com/spf13/cobra"

	"psync/internal/engine"
	"psync/internal/localfs"
	"psync/internal/operand"
	"psync/internal/report"
)

// An app is one call of psync.
type app struct {
	stdin          io.Reader
	stdout, stderr io.Writer
	started        bool // the command line was understood
	exit           int  // of a run that took place
	trouble        int  // of a run that could not, if it is not ExitOperands
	activity       report.Activity

	alwaysShare bool // see [Process]
}

// A Process is what a run has from the process that it is in.
type Process struct {
	Stdin          io.Reader
	Stdout, Stderr io.Writer
	// AlwaysShare has workers share all that can be shared; see [engine.Options]. It is for tests.
	AlwaysShare bool
}

// Main runs psync with the arguments that follow the program's name, and returns
// its exit code. When ctx ends, the run does too, cleanly; [ErrInterrupted]
// as its cause stands for the wish of the user. A stdout that is a file is closed in the end.
func Main(ctx context.Context, args []string, p Process) int {
	out := &output{w: p.Stdout}
	a := &app{stdin: p.Stdin, stdout: out, stderr: p.Stderr, alwaysShare: p.AlwaysShare}
	stop := watchHang(ctx, p.Stderr, a.activity.Paths)
	defer stop()
	code, comparison := a.run(ctx, args)
	if err := out.close(); err != nil {
		complain(p.Stderr, err, "")
		return withoutOutput(code, comparison)
	}
	return code
}

// run does what the arguments ask for. It returns the exit code, and whether that is one
// of a comparison.
func (a *app) run(ctx context.Context, args []string) (code int, comparison bool) {
	root := a.rootCommand()
	isVerb := func(arg string) bool { return isVerb(root, arg) }
	takesValue := func(arg string) bool { return takesValue(root.Flags(), arg) }
	name := verbName{isVerb: isVerb, takesValue: takesValue, exists: operand.Exists, bareOperands: bareOperands}
	if err := name.check(args); err != nil {
		complain(a.stderr, err, err.hint())
		c, _, _ := root.Find([]string{err.verb})
		return usageCode(c), false
	}
	root.SetArgs(expandWords(longHelp(args, isVerb), isVerb, takesValue))
	c, err := root.ExecuteContextC(ctx)
	_, comparison = c.Annotations[usageExit]
	switch {
	case err == nil:
		return a.exit, comparison
	case a.started:
		complain(a.stderr, err, remedy(err))
		return a.failedExit(err), comparison
	}
	complain(a.stderr, err, "psync --help lists verbs and flags")
	return usageCode(c), comparison
}

// usageCode returns the exit code of a verb for a wrong command line.
func usageCode(c *cobra.Command) int {
	if code, err := strconv.Atoi(c.Annotations[usageExit]); err == nil {
		return code
	}
	return ExitUsage
}

// failedExit returns the exit code of a run that could not take place because of err.
func (a *app) failedExit(err error) int {
	var fatal *engine.FatalError
	switch {
	case a.trouble != 0:
		return a.trouble
	case errors.As(err, &fatal):
		return ExitFatal
	case errors.As(err, new(*localfs.UntrustedLinkError)):
		return ExitFailed
	}
	return ExitOperands
}

func isVerb(root *cobra.Command, arg string) bool {
	return slices.ContainsFunc(root.Commands(), func(c *cobra.Command) bool { return c.Name() == arg || c.HasAlias(arg) })
}

func (a *app) rootCommand() *cobra.Command {
	root := a.bareCommand()
	root.AddCommand(a.copyCommand(), a.syncCommand(), a.compareCommand(), a.deleteCommand(), a.cpCommand(), a.selftestCommand(), versionCommand(), manCommand(root))
	root.SetOut(a.stdout) // before the verb for completion is made, which notes it down
	root.SetErr(a.stderr)
	root.SilenceErrors = true
	root.SilenceUsage = true
	root.InitDefaultHelpCmd()
	root.InitDefaultCompletionCmd()
	root.SetFlagErrorFunc(flagError)
	helpWithoutLetter(root)
	for _, c := range root.Commands() {
		helpWithoutLetter(c)
	}
	root.Version = version()
	root.SetVersionTemplate("psync {{.Version}}\n")
	return root
}

func (a *app) bareCommand() *cobra.Command {
	f := &copyFlags{verb: bareVerb}
	c := &cobra.Command{
		Use:   "psync [flags] SRC... DST",
		Short: "Copy directory trees in parallel",
		Long: `Psync copies directory trees with many workers at once: each claims a whole
directory, copies its files one after the other, and hands the directories that
it finds to the others.

One directory SRC puts its contents into DST, with or without a trailing slash.
Several sources, and files, are copied to DST/NAME. DST must exist, unless
-create is given. What is made gets the rwx bits of its source, whatever the umask
is. Existing directories are merged and keep their modes; existing files are
replaced, each in one step.

The words -threads N, -verbose, -quiet, -owner (owner and group), -times (times of
modification and access), -create, -sync, -delete, -update and -dryrun are
understood as well as the flags below. "psync copy" and "psync sync" do the same
with the defaults of today. A SRC that is called as a verb is written ./sync.

` + aboutMetadata + "\n\n" + exitCodes,
		Example: `  psync -threads 32 /Volumes/mercury /Volumes/Shuttle
  psync -threads 64 -owner -times -create /mnt/old/home /mnt/new/home`,
		Args: operands,
		RunE: func(c *cobra.Command, args []string) error { return a.copy(c, f, args) },
	}
	f.add(c)
	return c
}

func (a *app) copyCommand() *cobra.Command {
	f := &copyFlags{verb: copyVerb}
	c := &cobra.Command{
		Use:   "copy [flags] SRC... DST",
		Short: "Copy trees, keeping modification times",
		Long: `Copy does what psync without a verb does, with the defaults of today: modification
times are kept, DST is made if it does not exist, and 64 workers are used where
a side is a network file system, 16 elsewhere.

One directory SRC puts its contents into DST, with or without a trailing slash.
Several sources, and files, are copied to DST/NAME.

` + aboutMetadata + "\n\n" + exitCodes,
		Example: `  psync copy ~/Pictures /mnt/nas/Pictures
  psync copy -n src dst       # what would be done?
  psync copy -aHAX /mnt/old/home /mnt/new/home
  psync copy -j 8 a b c.txt dst`,
		Args: operands,
		RunE: func(c *cobra.Command, args []string) error { return a.copy(c, f, args) },
	}
	f.add(c)
	return c
}

func (a *app) syncCommand() *cobra.Command {
	f := &copyFlags{verb: syncVerb}
	c := &cobra.Command{
		Use:   "sync [flags] SRC... DST",
		Short: "Copy only what differs in type, size or modification time",
		Long: `Sync makes DST like SRC at the least cost: what is equal in type, size and
modification time is not copied again. Where only attributes differ, they are
set. Nothing is removed from DST unless --delete says so, but a file gives way
to a directory of the same name. An interrupted sync is completed by the next one.

One directory SRC puts its contents into DST, with or without a trailing slash.
Several sources, and files, are copied to DST/NAME.

What --delete would remove is spared where SRC could not be listed, where a rule
excludes it, where a file system is mounted, and if SRC is empty.
--max-delete counts everything before it removes anything.

Rules are those of rsync: the first that matches counts; a slash at the start
ties a pattern to the root of the copy, one at the end to directories; * stops
at slashes, ** does not.

` + aboutMetadata + "\n\n" + exitCodes,
		Example: `  psync sync --delete -n ~/Pictures /mnt/nas/Pictures   # what would change?
  psync sync --delete --max-delete=5% ~/Pictures /mnt/nas/Pictures
  psync sync --exclude='*.o' --exclude=/tmp/ src dst`,
		Args: operands,
		RunE: func(c *cobra.Command, args []string) error { return a.copy(c, f, args) },
	}
	f.add(c)
	return c
}

func operands(_ *cobra.Command, args []string) error {
	switch len(args) {
	case 0:
		return errors.New("SRC and DST are missing")
	case 1:
		return fmt.Errorf("DST is missing after %s", args[0])
	}
	return nil
}
