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
	"psync/internal/gnucp/policy"
	"psync/internal/localfs"
	"psync/internal/metadata"
	cpoutput "psync/internal/output"
	"psync/internal/quote"
	"psync/internal/report"
	"psync/internal/run"
	"psync/internal/ui"
	"psync/internal/ui/terminal"
	"psync/internal/version"
)

const cpVerb = "cp"

// IsCp reports whether a command line runs cp, which dies from the signal that interrupts it.
func IsCp(line []string) bool {
	_, _, ok := asCp(line, os.Getenv)
	return ok
}

// calledCp reports whether the program was called by the name cp.
func calledCp(line []string) bool { return len(line) > 0 && filepath.Base(line[0]) == cpVerb }

// asCp returns the arguments of cp and the name that cp uses for itself, if a command line runs cp.
func asCp(line []string, getenv func(string) string) (name string, args []string, ok bool) {
	switch {
	case calledCp(line):
		name, args = line[0], line[1:]
	case len(line) > 1 && line[1] == cpVerb:
		name, args = "psync cp", line[2:]
	default:
		return "", nil, false
	}
	if as := getenv("PSYNC_ARGV0"); as != "" {
		name = as
	}
	return name, args, true
}

// runCp runs cp, and returns its exit code.
func runCp(ctx context.Context, name string, args []string, p Process) int {
	host, utf8 := localfs.Host{}, quote.UTF8(os.Getenv)
	line, err := cpflags.Parse(args, cpflags.Environment{
		Getenv: os.Getenv, UTF8: utf8, SELinux: hasSELinux(host), MaxThreads: run.MaxThreads,
	})
	switch {
	case line.Help:
		return printCp(p, name, cpflags.Help(name))
	case line.Version:
		return printCp(p, name, fmt.Sprintf("cp (psync %s), like that of GNU coreutils 9\n", version.String()))
	}
	for _, warning := range line.Warnings {
		fmt.Fprintf(p.Stderr, "%s: %s\n", name, warning)
	}
	stats := new(report.Stats)
	ok := false
	if err == nil {
		stop := func() {}
		if line.Progress {
			stop = ui.New(ui.Config{Out: p.Stdout, Err: p.Stderr, Plain: dumbTerminal()}).Progress(ctx, stats, 0)
		}
		job := gnucp.Job{
			Options: line.Options, Operands: line.Operands, Name: name, UTF8: utf8, Host: host,
			Terminal: terminal.Is(p.Stdout), Stdin: p.Stdin, Stdout: p.Stdout, Stderr: p.Stderr, Stats: stats,
			Forks: metadata.ProfileOf(host.Info().System).Forks,
		}
		if line.Update != policy.UpdateAll {
			process := localfs.ThisProcess()
			job.NewTemporary, job.Abandoned = process.Namer(), process.Abandoned
		}
		ok, err = gnucp.Copy(ctx, job)
		stop()
	}
	switch {
	case errors.As(err, new(*gnucp.UsageError)), errors.As(err, new(getopt.Error)):
		fmt.Fprintf(p.Stderr, "%s: %s\nTry '%s --help' for more information.\n", name, err, name)
	case err != nil && ctx.Err() == nil:
		fmt.Fprintf(p.Stderr, "%s: %s\n", name, err)
	}
	if err != nil || !ok {
		return 1
	}
	return 0
}

// printCp prints a text that the command line of cp requests instead of a copy, and returns the exit code.
func printCp(p Process, name, text string) int {
	if _, err := io.WriteString(p.Stdout, text); err != nil {
		fmt.Fprintf(p.Stderr, "%s: write error: %s\n", name, cpoutput.Strerror(err))
		return 1
	}
	return 0
}

// cpCommand represents cp in the help and in the manual; [Run] handles the command lines of cp.
func (a *app) cpCommand() *cobra.Command {
	return &cobra.Command{
		Use:                cpVerb + " [options] SOURCE... DEST",
		Short:              "Copy as cp of the GNU system does, in parallel",
		Long:               cpflags.Help("psync cp"),
		DisableFlagParsing: true, DisableFlagsInUseLine: true,
		ValidArgsFunction: completeCp,
		RunE: func(c *cobra.Command, args []string) error {
			a.started = true
			a.exit = runCp(c.Context(), "psync cp", args, a.Process)
			return nil
		},
	}
}
