// Package flags defines the flags of psync: each flag in one place, with its names, its help and its value, and what flags
// exclude each other in a table. Commands, their help, their man pages and their completion derive from these definitions.
package flags

import (
	"slices"
	"strings"

	"github.com/spf13/pflag"

	"psync/internal/cli/values"
	"psync/internal/lazymap"
	"psync/internal/ui"
)

// Verbs is a set of verbs.
type Verbs uint8

// The verbs that have flags of this package.
const (
	Bare Verbs = 1 << iota // no verb: psync's own command line, with its own defaults
	Copy
	Sync
	Compare
	Delete

	copying = Bare | Copy | Sync
	all     = copying | Compare | Delete
)

// A flag is the complete definition of a flag.
type flag struct {
	name, short string
	synonyms    []string
	verbs       Verbs  // the verbs that have the flag
	heading     string // that the help lists the flag under
	value       pflag.Value
	help        string           // words in backquotes stand for the value; "": the flag is not listed
	helpFor     map[Verbs]string // for verbs with a different help

	off     pflag.Value      // of the flag --no-NAME; nil: there is none
	offHelp map[Verbs]string // help of --no-NAME, of verbs that list it
}

// newFlag returns a flag with what all flags have; help may be "".
func newFlag(name, short string, verbs Verbs, value pflag.Value, help string) flag {
	return flag{name: name, short: short, verbs: verbs, value: value, help: help}
}

// toggle returns a flag that is switched on, or off by =false.
func toggle(name, short string, verbs Verbs, on *bool, help string) flag {
	return newFlag(name, short, verbs, (*values.Toggle)(on), help)
}

// switchable returns a flag that is switched on, or off by --no-NAME.
func switchable(name, short string, verbs Verbs, on *bool, help string) flag {
	return toggle(name, short, verbs, on, help).offBy(values.Inverse(on))
}

// word returns a flag that takes any text.
func word(name, short string, verbs Verbs, text *string, help string) flag {
	return newFlag(name, short, verbs, (*values.Word)(text), help)
}

// also returns f with synonyms.
func (f flag) also(synonyms ...string) flag { f.synonyms = synonyms; return f }

// under returns f with a heading of its own.
func (f flag) under(heading string) flag { f.heading = heading; return f }

// offBy returns f with the value of --no-NAME.
func (f flag) offBy(off pflag.Value) flag { f.off = off; return f }

// helpIn returns f with another help for some verbs.
func (f flag) helpIn(verbs Verbs, help string) flag { lazymap.Set(&f.helpFor, verbs, help); return f }

// A boolean is a value that may be left out. All other values are required.
type boolean interface{ IsBoolean() }

// A setter is the value of a flag that a function takes. The help of the flag names the value.
type setter func(text string) error

func (setter) Type() string              { return "string" }
func (setter) String() string            { return "" }
func (set setter) Set(text string) error { return set(text) }

// outFormat takes a format of the lines that list what is done.
func outFormat(format **ui.OutFormat) setter {
	return func(text string) (err error) {
		*format, err = ui.ParseOutFormat(text)
		return err
	}
}

func (f *flag) define(fs *pflag.FlagSet, name, short string, value pflag.Value, help string) {
	defined := fs.VarPF(value, name, short, help)
	defined.Hidden = help == ""
	if _, ok := value.(boolean); ok {
		defined.NoOptDefVal = "true"
	}
}

// mayBe reports whether an argument may be the flag, or letters with that of the flag among them.
func (f *flag) mayBe(arg string) bool {
	name, long := strings.CutPrefix(arg, "--")
	if !long {
		return f.short != "" && strings.HasPrefix(arg, "-") && strings.Contains(arg, f.short)
	}
	name, _, _ = strings.Cut(name, "=")
	base := strings.TrimPrefix(name, "no-")
	return name == f.name || base == f.name || base == f.short || slices.Contains(f.synonyms, name)
}

func (f *flag) helpOf(verb Verbs) string {
	for verbs, help := range f.helpFor {
		if verbs&verb != 0 {
			return help
		}
	}
	return f.help
}

// TakesValue reports whether the argument after arg is the value of arg.
func TakesValue(fs *pflag.FlagSet, arg string) bool {
	f := lastFlag(fs, arg)
	return f != nil && f.NoOptDefVal == ""
}

// IsSwitch reports whether arg is a flag, or a cluster of letters, that neither takes a value nor has one.
func IsSwitch(fs *pflag.FlagSet, arg string) bool {
	f := lastFlag(fs, arg)
	return f != nil && f.NoOptDefVal != ""
}

// lastFlag returns the flag that arg is, or that of its last letter. It returns nil if that is none, or if a letter before
// is none or takes a value, which then is the rest.
func lastFlag(fs *pflag.FlagSet, arg string) (f *pflag.Flag) {
	if name, long := strings.CutPrefix(arg, "--"); long {
		return fs.Lookup(name)
	}
	cluster, short := strings.CutPrefix(arg, "-")
	for i := range len(cluster) {
		f = fs.ShorthandLookup(cluster[i : i+1])
		if !short || f == nil || f.NoOptDefVal == "" && i < len(cluster)-1 {
			return nil
		}
	}
	return f
}

// of returns the flags of tables that a verb has. It takes memory once: that counts where a run takes a millisecond.
func of(verb Verbs, tables ...[]flag) []*flag {
	n := 0
	for _, table := range tables {
		n += len(table)
	}
	flags := make([]*flag, 0, n)
	for _, table := range tables {
		for i := range table {
			if table[i].verbs&verb != 0 {
				flags = append(flags, &table[i])
			}
		}
	}
	return flags
}
