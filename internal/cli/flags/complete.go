package flags

import (
	"psync/internal/cli/values"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// CompleteValues has shells complete the values of the flags of c, which [Define] has defined.
func (o *Options) CompleteValues(c *cobra.Command) {
	for _, f := range o.flags {
		f.complete(c)
	}
}

// complete has shells complete the value of a flag of c: words, files, directories, or nothing.
func (f *flag) complete(c *cobra.Command) {
	if _, ok := f.value.(boolean); ok {
		return
	}
	_ = c.RegisterFlagCompletionFunc(f.name, func(c *cobra.Command, _ []string, _ string) ([]cobra.Completion, cobra.ShellCompDirective) {
		if choice, ok := f.value.(*values.Choice); ok {
			return choice.Words, cobra.ShellCompDirectiveNoFileComp
		}
		switch name, _ := pflag.UnquoteUsage(c.Flags().Lookup(f.name)); name {
		case "FILE":
			return nil, cobra.ShellCompDirectiveDefault
		case "DIR":
			return nil, cobra.ShellCompDirectiveFilterDirs
		}
		return nil, cobra.ShellCompDirectiveNoFileComp
	}) // fails only for a flag that c lacks
}
