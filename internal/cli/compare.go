package cli

import (
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"psync/internal/cli/flags"
	"psync/internal/run"
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
			if err := a.copyOperands(c, args); err != nil || len(args) == 2 {
				return err
			}
			return fmt.Errorf("compare takes two directories, SRC and DST; %s is one too many", args[2])
		},
	}
	o := a.define(c, flags.Compare)
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
	a.unstarted = ExitTrouble
	if err := o.Complete(c.Flags(), inputsOf(o)); err != nil {
		return err
	}
	if o.Output.Manifest != "" {
		return a.compareManifest(c, o, args)
	}
	a.started = true
	a.warnOfRules(o, args)
	r, err := run.OpenComparison(c.Context(), a.options(o, args))
	if err != nil {
		return err
	}
	defer r.Close()
	return a.run(c.Context(), o, r)
}
