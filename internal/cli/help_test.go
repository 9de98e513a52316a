package cli

import (
	"bytes"
	"strings"
	"testing"
)

// helpOf returns what psync prints for --help after other arguments.
func helpOf(t *testing.T, args ...string) string {
	var out bytes.Buffer
	args = append(args, "--help")
	if code := Main(t.Context(), args, Process{Stdout: &out, Stderr: &out}); code != ExitOK {
		t.Errorf("%q: exit code %d", args, code)
	}
	return out.String()
}

func TestHelpFitsTheScreen(t *testing.T) {
	const lines = 40
	if got := strings.Count(helpOf(t), "\n"); got > lines {
		t.Errorf("psync --help has %d lines, want at most %d", got, lines)
	}
	pages := [][]string{{"-v"}}
	for _, c := range verbs(new(app).rootCommand()) {
		pages = append(pages, strings.Fields(c.CommandPath())[1:])
	}
	const columns = 80
	for _, args := range pages {
		for line := range strings.Lines(helpOf(t, args...)) {
			if line = strings.TrimSuffix(line, "\n"); len(line) > columns {
				t.Errorf("psync %s --help has a line of %d columns: %s", args, len(line), line)
			}
		}
	}
}

// TestHelpIsInOrder looks at what help of a verb begins and ends with.
func TestHelpIsInOrder(t *testing.T) {
	help := helpOf(t, "sync")
	at := -1
	for _, heading := range []string{
		"\nUsage:\n", "\nExamples:\n", "\nWhat takes part:\n", "\nWhat differs:\n", "\nWhat is kept:\n", "\nWhat is removed:\n",
		"\nHow files get to their places:\n", "\nHow fast:\n", "\nWhat is shown:\n", "\nOther hosts:\n", "\nExit status:\n",
	} {
		i := strings.Index(help, heading)
		if i <= at {
			t.Errorf("%q stands at %d, after %d", heading, i, at)
		}
		at = i
	}
}

// TestHelpOfPsyncHasAllFlags compares the help of psync without a verb with its flags.
func TestHelpOfPsyncHasAllFlags(t *testing.T) {
	help := helpOf(t, "-v")
	for _, want := range []string{"--create", "--sync", "--link-dest DIR", "--version", "\nWhat is kept:\n", "\nVerbs:\n", "\nExit status:\n"} {
		if !strings.Contains(help, want) {
			t.Errorf("the help lacks %q", want)
		}
	}
}
