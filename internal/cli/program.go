package cli

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"

	"github.com/spf13/cobra"
)

// selftestCommand and clusterCommand return verbs that are only other names for programs, which have their own flags and
// help.
func (a *app) selftestCommand() *cobra.Command {
	return a.programCommand("selftest SRC DST | --metadata DIR", "Run psync-selftest, which tries what a volume keeps")
}

func (a *app) clusterCommand() *cobra.Command {
	return a.programCommand("cluster serve DIR | keys DIR [HOST...]", "Run psync-cluster, by which several hosts share one job")
}

func (a *app) programCommand(use, short string) *cobra.Command {
	return &cobra.Command{
		Use:                use,
		Short:              short,
		Hidden:             true,
		DisableFlagParsing: true,
		RunE: func(c *cobra.Command, args []string) error {
			a.started, a.unstarted = true, ExitFailed
			return become("psync-"+c.Name(), args)
		},
	}
}

// become replaces this process by another program of psync. The one beside psync has the same version, as has the one in
// libexec; a program found on PATH may have another version.
func become(name string, args []string) error {
	psync, err := os.Executable()
	if err != nil {
		return err
	}
	dir := filepath.Dir(psync)
	path := filepath.Join(dir, name)
	if _, err := os.Stat(path); errors.Is(err, fs.ErrNotExist) {
		if inLibexec := filepath.Join(dir, "..", "libexec", name); exists(inLibexec) {
			path = inLibexec
		}
	}
	err = syscall.Exec(path, append([]string{path}, args...), os.Environ())
	return fmt.Errorf("%s is a program of its own, which cannot be started: %w; make install installs it, as packages for Linux do",
		name, &os.PathError{Op: "exec", Path: path, Err: err})
}
