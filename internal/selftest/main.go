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

// Exit codes: those of psync, and for SRC and DST those of diff(1).
const (
	exitOK          = 0
	exitUsage       = 1
	exitNotKept     = 1
	exitTrouble     = 2
	exitOperands    = 3
	exitInterrupted = 20
	exitFailed      = 23
)

const help = `Usage:
  psync-selftest SRC DST [-v]
  psync-selftest --metadata DIR [-v] [--keep]

With SRC and DST, psync-selftest says beforehand what psync copy -aHAX SRC DST will
not keep, for the user who runs it. It reads all of SRC but the contents of files, and
tries what it finds in a directory that it makes in DST and removes again, also when it
is interrupted: names (case, composition of letters, characters, lengths), times,
owners, groups, modes, ACLs, extended attributes, symbolic links, hard links, special
files, holes, large files. It adds up what a copy takes, and looks whether DST has as
much room and as many inodes. Each line says how many entries of SRC are concerned,
what will become of them, and what can be done. What DST lacks and SRC does not need is
one line. Both are directories of this host; in place of a DST that does not exist, the
nearest directory above it is tried. Creation times, access times and, but on macOS,
flags are not among what -aHAX keeps, and are not looked at.

With --metadata, it makes a directory in DIR, tries what the system and the volume of DIR
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
  sudo psync-selftest /srv/data /mnt/new-filer
  psync-selftest --metadata ~
  sudo psync-selftest -v --metadata /Volumes/Backup >selftest.txt

Flags:
  --metadata DIR  try metadata in DIR
  -v, --verbose   print details of all checks; all entries of SRC that are not kept
  --keep          do not remove what the checks have made
  -h, --help      print this text

Exit status, with SRC and DST:
   0  everything will be kept
   1  something will not
   2  trouble: the command line is wrong, SRC cannot be read, nothing can be made in DST
  20  interrupted

Exit status, with --metadata:
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
		if f.metadata == "" {
			return exitTrouble
		}
		return exitUsage
	}
	run := f.run
	if f.metadata == "" {
		run = f.predict
	}
	code, err := run(stdout)
	if err != nil {
		fmt.Fprintf(stderr, "psync-selftest: error: %s\n", printable(err.Error()))
	}
	return code
}

// flags are the flags of the command line.
type flags struct {
	metadata      string
	operands      []string // SRC and DST, without metadata
	verbose, keep bool
}

func parseFlags(args []string) (f flags, err error) {
	set := flag.NewFlagSet("psync-selftest", flag.ContinueOnError)
	set.SetOutput(io.Discard)
	set.StringVar(&f.metadata, "metadata", "", "")
	set.BoolVar(&f.verbose, "v", false, "")
	set.BoolVar(&f.verbose, "verbose", false, "")
	set.BoolVar(&f.keep, "keep", false, "")
	for rest := args; err == nil && len(rest) > 0; { // flags may follow operands
		if err = set.Parse(rest); err != nil || set.NArg() == 0 {
			break
		}
		if n := len(rest) - set.NArg(); n > 0 && rest[n-1] == "--" {
			f.operands = append(f.operands, set.Args()...)
			break
		}
		f.operands, rest = append(f.operands, set.Arg(0)), set.Args()[1:]
	}
	switch {
	case err != nil:
	case f.metadata != "" && len(f.operands) > 0:
		err = fmt.Errorf("unexpected argument %q", f.operands[0])
	case f.metadata != "":
	case len(f.operands) == 0:
		err = errors.New("SRC and DST, or --metadata DIR, are missing")
	case len(f.operands) != 2:
		err = errors.New("SRC and DST are wanted, two directories")
	case f.keep:
		err = errors.New("--keep is for --metadata")
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
	dir, err := host.Open(f.metadata, vfs.OpenOptions{})
	if err != nil {
		return exitOperands, err
	}
	defer dir.Close()
	host.ClearUmask()
	user := host.Info().User
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

// untilSignalled returns a context that ends with the first terminating signal, unless the signal is ignored,
// as by nohup. Further signals must not prevent the cleanup, because timeout(1) sends its signal twice, nor
// must SIGPIPE.
func untilSignalled() (context.Context, context.CancelFunc) {
	signal.Ignore(syscall.SIGPIPE)
	var signals []os.Signal
	for _, s := range []os.Signal{os.Interrupt, syscall.SIGTERM, syscall.SIGHUP} {
		if !signal.Ignored(s) {
			signals = append(signals, s)
		}
	}
	if len(signals) == 0 { // no signals would mean all signals
		return context.WithCancel(context.Background())
	}
	return signal.NotifyContext(context.Background(), signals...)
}

// version describes the build according to its build information.
func version() string {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return "(unknown version)"
	}
	return info.Main.Version + " " + info.GoVersion
}
