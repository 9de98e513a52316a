package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"

	"psync/internal/cli/cpflags"
	"psync/internal/getopt"
	"psync/internal/gnucp"
	cpoutput "psync/internal/gnucp/output"
	"psync/internal/metadata"
	"psync/internal/operand"
	"psync/internal/quote"
	"psync/internal/report"
	"psync/internal/ui"
)

const cpVerb = "cp"

// Run runs what argv, which starts with the name of the program, asks for: cp if that is
// the name or the first argument, and what [Main] does otherwise.
func Run(ctx context.Context, argv []string, p Process) int {
	if err := cpLooksLikeName(argv[min(1, len(argv)):], operand.Exists); err != nil && !calledCp(argv) {
		complain(p.Stderr, err, err.hint())
		return ExitUsage
	}
	if name, args, ok := asCp(argv, os.Getenv); ok {
		return runCp(ctx, name, args, p.Stdin, p.Stdout, p.Stderr)
	}
	return Main(ctx, argv[min(1, len(argv)):], p)
}

// IsCp reports whether argv asks for cp, which ends by the signal that interrupts it.
func IsCp(argv []string) bool {
	_, _, ok := asCp(argv, os.Getenv)
	return ok
}

// calledCp reports whether cp is the name that the program was called by.
func calledCp(argv []string) bool { return len(argv) > 0 && filepath.Base(argv[0]) == cpVerb }

// asCp returns the arguments of cp, and the name that it calls itself, if argv asks for it.
func asCp(argv []string, getenv func(string) string) (name string, args []string, ok bool) {
	switch {
	case calledCp(argv):
		name, args = argv[0], argv[1:]
	case len(argv) > 1 && argv[1] == cpVerb:
		name, args = "psync cp", argv[2:]
	default:
		return "", nil, false
	}
	if as := getenv("PSYNC_ARGV0"); as != "" {
		name = as
	}
	return name, args, true
}

// runCp runs cp, and returns its exit code.
func runCp(ctx context.Context, name string, args []string, stdin io.Reader, stdout, stderr io.Writer) int {
	utf8 := quote.UTF8(os.Getenv)
	line, err := cpflags.Parse(args, cpflags.Environment{Getenv: os.Getenv, UTF8: utf8, MaxThreads: maxThreads})
	switch {
	case line.Help:
		return printCp(stdout, stderr, name, cpflags.Help(name))
	case line.Version:
		return printCp(stdout, stderr, name, fmt.Sprintf("cp (psync %s), like that of GNU coreutils 9\n", version()))
	}
	for _, warning := range line.Warnings {
		fmt.Fprintf(stderr, "%s: %s\n", name, warning)
	}
	stats := new(report.Stats)
	ok := false
	if err == nil {
		stop := func() {}
		if line.Progress {
			stop = ui.New(ui.Config{Out: stdout, Err: stderr, Plain: os.Getenv("TERM") == "dumb"}).Progress(ctx, stats, 0)
		}
		job := gnucp.Job{
			Options: line.Options, Operands: line.Operands, Name: name, UTF8: utf8, UID: os.Geteuid(),
			Terminal: ui.IsTerminal(stdout), Stdin: stdin, Stdout: stdout, Stderr: stderr, Stats: stats,
			Forks: metadata.Native().Forks,
		}
		if line.Update != gnucp.UpdateAll {
			process := thisProcess()
			job.NewTemporary, job.Abandoned = process.Namer(), process.Abandoned
		}
		ok, err = gnucp.Run(ctx, job)
		stop()
	}
	var usage *gnucp.UsageError
	var syntax getopt.Error
	switch {
	case errors.As(err, &usage), errors.As(err, &syntax):
		fmt.Fprintf(stderr, "%s: %s\nTry '%s --help' for more information.\n", name, err, name)
	case err != nil && ctx.Err() == nil:
		fmt.Fprintf(stderr, "%s: %s\n", name, err)
	}
	if err != nil || !ok {
		return 1
	}
	return 0
}

// printCp prints what cp is asked for instead of a copy, and returns its exit code.
func printCp(stdout, stderr io.Writer, name, text string) int {
	if _, err := io.WriteString(stdout, text); err != nil {
		fmt.Fprintf(stderr, "%s: write error: %s\n", name, cpoutput.Strerror(err))
		return 1
	}
	return 0
}

// cpCommand stands for cp in the help and in the manual; [Run] takes its command lines.
func (a *app) cpCommand() *cobra.Command {
	return &cobra.Command{
		Use:                cpVerb + " [options] SOURCE... DEST",
		Short:              "Copy as cp of the GNU system does, in parallel",
		Long:               cpflags.Help("psync cp"),
		DisableFlagParsing: true, DisableFlagsInUseLine: true,
		RunE: func(c *cobra.Command, args []string) error {
			a.started = true
			a.exit = runCp(c.Context(), "psync cp", args, a.stdin, a.stdout, a.stderr)
			return nil
		},
	}
}
