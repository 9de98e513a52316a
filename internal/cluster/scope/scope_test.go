package scope

import (
	"slices"
	"strings"
	"testing"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"psync/internal/cli/flags"
)

// TestEveryFlagHasAClass finds flags of the verbs that hosts can share, and of which no one has decided whether they must
// be the same on all hosts; and entries for flags that do not exist.
func TestEveryFlagHasAClass(t *testing.T) {
	exists := make(map[string]bool)
	for _, verb := range []flags.Verbs{flags.Bare, flags.Copy, flags.Sync} {
		c := new(cobra.Command)
		flags.Define(c, verb)
		c.Flags().VisitAll(func(f *pflag.Flag) {
			exists[f.Name] = true
			if ClassOf(f.Name) == Unknown {
				t.Errorf("--%s is neither shared, nor local, nor refused", f.Name)
			}
		})
	}
	table := slices.Concat(strings.Fields(shared), strings.Fields(local))
	for name := range refused {
		table = append(table, name)
	}
	slices.Sort(table)
	for i, name := range table {
		if !exists[name] {
			t.Errorf("there is no flag --%s", name)
		}
		if i > 0 && table[i-1] == name {
			t.Errorf("--%s has two classes", name)
		}
	}
}

func TestWhatHostsCannotShare(t *testing.T) {
	const ago = "each host would count back from when it began; give a date"
	for _, tt := range []struct {
		verb, line string // flags, and then operands
		want       string // the beginning of the error; "": there is none
	}{
		{"sync", "--archive --delete --threads=64 --exclude=*.o /a /b", ""},
		{"copy", "/a /b", ""},
		{"", "--sync /a /b", ""},
		{"compare", "/a /b", "psync compare cannot be used with --queue: it changes nothing"},
		{"cp", "/a /b", "psync cp cannot be used with --queue: it goes on as one process would"},
		{"rsync", "/a /b", "psync rsync cannot"},
		{"delete", "/a", "psync delete cannot"},
		{"sync", "--copy-links /a /b", "--copy-links cannot be used with --queue: a directory that links lead to has several paths"},
		{"sync", "--copy-links=false /a /b", ""},
		{"sync", "--hard-links /a /b", ""},
		{"sync", "--archive-all /a /b", ""},
		{"sync", "--delete --inplace --mhl /a /b", "--inplace cannot"},
		{"sync", "--max-delete=5 /a /b", ""},
		{"sync", "--max-transfer=5 /a /b", "--max-transfer cannot be used with --queue: each host would count for itself"},
		{"sync", "--dry-run /a /b", "--dry-run cannot be used with --queue: only a run that changes something"},
		{"sync", "--threads=auto /a /b", "--threads=auto cannot be used with --queue: several hosts"},
		{"sync", "--max-age=2d /a /b", "--max-age=2d cannot be used with --queue: " + ago},
		{"sync", "--max-age=12345678901 /a /b", "--max-age=12345678901 cannot be used with --queue: " + ago},
		{"sync", "--min-age=2030-12-31 /a /b", ""},
		{"sync", "--chown=0:0 --usermap=*:5,7-9:1 /a /b", ""},
		{"sync", "--chown=root:0 /a /b", "--chown=root:0 cannot be used with --queue: a name may stand for another number"},
		{"sync", "--future /a /b", "--future cannot be used with --queue: it is not known"},
		{"sync", "/a host:/b", "host:/b cannot be used with --queue: it is on another host"},
		{"sync", "sftp://host/a /b", "sftp://host/a cannot"},
	} {
		c := Command{Verb: tt.verb}
		for word := range strings.FieldsSeq(tt.line) {
			if strings.HasPrefix(word, "--") {
				c.Flags = append(c.Flags, word)
			} else {
				c.Operands = append(c.Operands, word)
			}
		}
		got := ""
		if err := c.Check(); err != nil {
			got = err.Error()
		}
		if !strings.HasPrefix(got, tt.want) || tt.want == "" && got != "" {
			t.Errorf("%s %s: %q, want %q", tt.verb, tt.line, got, tt.want)
		}
	}
	if err := (Command{Files: []string{"list", "-"}}).Check(); err == nil || !strings.HasPrefix(err.Error(), "standard input") {
		t.Errorf("standard input: %v", err)
	}
	if err := (Command{ReadsAbove: true}).Check(); err == nil || !strings.HasPrefix(err.Error(), "-F, or") {
		t.Errorf("files above SRC: %v", err)
	}
}

func TestSharedFlags(t *testing.T) {
	c := Command{Flags: []string{"--verbose", "--delete", "--threads=5", "--no-perms", "--journal=x", "--bwlimit=5M"}}
	if got, want := strings.Join(c.SharedFlags(), " "), "--delete --no-perms --bwlimit=5M"; got != want {
		t.Errorf("%s, want %s", got, want)
	}
}

// TestTypedFlags wants the flags of a command line as a [Command] has them, with those of speed and of other hosts.
func TestTypedFlags(t *testing.T) {
	line := []string{"sync", "-avj8", "--del", "--no-p", "--exclude", "*.o", "--bwlimit=5M", "--no-inc-recursive", "-e", "ssh", "/a", "/b"}
	got := strings.Join(flags.Define(new(cobra.Command), flags.Sync).Typed(line), " ")
	const want = "--archive --verbose --threads=8 --delete --no-perms --exclude=*.o --bwlimit=5M --rsh=ssh"
	if got != want {
		t.Errorf("%s, want %s", got, want)
	}
}
