package cli

import (
	"context"
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"psync/internal/cli/flags"
	"psync/internal/engine"
	"psync/internal/operand"
	"psync/internal/record"
)

func (a *app) compareCommand() *cobra.Command {
	c := &cobra.Command{
		Use:         "compare [flags] SRC DST",
		Aliases:     []string{"check", "verify"},
		Annotations: map[string]string{usageExit: "2"},
		Args: func(c *cobra.Command, args []string) error {
			if c.Flags().Changed("manifest") {
				return oneDirectory(args)
			}
			if err := copyOperands(c, args); err != nil || len(args) == 2 {
				return err
			}
			return fmt.Errorf("compare takes two directories, SRC and DST; %s is one too many", args[2])
		},
	}
	describe(c, "compare")
	o := flags.Define(c, flags.Compare)
	c.RunE = func(c *cobra.Command, args []string) error { return a.compare(c, o, args) }
	return c
}

// oneDirectory checks the operands of a comparison with a manifest.
func oneDirectory(args []string) error {
	switch len(args) {
	case 0:
		return errors.New("DIR is missing: name the directory to compare with the manifest")
	case 1:
		return nil
	}
	return fmt.Errorf("compare --manifest takes one directory; %s is one too many", args[1])
}

// compare runs the verb compare.
func (a *app) compare(c *cobra.Command, o *flags.Options, args []string) error {
	a.trouble = ExitTrouble
	if err := o.Complete(c.Flags(), inputsOf(o)); err != nil {
		return err
	}
	if o.Output.Manifest != "" {
		return a.compareManifest(c, o, args)
	}
	a.started = true
	if err := checkFiles(o); err != nil {
		return err
	}
	paths, hosts, err := a.connectPair(c.Context(), o, args, operand.TreeQuestions)
	if err != nil {
		return err
	}
	o.Operands.Hosts = hosts
	roots, err := operand.OpenTrees(paths[0], paths[1], o.Operands)
	if err != nil {
		return err
	}
	defer roots.Close()
	dest := describeOperand(args[1], roots.Dest)
	if err := a.openLog(o, 0o666, record.Start{Sources: sourceOperands(args, roots), Dest: &dest}); err != nil {
		return err
	}
	a.run(c.Context(), runSpec{
		options: o, network: roots.Network, exitCode: compareExit,
		start: func(ctx context.Context, r resources) error {
			return engine.Run(ctx, a.job(o.Engine(hosts.Dest.User(), 0), hosts, roots, r))
		},
	})
	return nil
}

// compareExit returns the exit code of a comparison that would have exited with code as a copy.
func compareExit(code int, differences int64) int {
	switch {
	case code == ExitInterrupted:
		return ExitInterrupted
	case code != ExitOK:
		return ExitTrouble
	case differences > 0:
		return ExitDiffers
	}
	return ExitOK
}
