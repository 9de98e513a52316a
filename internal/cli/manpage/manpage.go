// Package manpage writes man pages of commands: the contents of their --help, with the macros of man(7).
package manpage

import (
	"cmp"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"runtime/debug"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"psync/internal/cli/flaggroup"
)

// WriteAll writes into dir, which it makes if need be, the pages of c and of the commands below it, and those of the other topics of the manual.
func (m Manual) WriteAll(c *cobra.Command, dir string) error {
	if err := os.Mkdir(dir, 0o777); err != nil && !errors.Is(err, fs.ErrExist) {
		return err
	}
	err := m.writeCommands(c, dir)
	for _, name := range m.topics() {
		if err == nil {
			err = os.WriteFile(filepath.Join(dir, name+".7"), []byte(topic(m.text(name))), 0o666)
		}
	}
	return err
}

// writeCommands writes the pages of commands.
func (m Manual) writeCommands(c *cobra.Command, dir string) error {
	err := os.WriteFile(filepath.Join(dir, pageName(c)+".1"), []byte(m.Page(c)), 0o666)
	for _, sub := range c.Commands() {
		if err == nil && HasPage(sub) {
			err = m.writeCommands(sub, dir)
		}
	}
	return err
}

// HasPage reports whether a command has a page: those that --help lists, and others that have a description, but for help.
func HasPage(c *cobra.Command) bool {
	return (c.IsAvailableCommand() || c.Hidden && c.Long != "") && c.Name() != "help"
}

func pageName(c *cobra.Command) string { return strings.ReplaceAll(c.CommandPath(), " ", "-") }

// unhyphenated switches hyphenation off, also for the macros of groff that switch it on again, so that a search finds words in
// one piece.
const unhyphenated = ".nh\n.nr HY 0\n"

// Page returns the contents of c's --help, in the sections of a man page, and what the manual adds to it. The page of a verb
// refers to that of psync for what is said there in the same words.
func (m Manual) Page(c *cobra.Command) string {
	c.InitDefaultHelpFlag()
	c.InitDefaultVersionFlag()
	about, status, _ := strings.Cut(cmp.Or(c.Long, c.Short), "Exit status:\n")
	version, date := origin()

	p := new(roff)
	p.macro("TH", strings.ToUpper(pageName(c)), "1", date, "psync "+version, "User Commands")
	p.WriteString(unhyphenated)
	p.macro("SH", "NAME")
	p.prose(pageName(c) + " - " + c.Short)
	p.macro("SH", "SYNOPSIS")
	text := m.text(pageName(c))
	if isTopic(text) { // another page
		text = ""
	}
	before, details, after := splitText(text)
	if c.DisableFlagParsing {
		p.usage(about)
	} else {
		p.WriteString(synopsis(c))
		p.description(c, about)
		p.markdown(before)
		p.options(c, m.Headings, details)
	}
	p.exitStatus(status)
	p.markdown(after)
	p.macro("SH", "SEE ALSO")
	var pages []string
	if c.HasParent() {
		pages = append(pages, bold(pageName(c.Parent()))+"(1)")
	}
	for _, name := range m.topics() {
		pages = append(pages, bold(name)+"(7)")
	}
	p.WriteString(strings.Join(pages, ",\n") + "\n")
	return p.String()
}

// description writes what c does, its commands, and examples.
func (r *roff) description(c *cobra.Command, about string) {
	r.macro("SH", "DESCRIPTION")
	r.prose(ownParagraphs(about, c))
	if len(c.Aliases) > 0 {
		r.macro("PP")
		r.prose("Other names of this verb: " + strings.Join(c.Aliases, ", ") + ".")
	}
	if c.HasAvailableSubCommands() {
		r.macro("SH", "COMMANDS")
		for _, sub := range c.Commands() {
			if sub.IsAvailableCommand() {
				r.item(bold(pageName(sub))+"(1)", sub.Short)
			}
		}
	}
	if c.Example != "" {
		r.macro("SH", "EXAMPLES")
		r.prose(c.Example)
	}
}

// exitStatus writes the exit codes of a command, each on a line with its meaning, which may go on below.
func (r *roff) exitStatus(text string) {
	if text != "" {
		r.macro("SH", "EXIT STATUS")
	}
	for line := range strings.Lines(text) {
		if code, meaning, ok := strings.Cut(strings.TrimSpace(line), "  "); ok {
			r.item(bold(code), meaning)
		} else {
			r.fill(plain(code))
		}
	}
}

// topic returns a page of section 7 about what concerns several commands. Its first line is "# NAME - SUMMARY"; see
// markdown for the rest.
func topic(text string) string {
	title, body, _ := strings.Cut(text, "\n")
	title = strings.TrimPrefix(title, "# ")
	name, _, _ := strings.Cut(title, " ")
	version, date := origin()
	p := new(roff)
	p.macro("TH", strings.ToUpper(name), "7", date, "psync "+version, "Miscellaneous Information")
	p.WriteString(unhyphenated)
	p.macro("SH", "NAME")
	p.prose(title)
	p.markdown(strings.TrimSpace(body))
	p.macro("SH", "SEE ALSO")
	p.WriteString(bold("psync") + "(1)\n")
	return p.String()
}

// ownParagraphs returns the paragraphs of a description of c that are not among those of psync's.
func ownParagraphs(about string, c *cobra.Command) string {
	paragraphs := strings.Split(strings.TrimSpace(about), "\n\n")
	return strings.Join(slices.DeleteFunc(paragraphs, func(text string) bool {
		return c.HasParent() && strings.Contains(c.Root().Long, text)
	}), "\n\n")
}

// options writes the flags of c: those that psync has, too, with the same help, by name only, unless they are few.
func (r *roff) options(c *cobra.Command, headings []string, details map[string]string) {
	own, common := newFlagSet(), newFlagSet()
	n := 0
	if c.HasParent() {
		c.Root().Flags().VisitAll(func(f *pflag.Flag) {
			if g := c.LocalFlags().Lookup(f.Name); g != nil && !f.Hidden && !g.Hidden && isSame(f, g) {
				common.AddFlag(f)
				n++
			}
		})
		if n < 3 {
			common, headings = newFlagSet(), nil
		}
	}
	c.LocalFlags().VisitAll(func(f *pflag.Flag) {
		if common.Lookup(f.Name) == nil {
			own.AddFlag(f)
		}
	})
	r.macro("SH", "OPTIONS")
	r.flags(own, headings, details)
	if common.HasFlags() {
		r.macro("SH", "COMMON OPTIONS")
		r.fill(bold("psync") + "(1) explains these, under the same headings, and what else verbs have in common, such as operands on other hosts.")
		r.names(common, headings)
	}
}

func newFlagSet() *pflag.FlagSet {
	fs := pflag.NewFlagSet("", pflag.ContinueOnError)
	fs.SortFlags = false
	return fs
}

// isSame reports whether two flags are typed in the same way, and have the same help.
func isSame(f, g *pflag.Flag) bool {
	spelling, usage := flaggroup.Spelling(f)
	otherSpelling, otherUsage := flaggroup.Spelling(g)
	return spelling == otherSpelling && usage == otherUsage
}

// flags writes the flags of a set, each group under its heading, with details by their names.
func (r *roff) flags(fs *pflag.FlagSet, headings []string, details map[string]string) {
	for _, g := range flaggroup.Of(fs, headings) {
		if g.Heading != "" {
			r.macro("SS", g.Heading)
		}
		for _, f := range g.Flags {
			spelling, usage := flaggroup.Spelling(f)
			r.item(flagTag(spelling), usage)
			if text := details["--"+f.Name]; text != "" {
				r.macro("IP")
				r.fill(inline(text))
			}
		}
	}
}

// names writes the names of flags, each group after its heading.
func (r *roff) names(fs *pflag.FlagSet, headings []string) {
	for _, g := range flaggroup.Of(fs, headings) {
		var names []string
		for _, f := range g.Flags {
			name := bold("--" + f.Name)
			if f.Shorthand != "" {
				name += " (" + bold("-"+f.Shorthand) + ")"
			}
			names = append(names, name)
		}
		r.macro("TP")
		r.WriteString(plain(g.Heading) + "\n")
		r.fill(strings.Join(names, ", "))
	}
}

// topics lists the pages of section 7.
func (m Manual) topics() []string {
	var names []string
	texts, _ := fs.Glob(m, "*.md") // the pattern is well-formed
	for _, file := range texts {
		if name := strings.TrimSuffix(file, ".md"); isTopic(m.text(name)) {
			names = append(names, name)
		}
	}
	return names
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

// flagTag marks up a flag as --help shows it, as in "-j, --threads N". What is typed literally is bold, and what a
// value is put for is italic.
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

// origin returns the version of psync and the day of its source, if the day is known. The day of the build
// would make each build's pages different.
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
