package cli

import (
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"psync/internal/localfs"
	"psync/internal/selftest"
)

// selftestFlags are the flags of selftest, as typed.
type selftestFlags struct {
	metadata      string
	verbose, keep bool
}

func (a *app) selftestCommand() *cobra.Command {
	f := new(selftestFlags)
	c := &cobra.Command{
		Use:   "selftest --metadata DIR",
		Short: "Try what a volume keeps of metadata, and what psync makes of it",
		Long: `Selftest makes a directory in DIR, tries what the system and the volume of DIR really
do with names, times, modes, owners, extended attributes, ACLs, flags and holes,
and lets psync copy small trees there, which it then compares by other means.
Each check is one line: PASS, FAIL and what was seen, or SKIP and what the volume,
the system or the rights of the user lack. Root can try more than others.

It writes nothing outside of the directory that it makes, and removes that in the
end, also when it is interrupted. It needs up to 200 MB for a few seconds.

No Mac has run this yet: psync for macOS is built from Apple's published source. If
you have one, what -v prints is welcome, whether or not something fails: of APFS, of
an external disk, of a share.

Exit status:
   0  nothing failed
   1  the command line is wrong
   3  DIR is missing, or nothing can be made in it
  20  interrupted
  23  something failed`,
		Example: `  psync selftest --metadata ~
  sudo psync selftest -v --metadata /Volumes/Backup >selftest.txt`,
		Args: cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error { return a.selftest(c, f) },
	}
	flags := c.Flags()
	flags.SortFlags = false
	flags.StringVar(&f.metadata, "metadata", "", "try metadata in `DIR`")
	flags.BoolVarP(&f.verbose, "verbose", "v", false, "print details of all checks")
	flags.BoolVar(&f.keep, "keep", false, "do not remove what the checks have made")
	return c
}

// selftest runs the verb of that name.
func (a *app) selftest(c *cobra.Command, f *selftestFlags) error {
	if f.metadata == "" {
		return errors.New("--metadata DIR is missing")
	}
	a.started = true
	if err := localfs.Prepare(false); err != nil {
		return err
	}
	dir, err := localfs.Open(f.metadata)
	if err != nil {
		return err
	}
	defer dir.Close()
	localfs.ClearUmask()
	user := thisUser()
	if f.verbose {
		fmt.Fprintf(a.stdout, "psync %s, user %d, group %d\n", version(), user.UID, user.GID)
	}
	r, err := selftest.Run(c.Context(), selftest.Config{
		Dir: dir, User: user, Temporaries: temporaries(),
		Out: a.stdout, Verbose: f.verbose, Leave: f.keep,
	})
	switch {
	case errors.Is(err, ErrInterrupted):
		a.exit = ExitInterrupted
		a.warn(false, "interrupted: the other checks were not tried")
		return nil
	case err != nil && r != (selftest.Result{}):
		a.trouble = ExitFailed
	case r.Failed > 0:
		a.exit = ExitFailed
	}
	return err
}
