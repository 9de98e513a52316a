package flags

import (
	"slices"
	"strings"

	"github.com/spf13/pflag"

	"psync/internal/cli/foreign"
)

// DefineIgnored defines the flags of other programs that have no effect. Few command lines have any, so they are not
// defined for all.
func (o *Options) DefineIgnored(fs *pflag.FlagSet) {
	for _, f := range slices.Concat(foreign.Rsync, foreign.Others) {
		names, letter := f.Long()
		for i, name := range names {
			if f.Instead != "" || fs.Lookup(name) != nil {
				continue
			}
			short := ""
			if i == 0 && fs.ShorthandLookup(letter) == nil {
				short = letter
			}
			fs.VarPF(&ignored{name, f, o}, name, short, "").Hidden = true
			if !f.Value {
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
	flag foreign.Flag
	o    *Options
}

func (v *ignored) Type() string   { return "string" }
func (v *ignored) String() string { return "" }

func (v *ignored) Set(text string) error {
	if v.name == "info" && strings.Contains(text, "progress") {
		v.o.Shown.Progress = true // the same as --progress
		return nil
	}
	v.o.ignored = append(v.o.ignored, "--"+v.name+" has no effect: "+v.flag.Because)
	return nil
}
