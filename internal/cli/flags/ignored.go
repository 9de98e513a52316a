package flags

import (
	"strings"

	"github.com/spf13/pflag"

	"psync/internal/cli/foreign"
)

// DefineIgnored defines the flags of other programs that have no effect. Few command lines have any, so they are not
// defined for all.
func (o *Options) DefineIgnored(fs *pflag.FlagSet) {
	for _, f := range foreign.Ignored() {
		for i, name := range f.Names {
			if len(name) == 1 || fs.Lookup(name) != nil {
				continue
			}
			short := ""
			if letter := f.Names[len(f.Names)-1]; i == 0 && len(letter) == 1 && fs.ShorthandLookup(letter) == nil {
				short = letter
			}
			fs.VarPF(setter(func(text string) error { return o.ignore(name, f.Why, text) }), name, short, "").Hidden = true
			if !f.Value {
				fs.Lookup(name).NoOptDefVal = "true"
			}
		}
	}
}

// Ignored returns the flags that were typed and have no effect, each with the reason.
func (o *Options) Ignored() []string { return o.ignored }

// ignore notes that a flag without effect was typed.
func (o *Options) ignore(name, because, text string) error {
	if name == "info" && strings.Contains(text, "progress") {
		o.Shown.Progress = true // the same as --progress
		return nil
	}
	o.ignored = append(o.ignored, "--"+name+" has no effect: "+because)
	return nil
}
