package cli

import (
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"psync/internal/cli/argv"
	"psync/internal/cli/flags"
	"psync/internal/operand/location"
)

// otherVerbs are programs, and verbs of rclone, that people type where psync expects a verb, and what to type instead.
var otherVerbs = []struct{ words, instead string }{
	{"rm rmdir rd del unlink rmz remove purge deletefile rmdirs", "psync delete removes trees"},
	{"mv move moveto ren rename", "psync sync --remove-source-files SRC DST moves files"},
	{"diff cmp cryptcheck checksum", "psync compare SRC DST says what differs"},
	{"mirror robocopy clone", "psync sync --delete SRC DST makes DST equal to SRC"},
	{"rsync update", "psync sync SRC DST copies what differs"},
	{"xcp fcp cpz copyto copydir xcopy dup", "psync copy SRC DST copies trees"},
	{"ls lsf lsl lsd lsjson dir tree", "psync copy --list-only SRC lists a tree, in rsync's format; there is no other listing"},
	{"size du ncdu df about", "psync adds up no sizes; psync copy --list-only SRC lists them"},
	{"md5sum sha1sum sha256sum hashsum", "psync copy --manifest=FILE SRC DST writes checksums of what it copies"},
	{"bisync", "psync copies in one direction, from SRC to DST"},
	{"cat rcat mkdir touch cleanup dedupe mount config listremotes obscure", "psync has no verb like that"},
}

// insteadOfVerb returns the hint for a word that is a verb of other programs, or "".
func insteadOfVerb(word string) string {
	for _, v := range otherVerbs {
		if slices.Contains(strings.Fields(v.words), word) {
			return v.instead
		}
	}
	return ""
}

// robocopyFlags are flags of robocopy, and what to write instead. A colon stands before the value.
var robocopyFlags = []struct{ names, instead string }{
	{"/MIR /PURGE", "psync sync --delete"},
	{"/E /S", "nothing, as directories are copied with what is in them, and -m for /S, which leaves out empty ones"},
	{"/MT", "-j N"},
	{"/COPYALL /COPY /DCOPY /SEC", "-aAX"},
	{"/L", "-n"},
	{"/XO", "--update"},
	{"/XD", "--exclude=NAME/"},
	{"/XF", "--exclude=NAME"},
	{"/XJ /SL", "nothing, as symbolic links are copied as links"},
	{"/R /W", "--retry-for=SECONDS"},
	{"/LOG /LOG+ /UNILOG /UNILOG+", "--log-file=FILE"},
	{"/NP", "--no-progress"},
	{"/NFL /NDL /NJH /NJS", "nothing, as entries are listed only with -v"},
	{"/V /ETA", "-v, and -P for progress"},
	{"/FFT", "--modify-window=2"},
	{"/DST", "--modify-window=3600"},
	{"/MAX", "--max-size=SIZE"},
	{"/MIN", "--min-size=SIZE"},
	{"/MOV /MOVE", "--remove-source-files"},
	{"/Z /B /ZB /J", "nothing: what was copied is not copied again by psync sync"},
	{"/IS /IT", "-I"},
	{"/XX", "nothing: without --delete, what only DST has stays"},
}

// refuseFlagsOfRobocopy returns an error if an operand that does not exist is a flag of robocopy.
func refuseFlagsOfRobocopy(args []string) error {
	for _, arg := range args {
		if !strings.HasPrefix(arg, "/") {
			continue
		}
		name, _, _ := strings.Cut(arg, ":")
		for _, f := range robocopyFlags {
			if slices.Contains(strings.Fields(f.names), strings.ToUpper(name)) && !exists(arg) {
				return fmt.Errorf("%s is a flag of robocopy, and no path here: write %s", arg, f.instead)
			}
		}
	}
	return nil
}

// warnOfRules warns of rules that most likely match nothing in args, which are SRC... DST.
func (a *app) warnOfRules(o *flags.Options, args []string) {
	src := func() string {
		l, err := location.Parse(args[0])
		if err != nil || !l.Account.IsHere() || len(args) != 2 {
			return ""
		}
		path, _ := filepath.Abs(l.Path) // "" if the working directory is unknown
		return path
	}
	for _, doubt := range o.FutileRules(src) {
		a.warn(o, doubt)
	}
}

// explainMissing adds to an error about a missing operand the flag that may have taken it as its value.
func (a *app) explainMissing(c *cobra.Command, missing error) error {
	flag, value := argv.LastValue(a.line, func(arg string) bool { return flags.TakesValue(c.Flags(), arg) }, exists)
	if flag == "" {
		return missing
	}
	if letters := strings.TrimLeft(flag, "-"); !strings.HasPrefix(flag, "--") && len(letters) > 1 {
		flag = fmt.Sprintf("-%s in %s", letters[len(letters)-1:], flag)
	}
	return errors.New(missing.Error() + "; " + value + " became the value of " + flag)
}
