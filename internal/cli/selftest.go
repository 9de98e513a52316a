package cli

import (
	"fmt"
	"os"
	"path/filepath"
	"syscall"

	"github.com/spf13/cobra"
)

// selftestCommand returns a verb that is only another name for the program psync-selftest, which has its own
// flags and help.
func (a *app) selftestCommand() *cobra.Command {
	return &cobra.Command{
		Use:                "selftest SRC DST | --metadata DIR",
		Short:              "Run psync-selftest, which tries what a volume keeps",
		Hidden:             true,
		DisableFlagParsing: true,
		RunE: func(_ *cobra.Command, args []string) error {
			a.started, a.unstarted = true, ExitFailed
			return becomeSelftest(args)
		},
	}
}

// becomeSelftest replaces this process by psync-selftest. The program beside psync has the same version; a
// program found on PATH may have another version.
func becomeSelftest(args []string) error {
	psync, err := os.Executable()
	if err != nil {
		return err
	}
	path := filepath.Join(filepath.Dir(psync), "psync-selftest")
	err = syscall.Exec(path, append([]string{path}, args...), os.Environ())
	return fmt.Errorf("selftest is a program of its own, which cannot be started: %w", &os.PathError{Op: "exec", Path: path, Err: err})
}
