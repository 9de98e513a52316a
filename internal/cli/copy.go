package cli

import (
	"crypto/sha256"
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"psync/internal/cli/flags"
	"psync/internal/cli/misuse"
	"psync/internal/run"
)

// copyingCommand returns psync itself, or one of the verbs that copy.
func (a *app) copyingCommand(name string, verb flags.Verbs) *cobra.Command {
	c := &cobra.Command{Use: name + " [flags] SRC... DST", Args: a.copyOperands, ValidArgsFunction: cobra.FixedCompletions(nil, cobra.ShellCompDirectiveDefault)}
	o := a.define(c, verb)
	c.RunE = func(c *cobra.Command, args []string) error { return a.copy(c, o, args) }
	return c
}

func (a *app) copyOperands(c *cobra.Command, args []string) error {
	switch list, _ := c.Flags().GetBool("list-only"); len(args) {
	case 0:
		return a.explainMissing(c, errors.New("SRC and DST are missing"))
	case 1:
		if list {
			return nil
		}
		return a.explainMissing(c, fmt.Errorf("DST is missing after %s", args[0]))
	}
	return misuse.Operands(a.line, args)
}

// copy runs the copying verbs. It returns an error if the run could not start.
func (a *app) copy(c *cobra.Command, o *flags.Options, args []string) error {
	if o.Queue.URL != "" && a.Cluster == nil {
		return a.becomeCluster() // before anything is read
	}
	open, read := inputsOf(o), []Input(nil)
	if o.Output.Journal != "" || o.Queue.URL != "" {
		open = open.Summed(func(name string, sum [sha256.Size]byte) { read = append(read, Input{name, fmt.Sprintf("%x", sum)}) })
	}
	if err := o.Complete(c.Flags(), open); err != nil {
		return err
	}
	if err := misuse.ValueOfSwitch(c.Flags(), a.line, args); err != nil {
		return err
	}
	if o.Shown.ListOnly {
		return a.listOnly(c.Context(), o, args)
	}
	if o.Output.Failures != "" && len(args) > 2 {
		return errors.New("--failures names what failed relative to SRC, of which there is more than one: copy them one after the other")
	}
	a.started = true
	options := a.options(o, args)
	if err := options.Validate(); err != nil {
		return err
	}
	if o.Queue.URL != "" {
		if supervised, err := a.share(o, &options, args, read); supervised || err != nil {
			return err
		}
	}
	if err := a.reserveMetrics(o); err != nil {
		return err
	}
	a.warnOfRules(o, args)
	if o.UI.Verbose {
		for _, what := range o.Ignored() {
			a.note(o, what)
		}
	}
	if o.Output.Journal != "" {
		options.Command.Settings = o.Deciding(a.line)
		for _, file := range read {
			options.Command.Settings = append(options.Command.Settings, fmt.Sprintf("%s (%s)", file.Name, file.Sum))
		}
	}
	r, err := run.OpenCopy(c.Context(), options)
	if err != nil {
		return err
	}
	defer r.Close()
	if o.UI.Verbose && o.Engine.Fuzzy && a.dialer == nil {
		a.note(o, "--fuzzy has no effect: on this host, files are copied as a whole")
	}
	o.UI.Receives = r.Receives
	return a.run(c.Context(), o, r)
}
