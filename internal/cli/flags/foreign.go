package flags

import (
	"slices"
	"strings"

	"github.com/spf13/pflag"
)

// A foreignFlag is a flag of another program that psync does not have.
type foreignFlag struct {
	names string // long ones, and letters, separated by blanks
	value bool   // it takes a value
	// because says why the flag has no effect: what it asks for is so anyway, or does not matter here.
	because string
	// instead says why the flag is refused, and what to do instead.
	instead string
}

// long and letter return the long names of the flag, and its letter or "".
func (f foreignFlag) long() (names []string, letter string) {
	for name := range strings.FieldsSeq(f.names) {
		if len(name) == 1 {
			letter = name
		} else {
			names = append(names, name)
		}
	}
	return names, letter
}

// foreignFlagNamed returns the row of a flag, given by its name or letter.
func foreignFlagNamed(name string) (foreignFlag, bool) {
	for _, f := range slices.Concat(rsyncFlags, otherFlags) {
		if slices.Contains(strings.Fields(f.names), name) {
			return f, true
		}
	}
	return foreignFlag{}, false
}

// Refusal returns why psync has no flag of a name or letter, which other programs have, and what to do instead; or "".
func Refusal(name string) string {
	f, _ := foreignFlagNamed(name)
	return f.instead
}

// IsIgnored reports whether a flag of another program, given by its name or letter, is accepted without effect.
func IsIgnored(name string) bool {
	f, known := foreignFlagNamed(name)
	return known && f.instead == ""
}

// DefineIgnored defines the flags of other programs that have no effect. Few command lines have any, so they are not
// defined for all.
func (o *Options) DefineIgnored(fs *pflag.FlagSet) {
	for _, f := range slices.Concat(rsyncFlags, otherFlags) {
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
	flag foreignFlag
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
