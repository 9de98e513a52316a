package cli

import (
	"errors"
	"fmt"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"psync/internal/cli/argv"
	"psync/internal/cli/flags"
	"psync/internal/operand/location"
)

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
