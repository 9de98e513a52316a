package cli

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"psync/internal/cli/flaggroup"
	"psync/internal/cli/manpage"
	"psync/internal/cli/manual"
)

// verbs returns c and all commands below c that have a page.
func verbs(c *cobra.Command) []*cobra.Command {
	all := []*cobra.Command{c}
	for _, sub := range c.Commands() {
		if manpage.HasPage(sub) {
			all = append(all, verbs(sub)...)
		}
	}
	return all
}

// unescape turns roff text into plain text.
var unescape = strings.NewReplacer(`\e`, `\`, `\-`, "-", `\(aq`, "'", `\(ga`, "`", `\(ha`, "^", `\(ti`, "~", `\(dq`, `"`, `\&`, "", `\fB`, "", `\fI`, "", `\fR`, "")

func TestManPagesAreComplete(t *testing.T) {
	root := new(app).rootCommand()
	dir := t.TempDir()
	if err := pages().WriteAll(root, dir); err != nil {
		t.Fatal(err)
	}
	all := verbs(root)
	main := words(unescape.Replace(pages().Page(root)))
	for _, c := range all {
		text, err := os.ReadFile(filepath.Join(dir, strings.ReplaceAll(c.CommandPath(), " ", "-")+".1"))
		if err != nil {
			t.Error(err)
			continue
		}
		page := words(unescape.Replace(string(text)))
		for _, want := range helpLines(c) {
			if !strings.Contains(page, words(want)) && !strings.Contains(main, words(want)) {
				t.Errorf("the page of %s lacks %q", c.CommandPath(), want)
			}
		}
		c.LocalFlags().VisitAll(func(f *pflag.Flag) {
			if f.Hidden || c.DisableFlagParsing {
				return
			}
			spelling, usage := flaggroup.Spelling(f)
			explained := words(".TP " + spelling + " " + usage)
			if !strings.Contains(page, "--"+f.Name) || !strings.Contains(page, explained) && !strings.Contains(main, explained) {
				t.Errorf("neither the page of %s nor that of psync explains --%s", c.CommandPath(), f.Name)
			}
		})
	}
	if pages, _ := filepath.Glob(filepath.Join(dir, "*.1")); len(pages) != len(all) {
		t.Errorf("%d pages for %d verbs", len(pages), len(all))
	}
	for _, topic := range []string{"psync-filters", "psync-hosts", "psync-metadata", "psync-migration", "psync-cluster"} {
		if _, err := os.Stat(filepath.Join(dir, topic+".7")); err != nil {
			t.Error(err)
		}
		if !strings.Contains(main, topic) {
			t.Errorf("the page of psync does not name %s", topic)
		}
	}
}

// TestManPagesAreValid has the formatters of this machine look at the pages.
func TestManPagesAreValid(t *testing.T) {
	dir := t.TempDir()
	if err := pages().WriteAll(new(app).rootCommand(), dir); err != nil {
		t.Fatal(err)
	}
	pages, _ := filepath.Glob(filepath.Join(dir, "*"))
	for _, tool := range []string{"mandoc -T lint -W style", "groff -man -ww -z -Tutf8"} {
		t.Run(tool, func(t *testing.T) {
			args := strings.Fields(tool)
			if _, err := exec.LookPath(args[0]); err != nil {
				t.Skip(err)
			}
			for _, page := range pages {
				text, err := os.ReadFile(page)
				if err != nil {
					t.Fatal(err)
				}
				check := exec.Command(args[0], args[1:]...)
				// A test has no version, by which the day of the source is known.
				check.Stdin = strings.NewReader(strings.Replace(string(text), ` "" "psync`, ` "2000-01-01" "psync`, 1))
				if out, err := check.CombinedOutput(); err != nil || len(out) > 0 {
					t.Errorf("%s: %v\n%s", filepath.Base(page), err, out)
				}
			}
		})
	}
}

// words returns a text with a blank between words.
func words(text string) string { return strings.Join(strings.Fields(text), " ") }

// helpLines returns the lines of c's help, or the words if c lists flags by itself.
func helpLines(c *cobra.Command) []string {
	if c.DisableFlagParsing {
		text := strings.NewReplacer("Usage:", "", " or: ", "", "=", " ", "[", " ", ":", " ", ",", " ").Replace(c.Long)
		return strings.Fields(text)
	}
	lines := []string{c.Short, "--help"}
	if c.Version != "" {
		lines = append(lines, "--version")
	}
	if c.Aliases != nil {
		lines = append(lines, "Other names of this verb: "+strings.Join(c.Aliases, ", "))
	}
	for line := range strings.SplitSeq(c.Long+"\n"+c.Example, "\n") {
		line = strings.TrimSpace(strings.Trim(line, "#"))
		code, meaning, isExitCode := strings.Cut(line, "  ")
		switch {
		case line == "Exit status:":
			lines = append(lines, "EXIT STATUS")
		case isExitCode && strings.Trim(code, "0123456789") == "":
			lines = append(lines, code, meaning)
		default:
			lines = append(lines, line)
		}
	}
	for _, sub := range verbs(c)[1:] {
		if sub.Parent() == c && sub.IsAvailableCommand() {
			lines = append(lines, strings.ReplaceAll(sub.CommandPath(), " ", "-"), sub.Short)
		}
	}
	return lines
}

// TestManPageHasDetailsOfFlags looks for what psync.md says of flags, which must be flags of psync.
func TestManPageHasDetailsOfFlags(t *testing.T) {
	text, err := manual.Texts.ReadFile("psync.md")
	if err != nil {
		t.Fatal(err)
	}
	page := words(unescape.Replace(pages().Page(new(app).rootCommand())))
	details := regexp.MustCompile("(?m)^\\| `--[a-z-]+` \\| (.*) \\|$").FindAllStringSubmatch(string(text), -1)
	if len(details) == 0 {
		t.Error("there are none")
	}
	for _, detail := range details {
		if !strings.Contains(page, ".IP "+words(strings.ReplaceAll(detail[1], "`", ""))) {
			t.Errorf("the page of psync lacks %s", detail[0])
		}
	}
}

// TestManPagesReferToPages looks for references to pages of psync that there are not.
func TestManPagesReferToPages(t *testing.T) {
	dir := t.TempDir()
	if err := pages().WriteAll(new(app).rootCommand(), dir); err != nil {
		t.Fatal(err)
	}
	pages, _ := filepath.Glob(filepath.Join(dir, "*"))
	for _, page := range pages {
		text, err := os.ReadFile(page)
		if err != nil {
			t.Fatal(err)
		}
		for _, ref := range regexp.MustCompile(`\b(psync[a-z-]*)\(([17])\)`).FindAllStringSubmatch(unescape.Replace(string(text)), -1) {
			if _, err := os.Stat(filepath.Join(dir, ref[1]+"."+ref[2])); err != nil {
				t.Errorf("%s refers to %s", filepath.Base(page), ref[0])
			}
		}
	}
}
