// Package flags defines the flags of psync: each in one place, with its names, its help, its value, and
// what it must not be combined with. Commands, their help, their man pages and their completion
// derive from that.
package flags

import (
	"slices"
	"strings"

	"github.com/spf13/pflag"
)

// Verbs is a set of verbs.
type Verbs uint8

// The verbs that have flags of this package.
const (
	Bare Verbs = 1 << iota // no verb: psync's own command line, with defaults of its own
	Copy
	Sync
	Compare
	Delete

	copying = Bare | Copy | Sync
	all     = copying | Compare | Delete
)

// A flag is all there is to know about a flag.
type flag struct {
	name, short string
	synonyms    []string
	verbs       Verbs // that have it
	value       pflag.Value
	help        string           // words in backquotes stand for the value; "": the flag is not listed
	helpFor     map[Verbs]string // help of verbs where that differs
	on          Verbs            // it is on by default, whatever its value says

	off     pflag.Value      // of the flag --no-NAME; nil: there is none
	offHelp map[Verbs]string // help of --no-NAME, of verbs that list it

	// misuse says what is wrong with the flag as it was typed, or "". It is called when all flags are
	// known; nil: nothing can be wrong.
	misuse func() string
}

// A boolean is a value that may be left out. All others must be there.
type boolean interface{ isBoolean() }

func (f flag) define(fs *pflag.FlagSet, name, short string, value pflag.Value, help string) {
	defined := fs.VarPF(value, name, short, help)
	defined.Hidden = help == ""
	if _, ok := value.(boolean); ok {
		defined.NoOptDefVal = "true"
	}
}

func (f flag) helpOf(verb Verbs) string {
	for verbs, help := range f.helpFor {
		if verbs&verb != 0 {
			return help
		}
	}
	return f.help
}

func (f flag) defaultOf(verb Verbs) string {
	if f.on&verb != 0 {
		return "true"
	}
	return f.value.String()
}

// TakesValue reports whether the argument after arg belongs to it.
func TakesValue(fs *pflag.FlagSet, arg string) bool {
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

// of returns the flags of a table that a verb has.
func of(verb Verbs, tables ...[]flag) (flags []flag) {
	for _, f := range slices.Concat(tables...) {
		if f.verbs&verb != 0 {
			flags = append(flags, f)
		}
	}
	return flags
}

// exclude returns the misuse of a flag that excludes others, of which both says whether they are given.
func exclude(message string, both func() bool) func() string {
	return func() string {
		if both() {
			return message
		}
		return ""
	}
}
