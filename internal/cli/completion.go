package cli

import (
	"embed"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"psync/internal/cli/argv"
	"psync/internal/cli/cpflags"
	"psync/internal/cli/flags"
	"psync/internal/cli/help"
	"psync/internal/cli/misuse"
)

// completionScripts have shells ask psync, by the verb __complete of cobra, what a word can become. Unlike the scripts
// of cobra, they offer files beside verbs, and that for bash does not need its completion package.
//
//go:embed completion/psync.*
var completionScripts embed.FS

var shells = []string{"bash", "zsh", "fish", "powershell"}

func completionCommand(root *cobra.Command) *cobra.Command {
	c := &cobra.Command{
		Use:       "completion bash|zsh|fish|powershell",
		Short:     "Print a script by which a shell completes words of psync",
		ValidArgs: shells,
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) != 1 || !slices.Contains(shells, args[0]) {
				return fmt.Errorf("completion takes the name of a shell: %s", strings.Join(shells, ", "))
			}
			return nil
		},
		RunE: func(c *cobra.Command, args []string) error {
			if args[0] == "powershell" {
				return root.GenPowerShellCompletionWithDesc(c.OutOrStdout())
			}
			script, err := completionScripts.ReadFile("completion/psync." + args[0])
			if err == nil {
				_, err = c.OutOrStdout().Write(script)
			}
			return err
		},
	}
	help.Describe(c, "completion")
	return c
}

// completionLine rewrites a command line by which a shell asks for completions, of which the last word is the one to
// complete. It returns args unchanged if they are something else.
func completionLine(l argv.Line, args []string) []string {
	last := len(args) - 1
	if !asksForCompletion(args) {
		return l.Expand(args)
	}
	return slices.Concat(args[:1], l.Expand(args[1:last]), args[last:])
}

func asksForCompletion(args []string) bool {
	return len(args) > 1 && (args[0] == cobra.ShellCompRequestCmd || args[0] == cobra.ShellCompNoDescRequestCmd)
}

// completeLegacy prints those flags of hweidner/psync that the last word of args may become, if args ask for
// completions. cobra, which does not know them, prints the other completions afterwards.
func completeLegacy(w io.Writer, args []string) {
	if !asksForCompletion(args) {
		return
	}
	word := args[len(args)-1]
	if strings.HasPrefix(word, "-") && !strings.HasPrefix(word, "--") {
		for _, flag := range argv.LegacyFlags() {
			if strings.HasPrefix(flag, word) {
				fmt.Fprintln(w, flag)
			}
		}
	}
}

// completeRsync completes words of rsync's command line: long flags, or names of files.
func completeRsync(_ *cobra.Command, _ []string, word string) (names []cobra.Completion, _ cobra.ShellCompDirective) {
	if !strings.HasPrefix(word, "-") {
		return nil, cobra.ShellCompDirectiveDefault
	}
	c := new(cobra.Command)
	flags.Define(c, flags.Sync)
	for _, name := range misuse.FlagNames(c) {
		if strings.HasPrefix("--"+name, word) {
			names = append(names, "--"+name)
		}
	}
	return names, cobra.ShellCompDirectiveNoFileComp
}

// completeCp completes words of cp's command line.
func completeCp(_ *cobra.Command, args []string, word string) ([]cobra.Completion, cobra.ShellCompDirective) {
	candidates, kind := cpflags.Complete(args, word)
	switch kind {
	case cpflags.Files:
		return candidates, cobra.ShellCompDirectiveDefault
	case cpflags.Directories:
		return candidates, cobra.ShellCompDirectiveFilterDirs
	}
	return candidates, cobra.ShellCompDirectiveNoFileComp
}
