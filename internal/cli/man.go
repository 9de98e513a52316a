package cli

import (
	"cmp"
	"io"
	"os"
	"path/filepath"
	"runtime/debug"
	"strings"

	"github.com/spf13/cobra"
)

func manCommand(root *cobra.Command) *cobra.Command {
	return &cobra.Command{
		Use:   "man [DIR]",
		Short: "Write the man pages into DIR, or the main one to standard output",
		Args:  cobra.MaximumNArgs(1),
		Example: `  psync man | man -l -
  psync man /usr/local/share/man/man1`,
		RunE: func(c *cobra.Command, args []string) error {
			if len(args) == 1 {
				return writeManPages(root, args[0])
			}
			_, err := io.WriteString(c.OutOrStdout(), manPage(root))
			return err
		},
	}
}

// writeManPages writes the pages of c and of the verbs below it into dir.
func writeManPages(c *cobra.Command, dir string) error {
	err := os.WriteFile(filepath.Join(dir, manName(c)+".1"), []byte(manPage(c)), 0o666)
	for _, sub := range c.Commands() {
		if err == nil && sub.IsAvailableCommand() {
			err = writeManPages(sub, dir)
		}
	}
	return err
}

func manName(c *cobra.Command) string { return strings.ReplaceAll(c.CommandPath(), " ", "-") }

// manPage returns what --help says about c, in the sections of a man page.
func manPage(c *cobra.Command) string {
	c.InitDefaultHelpFlag()
	c.InitDefaultVersionFlag()
	about, status, _ := strings.Cut(cmp.Or(c.Long, c.Short), "Exit status:\n")
	version, date := origin()

	p := new(roff)
	p.macro("TH", strings.ToUpper(manName(c)), "1", date, "psync "+version, "User Commands")
	p.macro("nh") // whoever searches for a flag is to find it in one piece
	p.macro("SH", "NAME")
	p.prose(manName(c) + " - " + c.Short)
	p.macro("SH", "SYNOPSIS")
	p.WriteString(synopsis(c))
	p.macro("SH", "DESCRIPTION")
	p.prose(strings.TrimSpace(about))
	if len(c.Aliases) > 0 {
		p.macro("PP")
		p.prose("Other names of this verb: " + strings.Join(c.Aliases, ", ") + ".")
	}
	p.macro("SH", "OPTIONS")
	for line := range strings.Lines(c.LocalFlags().FlagUsages()) {
		flag, usage, _ := strings.Cut(strings.TrimSpace(line), "   ")
		p.item(flagTag(flag), strings.TrimSpace(usage))
	}
	if c.HasAvailableSubCommands() {
		p.macro("SH", "COMMANDS")
		for _, sub := range c.Commands() {
			if sub.IsAvailableCommand() {
				p.item(bold(manName(sub))+"(1)", sub.Short)
			}
		}
	}
	if status != "" {
		p.macro("SH", "EXIT STATUS")
		for line := range strings.Lines(status) {
			code, meaning, _ := strings.Cut(strings.TrimSpace(line), "  ")
			p.item(bold(code), meaning)
		}
	}
	if c.Example != "" {
		p.macro("SH", "EXAMPLES")
		p.prose(c.Example)
	}
	if c.HasParent() {
		p.macro("SH", "SEE ALSO")
		p.WriteString(bold(manName(c.Parent())) + "(1)\n")
	}
	return p.String()
}

func synopsis(c *cobra.Command) string {
	var lines []string
	name := c.CommandPath()
	if c.Runnable() {
		lines = append(lines, bold(name)+plain(strings.TrimPrefix(c.UseLine(), name))+"\n")
	}
	if c.HasAvailableSubCommands() {
		lines = append(lines, bold(name)+" [command]\n")
	}
	return strings.Join(lines, ".br\n")
}

// flagTag marks up what --help shows of a flag, as in "-j, --threads N": bold is typed
// as it stands, italic stands for something else.
func flagTag(flag string) string {
	words := strings.Split(flag, " ")
	for i, word := range words {
		if name, comma := strings.CutSuffix(word, ","); comma {
			words[i] = bold(name) + ","
		} else if strings.HasPrefix(word, "-") {
			words[i] = bold(word)
		} else {
			words[i] = italic(word)
		}
	}
	return strings.Join(words, " ")
}

// origin returns the version of psync and, if it is known, the day of its source:
// a page is the same whenever it is made.
func origin() (version, date string) {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return "", ""
	}
	for _, s := range info.Settings {
		if s.Key == "vcs.time" {
			date, _, _ = strings.Cut(s.Value, "T")
		}
	}
	return info.Main.Version, date
}
