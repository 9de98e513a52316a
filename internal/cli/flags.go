package cli

import (
	"cmp"
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"psync/internal/plan"
)

// A verb is one of those that copy.
type verb uint8

const (
	bareVerb verb = iota // no verb: psync's own command line, with defaults of its own
	copyVerb
	syncVerb
)

// copyFlags are the flags of the copying verbs, as typed.
type copyFlags struct {
	verb verb
	runFlags
	policyFlags
	deleteFlags
	ruleFlags
	linkFlags
	safetyFlags
	metadataFlags
	dataFlags

	create, mkpath bool
	dryRun         bool
	links          bool
}

func (f *copyFlags) bare() bool { return f.verb == bareVerb }

func (f *copyFlags) add(c *cobra.Command) {
	fs := c.Flags()
	fs.SortFlags = false
	f.addThreads(fs, f.bare())
	fs.BoolVarP(&f.dryRun, "dry-run", "n", false, "list what would be done, and do nothing")
	f.addOutput(fs, "list what is done")
	if f.bare() {
		fs.BoolVar(&f.create, "create", false, "make DST, and the directories above it, if missing")
	} else {
		fs.BoolVar(&f.mkpath, "mkpath", false, "make the directories above DST, too, if missing")
	}
	f.metadataFlags.add(fs, false)
	if !f.bare() {
		timesByDefault(fs, "do not keep modification times")
	}
	f.policyFlags.add(fs, f.verb)
	f.deleteFlags.add(fs)
	f.ruleFlags.add(fs)
	f.ruleFlags.addLists(fs)
	f.linkFlags.add(fs)
	f.safetyFlags.add(fs)
	f.dataFlags.add(fs)
	f.addProgress(fs)
	fs.BoolVarP(&f.links, "links", "l", true, "copy symbolic links as links (always on, but for what -L and -k say)")
	addSwitch(fs, "no-links", "", "", inverse{&f.links})
	fs.SetNormalizeFunc(synonyms)
}

// synonyms gives flags the name that they have here.
func synonyms(_ *pflag.FlagSet, name string) pflag.NormalizedName {
	switch name {
	case "transfers": // as rclone calls it
		name = "threads"
	case "del", "delete-before", "delete-during", "delete-after", "delete-delay":
		name = "delete"
	case "ignore-non-existing":
		name = "existing"
	default:
		if letter, no := strings.CutPrefix(name, "no-"); no && len(letter) == 1 {
			name = cmp.Or(negated(letter), name)
		}
	}
	return pflag.NormalizedName(name)
}

// check validates the flags, and completes them by what was not typed.
func (f *copyFlags) check(fs *pflag.FlagSet) error {
	if !f.links {
		return errors.New("symbolic links are copied as what they are: --links cannot be switched off")
	}
	var defaults attrs
	switch {
	case !f.bare():
		defaults = f.plain()
	case f.sync:
		defaults = keepMtimes
	}
	return firstError(
		f.checkPolicy(fs),
		f.metadataFlags.settle(defaults),
		f.runFlags.check(),
		f.dataFlags.check(f.sparse()),
		f.deleteFlags.check(),
		f.ruleFlags.check(fs, f.deleteExcluded),
		f.safetyFlags.check(fs, &f.policyFlags, &f.deleteFlags),
	)
}

func firstError(errs ...error) error {
	for _, err := range errs {
		if err != nil {
			return err
		}
	}
	return nil
}

func (f *copyFlags) policy() plan.Policy {
	p := f.specials(f.policyFlags.policy())
	p.Links, p.InPlace = f.linkFlags.options(), f.inPlace
	return p
}

// runFlags say how a run works and what it tells.
type runFlags struct {
	threads              threads
	verbose, quiet       bool
	itemize              bool
	progress, noProgress bool
	stats                bool
}

func (f *runFlags) addThreads(fs *pflag.FlagSet, bare bool) {
	usage := "number of workers, 1 to 1024, or auto (0: 16, or 64 where a side is a network file system)"
	if bare {
		usage = "number of workers, 1 to 1024, or auto (0: 16)"
	}
	fs.VarP(&f.threads, "threads", "j", usage)
}

func (f *runFlags) addOutput(fs *pflag.FlagSet, verbose string) {
	fs.BoolVarP(&f.verbose, "verbose", "v", false, verbose)
	fs.BoolVarP(&f.quiet, "quiet", "q", false, "print errors only")
	fs.BoolVarP(&f.itemize, "itemize-changes", "i", false, "list what is done in the letters of rsync")
	addHumanReadable(fs)
}

func (f *runFlags) addProgress(fs *pflag.FlagSet) {
	fs.BoolVar(&f.progress, "progress", false, "show progress from the start, on a terminal or not")
	fs.BoolVar(&f.noProgress, "no-progress", false, "show no progress (default: on a terminal, after a second)")
	fs.BoolVar(&f.stats, "stats", false, "print figures at the end")
}

func (f *runFlags) check() error {
	switch {
	case f.threads.n < 0 || f.threads.n > maxThreads:
		return fmt.Errorf("--threads %d: the number of workers is 1 to %d", f.threads.n, maxThreads)
	case f.progress && f.noProgress:
		return errors.New("--progress and --no-progress exclude each other")
	}
	return nil
}

// typed returns the first of some flags that was typed, or "".
func typed(fs *pflag.FlagSet, names ...string) string {
	for _, name := range names {
		if fs.Changed(name) {
			return name
		}
	}
	return ""
}

// takesValue reports whether the argument after arg belongs to it.
func takesValue(fs *pflag.FlagSet, arg string) bool {
	if name, long := strings.CutPrefix(arg, "--"); long {
		f := fs.Lookup(name)
		return f != nil && f.NoOptDefVal == ""
	}
	cluster, short := strings.CutPrefix(arg, "-")
	for i := range len(cluster) {
		f := fs.ShorthandLookup(cluster[i : i+1])
		if !short || f == nil {
			return false
		}
		if f.NoOptDefVal == "" {
			return i == len(cluster)-1 // else the rest is the value
		}
	}
	return false
}
