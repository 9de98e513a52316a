package selftest

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"runtime/debug"
	"syscall"

	"psync/internal/localfs"
	"psync/internal/selftest/check"
	"psync/internal/vfs"
)

// Exit codes, those of psync.
const (
	exitOK          = 0
	exitUsage       = 1
	exitOperands    = 3
	exitInterrupted = 20
	exitFailed      = 23
)

const help = `Usage:
  psync-selftest --metadata DIR [-v] [--keep]

Psync-selftest makes a directory in DIR, tries what the system and the volume of DIR
really do with names, times, modes, owners, extended attributes, ACLs, flags and holes,
and copies small trees there as psync does, which it then compares by other means.
Each check is one line: PASS, FAIL and what was seen, or SKIP and what the volume,
the system or the rights of the user lack. Root can try more than others.

It writes nothing outside of the directory that it makes, and removes that in the
end, also when it is interrupted. It needs up to 200 MB for a few seconds.

No Mac has run this yet: psync for macOS is built from Apple's published source. If
you have one, what -v prints is welcome, whether or not something fails: of APFS, of
an external disk, of a share.

Examples:
  psync-selftest --metadata ~
  sudo psync-selftest -v --metadata /Volumes/Backup >selftest.txt

Flags:
  --metadata DIR  try metadata in DIR
  -v, --verbose   print details of all checks
  --keep          do not remove what the checks have made
  -h, --help      print this text

Exit status:
   0  nothing failed
   1  the command line is wrong
   3  DIR is missing, or nothing can be made in it
  20  interrupted
  23  something failed
`

// Main runs the program psync-selftest with the arguments that follow its name, and
// returns its exit code.
func Main(args []string, stdout, stderr io.Writer) int {
	f, err := parseFlags(args)
	switch {
	case errors.Is(err, flag.ErrHelp):
		fmt.Fprint(stdout, help)
		return exitOK
	case err != nil:
		fmt.Fprintf(stderr, "psync-selftest: error: %v\npsync-selftest: hint: psync-selftest --help lists flags\n", err)
		return exitUsage
	}
	code, err := f.run(stdout)
	if err != nil {
		fmt.Fprintf(stderr, "psync-selftest: error: %s\n", printable(err.Error()))
	}
	return code
}

// flags are those of the command line.
type flags struct {
	metadata      string
	verbose, keep bool
}

func parseFlags(args []string) (f flags, err error) {
	set := flag.NewFlagSet("psync-selftest", flag.ContinueOnError)
	set.SetOutput(io.Discard)
	set.StringVar(&f.metadata, "metadata", "", "")
	set.BoolVar(&f.verbose, "v", false, "")
	set.BoolVar(&f.verbose, "verbose", false, "")
	set.BoolVar(&f.keep, "keep", false, "")
	err = set.Parse(args)
	switch {
	case err != nil:
	case set.NArg() > 0:
		err = fmt.Errorf("unexpected argument %q", set.Arg(0))
	case f.metadata == "":
		err = errors.New("--metadata DIR is missing")
	}
	return f, err
}

// run runs the checks as the user of this process.
func (f flags) run(stdout io.Writer) (code int, err error) {
	ctx, stop := untilSignalled()
	defer stop()
	var host localfs.Host
	if err := host.Prepare(vfs.Preparation{}); err != nil {
		return exitOperands, err
	}
	dir, err := host.Open(f.metadata, false)
	if err != nil {
		return exitOperands, err
	}
	defer dir.Close()
	host.ClearUmask()
	user := host.User()
	if f.verbose {
		fmt.Fprintf(stdout, "psync %s, user %d, group %d\n", version(), user.UID, user.GID)
	}
	r, err := Run(ctx, check.Config{Dir: dir, User: user, Keep: f.keep}, stdout, f.verbose)
	switch {
	case err != nil && ctx.Err() != nil:
		return exitInterrupted, fmt.Errorf("the other checks were not tried: %w", err)
	case err != nil && r == (Result{}):
		return exitOperands, err
	case err != nil || r.Failed > 0:
		return exitFailed, err
	}
	return exitOK, nil
}

// untilSignalled returns a context that ends with the first signal that ends programs, unless
// it is ignored, as by nohup. Further ones must not keep what was made from being removed:
// timeout(1) sends its signal twice. Nor must a reader of the output that has gone.
func untilSignalled() (context.Context, context.CancelFunc) {
	signal.Ignore(syscall.SIGPIPE)
	var signals []os.Signal
	for _, s := range []os.Signal{os.Interrupt, syscall.SIGTERM, syscall.SIGHUP} {
		if !signal.Ignored(s) {
			signals = append(signals, s)
		}
	}
	if len(signals) == 0 { // which would stand for all
		return context.WithCancel(context.Background())
	}
	return signal.NotifyContext(context.Background(), signals...)
}

// version describes the build by what the Go command has recorded in it.
func version() string {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return "(unknown version)"
	}
	return info.Main.Version + " " + info.GoVersion
}
