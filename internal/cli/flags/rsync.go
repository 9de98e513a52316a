package flags

import (
	"slices"
	"strings"

	"github.com/spf13/pflag"
)

// An rsyncFlag is a flag of rsync that psync does not have.
type rsyncFlag struct {
	names string // long ones, and letters, separated by blanks
	value bool   // it takes a value
	// because says why the flag has no effect: what it asks for is so anyway, or does not matter here.
	because string
	// instead says why the flag is refused, and what to do instead.
	instead string
}

const (
	noDaemon = "psync knows no daemon of rsync: reach the host by ssh, as HOST:PATH"
	noBatch  = "psync writes no batches: copy to each destination, or give --copy-dest"
)

// rsyncFlags are all flags of rsync 3.4 and 3.5 that are not flags of psync.
var rsyncFlags = []rsyncFlag{
	{names: "partial", because: "nothing is ever left in part under its name"},
	{names: "info debug", value: true, because: "-v, -i and --stats choose what is shown, and --progress the bar"},
	{names: "stderr outbuf", value: true, because: "errors go to standard error, in whole lines"},
	{names: "inc-recursive i-r no-inc-recursive no-i-r", because: "directories are listed when their turn comes, and entries are removed after their directory is copied"},
	{names: "secluded-args protect-args s old-args no-secluded-args no-protect-args no-s no-old-args", because: "no name passes through a shell of the other host"},
	{names: "trust-sender", because: "what another host sends is checked always"},
	{names: "compress-choice zc compress-level zl compress-threads zt skip-compress", value: true, because: "compression is zstd, at the level that suits the connection"},
	{names: "checksum-choice cc block-size B checksum-seed", value: true, because: "psync chooses checksums and blocks itself"},
	{names: "max-alloc", value: true, because: "memory is bounded anyway"},
	{names: "blocking-io no-motd", because: "there is neither a remote shell that needs it, nor a daemon"},
	{names: "8-bit-output 8", because: "letters beyond ASCII are shown as the locale of the environment says"},

	{names: "append append-verify", instead: "psync completes files by copying them, over ssh only the blocks that differ: leave it out"},
	{names: "partial-dir", value: true, instead: "nothing is left in part, and what was copied is not copied again by the next run: leave it out, or write to another volume by --temp-dir"},
	{names: "fuzzy y", instead: "psync does not search for similar files: --copy-dest=DIR takes unchanged ones from DIR"},
	{names: "iconv", value: true, instead: "names are kept byte for byte: convert them by convmv afterwards"},
	{names: "fake-super", instead: "owners are kept in the file system or not at all: run it as root, or pack the tree by tar"},
	{names: "munge-links", instead: "links are kept as they are: --safe-links leaves out those that lead out of the tree"},
	{names: "copy-devices write-devices", instead: "contents of devices are copied by dd"},
	{names: "drop-D", instead: "write --no-D"},
	{names: "confine-root", value: true, instead: "psync serve --root confines a host; here, links that others may have planted are not followed anyway"},
	{names: "rsync-path", value: true, instead: "write --remote-psync=PATH, which is the psync there"},
	{names: "copy-as", value: true, instead: "run psync as that user, by sudo -u USER psync"},
	{names: "remote-option M", value: true, instead: "the options of the other host are those of this command line: leave it out"},
	{names: "ipv4 4", instead: "write -e 'ssh -4', or AddressFamily inet in the configuration of ssh"},
	{names: "ipv6 6", instead: "write -e 'ssh -6', or AddressFamily inet6 in the configuration of ssh"},
	{names: "port", value: true, instead: "the port stands in the operand: ssh://HOST:PORT/PATH"},
	{names: "address sockopts", value: true, instead: "psync opens no sockets of its own: set it in the configuration of ssh"},
	{names: "daemon config dparam no-detach password-file early-input", instead: noDaemon},
	{names: "write-batch only-write-batch read-batch", value: true, instead: noBatch},
	{names: "protocol", value: true, instead: "psync does not speak to rsync: install psync on the other host, or let SFTP serve"},
	{names: "version V", instead: "psync version prints it"},

	{names: "checkers", value: true, because: "the workers of -j look at files, too"}, // rclone's
	{names: "metadata", instead: "-a keeps owners, modes, devices and times, -X and -A the rest"},
}

// long and letter return the long names of the flag, and its letter or "".
func (f rsyncFlag) long() (names []string, letter string) {
	for name := range strings.FieldsSeq(f.names) {
		if len(name) == 1 {
			letter = name
		} else {
			names = append(names, name)
		}
	}
	return names, letter
}

// rsyncFlagNamed returns the row of a flag, given by its name or letter.
func rsyncFlagNamed(name string) (rsyncFlag, bool) {
	for _, f := range rsyncFlags {
		if slices.Contains(strings.Fields(f.names), name) {
			return f, true
		}
	}
	return rsyncFlag{}, false
}

// Refusal returns why psync has no flag of a name or letter, which other programs have, and what to do instead; or "".
func Refusal(name string) string {
	f, _ := rsyncFlagNamed(name)
	return f.instead
}

// IsIgnored reports whether a flag of another program, given by its name or letter, is accepted without effect.
func IsIgnored(name string) bool {
	f, known := rsyncFlagNamed(name)
	return known && f.instead == ""
}

// DefineIgnored defines the flags of other programs that have no effect. Few command lines have any, so they are not
// defined for all.
func (o *Options) DefineIgnored(fs *pflag.FlagSet) {
	for _, f := range rsyncFlags {
		names, letter := f.long()
		for i, name := range names {
			if f.instead != "" || fs.Lookup(name) != nil {
				continue
			}
			short := ""
			if i == 0 && fs.ShorthandLookup(letter) == nil {
				short = letter
			}
			fs.VarPF(&ignored{name, f, o}, name, short, "").Hidden = true
			if !f.value {
				fs.Lookup(name).NoOptDefVal = "true"
			}
		}
	}
}

// Ignored returns the flags that were typed and have no effect, each with the reason.
func (o *Options) Ignored() []string { return o.ignored }

// ignored is the value of a flag without effect.
type ignored struct {
	name string
	flag rsyncFlag
	o    *Options
}

func (v *ignored) Type() string   { return "string" }
func (v *ignored) String() string { return "" }

func (v *ignored) Set(text string) error {
	if v.name == "info" && strings.Contains(text, "progress") {
		v.o.Shown.Progress = true // the same as --progress
		return nil
	}
	v.o.ignored = append(v.o.ignored, "--"+v.name+" has no effect: "+v.flag.because)
	return nil
}
