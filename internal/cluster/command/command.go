// Package command is the command line of psync-cluster.
package command

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math"

	"github.com/spf13/cobra"

	"psync/internal/cluster/keys"
	"psync/internal/cluster/server"
	"psync/internal/version"
)

// Exit codes: those of psync.
const (
	exitOK     = 0
	exitUsage  = 1
	exitFailed = 3 // nothing was begun
)

// Main runs psync-cluster with the arguments that follow its name, and returns its exit code. ctx ends when the user wants it
// to end.
func Main(ctx context.Context, args []string, stdout, stderr io.Writer) int {
	started := false
	root := &cobra.Command{
		Use:   "psync-cluster",
		Short: "Have several hosts share one job of psync",
		Long: `psync-cluster has several hosts that mount the same file systems share one job. They find one another by a
server of NATS, which psync-cluster serve runs on one of them. See psync-cluster(7).`,
		Version:           version.String(),
		SilenceErrors:     true,
		SilenceUsage:      true,
		CompletionOptions: cobra.CompletionOptions{HiddenDefaultCmd: true},
		PersistentPreRun:  func(*cobra.Command, []string) { started = true },
	}
	root.AddCommand(serveCommand(stdout, stderr), keysCommand(stdout))
	root.SetArgs(args)
	root.SetOut(stdout)
	root.SetErr(stderr)
	err := root.ExecuteContext(ctx)
	switch {
	case err == nil:
		return exitOK
	case errors.Is(err, server.ErrOpen):
		fmt.Fprintf(stderr, "psync-cluster: error: %v\npsync-cluster: hint: psync-cluster keys DIR HOST makes both; --insecure lets anyone in\n", err)
	default:
		fmt.Fprintf(stderr, "psync-cluster: error: %v\n", err)
	}
	if !started {
		return exitUsage
	}
	return exitFailed
}

// operands accepts a directory, and up to n operands in all.
func operands(n int) cobra.PositionalArgs {
	return func(_ *cobra.Command, args []string) error {
		switch {
		case len(args) == 0:
			return errors.New("DIR is missing")
		case len(args) > n:
			return fmt.Errorf("%s: one operand too many", args[n])
		}
		return nil
	}
}

func serveCommand(stdout, stderr io.Writer) *cobra.Command {
	o := server.Options{Log: stderr}
	c := &cobra.Command{
		Use:   "serve DIR",
		Short: "Run a server that keeps jobs in DIR, until it is interrupted",
		Long: `Run a server of NATS that keeps jobs in DIR, until it is interrupted. It prints the URL that --queue takes,
but for the name of the job. What it has acknowledged is on the disk. Without a configuration in DIR, which psync-cluster
keys makes, it is for this host only.`,
		Example: `  psync-cluster serve /var/lib/psync-cluster`,
		Args:    operands(1),
		RunE: func(c *cobra.Command, args []string) error {
			o.Dir = args[0]
			return serve(c.Context(), o, stdout)
		},
	}
	f := c.Flags()
	f.StringVar(&o.Listen, "listen", "", "listen at `ADDRESS`, HOST:PORT, rather than where the configuration says, or 127.0.0.1:4222")
	f.DurationVar(&o.SyncInterval, "sync-interval", 0,
		"write to the disk every `TIME`, such as 5s, rather than before each answer; a crash of the system may lose as much, which the audit finds")
	f.BoolVar(&o.Insecure, "insecure", false, "let anyone in who reaches the server, and have them change what hosts work on")
	return c
}

func serve(ctx context.Context, o server.Options, stdout io.Writer) error {
	s, err := server.Start(o)
	if err != nil {
		return err
	}
	defer s.Stop()
	if _, err := fmt.Fprintf(stdout, "%s\n", s.URL()); err != nil {
		return err
	}
	<-ctx.Done()
	return nil
}

func keysCommand(stdout io.Writer) *cobra.Command {
	return &cobra.Command{
		Use:   "keys DIR [HOST...]",
		Short: "Make the keys and the configuration of a server that other hosts reach as HOST",
		Long: `Make a certificate for HOST, names or addresses by which other hosts reach the server, credentials for hosts
that work and for others that only watch, and a configuration, in DIR. Nothing is replaced. What is for other hosts is
printed.`,
		Example: `  psync-cluster keys /var/lib/psync-cluster mover1 mover1.example.org`,
		Args:    operands(math.MaxInt),
		RunE: func(_ *cobra.Command, args []string) error {
			if err := keys.Make(args[0], args[1:]); err != nil {
				return err
			}
			_, err := fmt.Fprintf(stdout, `For each host that works, from %s:
  %s   --queue-ca, to know the server
  %s  --queue-creds, to be let in
For each host that only watches: %[2]s and %[4]s.
`, args[0], keys.CA, keys.Mover, keys.Watcher)
			return err
		},
	}
}
