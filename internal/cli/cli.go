// Package cli reads flags, wires the floors below, and maps errors to exit codes
// and hints.
package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"

	"github.com/spf13/cobra"

	"psync/internal/engine"
)

// An app is one call of psync.
type app struct {
	stdout, stderr io.Writer
	started        bool // the command line was understood
	exit           int  // of a run that took place
}

// Main runs psync with the arguments that follow the program's name, and returns
// its exit code. When ctx ends, the run does too, cleanly; [ErrInterrupted]
// as its cause stands for the wish of the user.
func Main(ctx context.Context, args []string, stdout, stderr io.Writer) int {
	a := &app{stdout: stdout, stderr: stderr}
	root := a.rootCommand()
	root.SetArgs(expandWords(args, func(arg string) bool { return isVerb(root, arg) }))
	root.SetOut(stdout)
	root.SetErr(stderr)
	err := root.ExecuteContext(ctx)
	if err == nil {
		return a.exit
	}
	if !a.started {
		complain(stderr, err, "psync --help lists verbs and flags")
		return ExitUsage
	}
	complain(stderr, err, remedy(err))
	var fatal *engine.FatalError
	if errors.As(err, &fatal) {
		return ExitFatal
	}
	return ExitOperands
}

func isVerb(root *cobra.Command, arg string) bool {
	return slices.ContainsFunc(root.Commands(), func(c *cobra.Command) bool { return c.Name() == arg || c.HasAlias(arg) })
}

func (a *app) rootCommand() *cobra.Command {
	root := a.bareCommand()
	root.AddCommand(a.copyCommand(), versionCommand(), manCommand(root))
	root.SilenceErrors = true
	root.SilenceUsage = true
	root.InitDefaultHelpCmd()
	root.InitDefaultCompletionCmd()
	root.Version = version()
	root.SetVersionTemplate("psync {{.Version}}\n")
	return root
}

func (a *app) bareCommand() *cobra.Command {
	f := &copyFlags{bare: true}
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
modification and access), -create and -dryrun are understood as well as the
flags below. "psync copy" does the same with the defaults of today.

` + exitCodes,
		Example: `  psync -threads 32 /Volumes/mercury /Volumes/Shuttle
  psync -threads 64 -owner -times -create /mnt/old/home /mnt/new/home`,
		Args: operands,
		RunE: func(c *cobra.Command, args []string) error { return a.copy(c, f, args) },
	}
	f.add(c)
	return c
}

func (a *app) copyCommand() *cobra.Command {
	f := &copyFlags{}
	c := &cobra.Command{
		Use:   "copy [flags] SRC... DST",
		Short: "Copy trees, keeping modification times",
		Long: `Copy does what psync without a verb does, with the defaults of today: modification
times are kept, DST is made if it does not exist, and 64 workers are used where
a side is a network file system, 16 elsewhere.

One directory SRC puts its contents into DST, with or without a trailing slash.
Several sources, and files, are copied to DST/NAME.

` + exitCodes,
		Example: `  psync copy ~/Pictures /mnt/nas/Pictures
  psync copy -n src dst       # what would be done?
  psync copy -j 8 a b c.txt dst`,
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
