package cli

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"psync/internal/cli/flags"
	"psync/internal/run"
	"psync/internal/ui"
	"psync/internal/ui/terminal"
)

var errNoTerminal = errors.New("there is no terminal to ask whether this is meant; -f removes without asking")

func (a *app) deleteCommand() *cobra.Command {
	c := &cobra.Command{Use: "delete [flags] PATH...", Args: a.deleteOperands}
	o := a.define(c, flags.Delete)
	c.RunE = func(c *cobra.Command, args []string) error { return a.delete(c, o, args) }
	return c
}

func (a *app) deleteOperands(c *cobra.Command, args []string) error {
	if len(args) == 0 {
		return a.explainMissing(c, errors.New("PATH is missing: name what is to be removed"))
	}
	return nil
}

// delete runs the verb delete.
func (a *app) delete(c *cobra.Command, o *flags.Options, args []string) error {
	if err := o.Complete(c.Flags(), inputsOf(o)); err != nil {
		return err
	}
	ask := !o.Force && !o.UI.DryRun
	if ask && !terminal.Is(a.Stdin) {
		return errNoTerminal
	}
	a.started = true
	options := a.options(o, args)
	options.Sources, options.Dest = args, ""
	if err := options.Validate(); err != nil {
		return err
	}
	if err := a.reserveMetrics(o); err != nil {
		return err
	}
	var confirm func(context.Context) bool
	if ask {
		confirm = func(ctx context.Context) bool { return a.agrees(ctx, args) }
	}
	r, err := run.OpenRemoval(c.Context(), options, o.Force, confirm)
	if errors.Is(err, run.ErrDeclined) {
		a.exit = ExitInterrupted
		return nil
	}
	if err != nil {
		return err
	}
	defer r.Close()
	return a.run(c.Context(), o, r)
}

// agrees asks the user whether to remove the operands.
func (a *app) agrees(ctx context.Context, args []string) bool {
	var names []string
	for _, arg := range args {
		names = append(names, ui.Escape(arg))
	}
	fmt.Fprintf(a.Stderr, "psync: remove %s, with everything below? [y/N] ", strings.Join(names, ", "))
	answer, _ := terminal.Await(ctx, func() (string, error) { return bufio.NewReader(a.Stdin).ReadString('\n') })
	switch strings.ToLower(strings.TrimSpace(answer)) {
	case "y", "yes":
		return true
	case "": // by a newline of the user, or none
		if ctx.Err() != nil {
			fmt.Fprintln(a.Stderr)
		}
	}
	fmt.Fprintln(a.Stderr, "psync: nothing was removed")
	return false
}
