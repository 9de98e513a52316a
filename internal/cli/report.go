package cli

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"time"

	"github.com/spf13/cobra"

	"psync/internal/cli/flags"
	"psync/internal/cli/help"
	"psync/internal/record/page"
	"psync/internal/run"
	"psync/internal/ui"
)

// reportCommand returns the verb that makes a page of logs.
func (a *app) reportCommand() *cobra.Command {
	c := &cobra.Command{
		Use:               "report [-o FILE] LOG...",
		ValidArgsFunction: cobra.FixedCompletions(nil, cobra.ShellCompDirectiveDefault),
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) == 0 {
				return errors.New("LOG is missing: name what --json has written")
			}
			return nil
		},
	}
	help.Describe(c, "report")
	out := c.Flags().StringP("output", "o", "report.html", "write the page to `FILE`; - is standard output")
	o := new(flags.Options)
	c.Flags().BoolVar(&o.Operands.InsecureLinks, "insecure-links", false, "follow links on the path of FILE even if other users may have planted them")
	c.RunE = func(_ *cobra.Command, args []string) error {
		a.started = true
		return a.report(o, *out, args)
	}
	return c
}

// report makes a page of logs.
func (a *app) report(o *flags.Options, out string, logs []string) error {
	digest := page.New()
	for _, name := range logs {
		if err := readLog(digest, name); err != nil {
			return err
		}
	}
	if digest.Damaged > 0 {
		a.warn(o, ui.Things(digest.Damaged, "line", "lines")+" could not be read")
	}
	for _, run := range digest.Runs {
		if run.Summary == nil {
			a.warn(o, fmt.Sprintf("the run of %s has no end: it was killed, goes on, or its last lines are lost", run.Start.Time.Local().Format(time.DateTime)))
		}
	}
	var text bytes.Buffer
	if err := digest.Write(&text); err != nil {
		return err
	}
	if out == "-" {
		_, err := a.Stdout.Write(text.Bytes())
		return err
	}
	if info, err := os.Stat(out); err == nil {
		for _, name := range logs {
			if log, err := os.Stat(name); err == nil && os.SameFile(info, log) {
				return fmt.Errorf("%s is one of the logs, and would be overwritten", out)
			}
		}
	}
	f, err := run.FileOpener(o.Operands)(out, os.O_WRONLY|os.O_CREATE|os.O_TRUNC, 0o666)
	if err != nil {
		return err
	}
	_, err = f.Write(text.Bytes())
	return errors.Join(err, f.Close())
}

func readLog(digest *page.Digest, name string) error {
	f, err := os.Open(name)
	if err != nil {
		return err
	}
	defer func() { _ = f.Close() }() // it was only read
	if err := digest.Read(f); err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	return nil
}
