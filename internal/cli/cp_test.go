package cli

import (
	"strings"
	"testing"
)

func TestAsCp(t *testing.T) {
	for _, c := range []struct {
		argv string
		as   string // PSYNC_ARGV0
		name string // the name of cp; empty: psync runs
		args string
	}{
		{"psync cp a b", "", "psync cp", "a b"},
		{"/usr/bin/psync cp -r a b", "", "psync cp", "-r a b"},
		{"psync cp a b", "cp", "cp", "a b"},
		{"cp a b", "", "cp", "a b"},
		{"/opt/bin/cp sync a", "", "/opt/bin/cp", "sync a"},
		{"cp", "", "cp", ""},
		{"cp a b", "gcp", "gcp", "a b"},
		{"psync copy a b", "cp", "", ""},
		{"psync a cp", "cp", "", ""},
		{"psync", "", "", ""},
		{"", "", "", ""},
	} {
		name, args, ok := asCp(strings.Fields(c.argv), func(string) string { return c.as })
		if name != c.name || ok != (c.name != "") || strings.Join(args, " ") != c.args {
			t.Errorf("%q, with %q: %q, %q, %v", c.argv, c.as, name, args, ok)
		}
	}
}
