package cli

import (
	"fmt"
	"io"
	"io/fs"
	"os"

	"psync/internal/cli/flags"
	"psync/internal/localfs"
	"psync/internal/operand"
)

// openerOf returns what opens files that flags name: os.OpenFile, but following no link that another user may have planted,
// unless the flags allow that. Such files are always on the user's own machine, and may be pipes, so they are not opened
// through a vfs.Host, as operands are.
func openerOf(o *flags.Options) func(name string, flag int, perm fs.FileMode) (*os.File, error) {
	if o.Operands.InsecureLinks {
		return os.OpenFile
	}
	return localfs.OpenFile
}

// inputsOf returns what opens files that flags such as --files-from name to be read, and for - standard input.
func inputsOf(o *flags.Options) flags.OpenFunc {
	return func(name string) (io.ReadCloser, error) {
		if name == "-" {
			return io.NopCloser(os.Stdin), nil
		}
		return openerOf(o)(name, os.O_RDONLY, 0)
	}
}

// createOutput makes the file called name, or empties it, with the mode that a file of the user has whose umask is umask: the
// process has none any more.
func createOutput(o *flags.Options, name string, umask fs.FileMode) (*os.File, error) {
	return openerOf(o)(name, os.O_WRONLY|os.O_CREATE|os.O_TRUNC, 0o666&^umask)
}

// checkFiles refuses a run if too few files may be open, or if flags name one file for several things to be written to.
func checkFiles(o *flags.Options) error {
	if err := checkOpenFiles(); err != nil {
		return err
	}
	return operand.CheckApart(localfs.Host{}, o.Operands.SideFiles)
}

// checkSSHConfig refuses a configuration of ssh, which says what commands are run, behind a link that another user may
// have planted. Whether it can be read, ssh says.
func checkSSHConfig(o *flags.Options) error {
	if o.Remote.Config == "" {
		return nil
	}
	f, err := openerOf(o)(o.Remote.Config, os.O_RDONLY, 0)
	if isUntrusted(err) {
		return fmt.Errorf("--ssh-config: %w", err)
	}
	if err == nil {
		_ = f.Close()
	}
	return nil
}
