package cli

import (
	"context"
	"fmt"
	"io"
	"os"

	"psync/internal/cli/flags"
	"psync/internal/cli/rsyncflags"
	"psync/internal/run"
)

// inputsOf returns what opens files that flags such as --files-from name to be read, and for - standard input.
func inputsOf(o *flags.Options) flags.OpenFunc {
	return func(name string) (io.ReadCloser, error) {
		if name == "-" {
			return io.NopCloser(os.Stdin), nil
		}
		return run.FileOpener(o.Operands)(name, os.O_RDONLY, 0)
	}
}

// rsyncInputs is inputsOf for a command line of rsync, in which --files-from may name a file of a host that an operand is on.
func (a *app) rsyncInputs(ctx context.Context, o *flags.Options, line rsyncflags.Line) flags.OpenFunc {
	here := inputsOf(o)
	return func(name string) (io.ReadCloser, error) {
		if name != line.HostList {
			return here(name)
		}
		options := a.options(o, line.Operands)
		options.Connect.Command = ""
		return run.OpenOnHost(ctx, options, name)
	}
}

// checkSSHConfig refuses a configuration of ssh, which says what commands are run, behind a link that another user may
// have planted. Whether it can be read, ssh says.
func checkSSHConfig(o *flags.Options) error {
	if o.Remote.Config == "" {
		return nil
	}
	f, err := run.FileOpener(o.Operands)(o.Remote.Config, os.O_RDONLY, 0)
	if isUntrusted(err) {
		return fmt.Errorf("--ssh-config: %w", err)
	}
	if err == nil {
		_ = f.Close()
	}
	return nil
}
