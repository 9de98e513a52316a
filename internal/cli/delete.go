package cli

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"psync/internal/cli/flags"
	"psync/internal/engine"
	"psync/internal/operand"
	"psync/internal/record"
	"psync/internal/ui"
)

var errNobodyToAsk = errors.New("there is no terminal to ask whether this is meant; -f removes without asking")

func (a *app) deleteCommand() *cobra.Command {
	c := &cobra.Command{Use: "delete [flags] PATH...", Args: deleteOperands}
	describe(c, "delete")
	o := flags.Define(c, flags.Delete)
	c.RunE = func(c *cobra.Command, args []string) error { return a.delete(c, o, args) }
	return c
}

func deleteOperands(_ *cobra.Command, args []string) error {
	if len(args) == 0 {
		return errors.New("PATH is missing: name what is to be removed")
	}
	return nil
}

// delete runs the verb delete.
func (a *app) delete(c *cobra.Command, o *flags.Options, args []string) error {
	if err := o.Complete(c.Flags(), inputsOf(o)); err != nil {
		return err
	}
	ask := !o.Force && !o.UI.DryRun
	if ask && !ui.IsTerminal(a.Stdin) {
		return errNobodyToAsk
	}
	a.started = true
	if err := checkFiles(o); err != nil {
		return err
	}
	if err := a.reserveMetrics(o); err != nil {
		return err
	}
	paths, host, err := a.connectOne(c.Context(), o, args)
	if err != nil {
		return err
	}
	options := o.Engine(host.User(), 0)
	if err := operand.CheckSideFiles(o.Operands.SideFiles, host, paths...); err != nil {
		return err
	}
	parents, err := operand.OpenParents(host, paths, o.Force)
	if err != nil {
		return err
	}
	if ask && !a.agrees(c.Context(), args) {
		a.exit = ExitInterrupted
		return nil
	}
	trees := parents.Trees()
	if err := a.openLog(o, 0o666, record.Start{Sources: removedOperands(args)}); err != nil {
		return err
	}
	a.confineRemoval(o, host, parents, trees, options.DryRun)
	a.run(c.Context(), runSpec{
		options: o, network: parents.Network, perWorker: 1, // a parent of operands
		start: func(ctx context.Context, r resources) error {
			return engine.RemoveTrees(ctx, engine.RemoveJob{
				Workers: r.workers, Auto: options.Auto, AlwaysShare: a.AlwaysShare, OpenDirs: r.openDirs, DryRun: options.DryRun, CrossMounts: options.Delete.CrossMounts,
				Trees: trees, Sink: r.sink, Stats: r.stats, Activity: &a.activity,
			})
		},
	})
	return nil
}

// agrees asks the user whether to remove the operands.
func (a *app) agrees(ctx context.Context, args []string) bool {
	var names []string
	for _, arg := range args {
		names = append(names, ui.Escape(arg))
	}
	fmt.Fprintf(a.Stderr, "psync: remove %s, with everything below? [y/N] ", strings.Join(names, ", "))
	answers := make(chan string, 1) // buffered, because the answer may come when no receiver is left
	go func() {
		answer, _ := bufio.NewReader(a.Stdin).ReadString('\n')
		answers <- strings.ToLower(strings.TrimSpace(answer))
	}()
	select {
	case answer := <-answers:
		if answer == "y" || answer == "yes" {
			return true
		}
	case <-ctx.Done():
		fmt.Fprintln(a.Stderr)
	}
	fmt.Fprintln(a.Stderr, "psync: nothing was removed")
	return false
}
