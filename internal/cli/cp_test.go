package cli

import (
	"slices"
	"strings"
	"testing"

	"psync/internal/content"
	"psync/internal/cp"
)

func TestAsCp(t *testing.T) {
	for _, c := range []struct {
		argv string
		as   string // PSYNC_ARGV0
		name string // of cp; empty: it is psync
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

// TestCpOptionsInWords: what options mean, alone and after each other.
func TestCpOptionsInWords(t *testing.T) {
	preserves := cp.Preserve{Mode: true, Ownership: true, Timestamps: true, Required: true}
	for _, c := range []struct {
		line string
		want func(*cp.Options)
	}{
		{"", func(o *cp.Options) { o.Follow = cp.FollowAll }},
		{"-r", func(o *cp.Options) { o.Recursive = true }},
		{"-rl", func(o *cp.Options) { o.Recursive, o.HardLink, o.Follow = true, true, cp.FollowAll }},
		{"-rH", func(o *cp.Options) { o.Recursive, o.Follow = true, cp.FollowOperands }},
		{"-RLP", func(o *cp.Options) { o.Recursive = true }},
		{"-d", func(o *cp.Options) { o.Preserve.Links = true }},
		{"-Pp", func(o *cp.Options) { o.Preserve = preserves }},
		{"-P --preserve", func(o *cp.Options) { o.Preserve = preserves }},
		{"-P --preserve=mode,links", func(o *cp.Options) { o.Preserve = cp.Preserve{Mode: true, Links: true, Required: true} }},
		{"-Pp --no-preserve=mode,own", func(o *cp.Options) {
			o.Preserve = cp.Preserve{Timestamps: true, Required: true, NoMode: true}
		}},
		{"-a", func(o *cp.Options) {
			o.Recursive, o.Preserve = true, preserves
			o.Preserve.Links, o.Preserve.Xattr, o.Preserve.Quiet = true, true, true
		}},
		{"-Pi", func(o *cp.Options) { o.Interactive = true }},
		{"-Pin", func(o *cp.Options) { o.Update = cp.UpdateNone }},
		{"-Pni", func(o *cp.Options) { o.Interactive = true }},
		{"-Pu", func(o *cp.Options) { o.Update = cp.UpdateOlder }},
		{"-P --update=none-fail", func(o *cp.Options) { o.Update = cp.UpdateNoneFail }},
		{"-P --sparse=never", func(o *cp.Options) { o.Sparse, o.Reflink = cp.SparseNever, content.ReflinkNever }},
		{"-P --reflink", func(o *cp.Options) { o.Reflink = content.ReflinkAlways }},
		{"-Pb", func(o *cp.Options) { o.Backup = cp.ExistingBackups }},
		{"-P --backup=t", func(o *cp.Options) { o.Backup = cp.NumberedBackups }},
		{"-P --backup=off", func(*cp.Options) {}},
		{"-P -S .old", func(o *cp.Options) { o.Backup, o.Suffix = cp.ExistingBackups, ".old" }},
		{"-P -S a/b", func(o *cp.Options) { o.Backup = cp.ExistingBackups }},
		{"-P -t dir", func(o *cp.Options) { o.TargetDirectory, o.HasTarget = "dir", true }},
		{"-P -j 7", func(o *cp.Options) { o.Threads = 7 }},
	} {
		l := cpLine{getenv: func(string) string { return "" }}
		if err := l.parse(strings.Fields(c.line + " a b")); err != nil {
			t.Errorf("%s: %v", c.line, err)
			continue
		}
		want := cp.Options{Suffix: "~"}
		c.want(&want)
		l.ThroughDangling, l.Preserve.Context = false, false // of the environment
		if l.Options != want || !slices.Equal(l.operands, []string{"a", "b"}) {
			t.Errorf("%s:\n got %+v\nwant %+v", c.line, l.Options, want)
		}
	}
}

func TestBackupsByTheEnvironment(t *testing.T) {
	for _, c := range []struct {
		line, control, suffix string
		kind                  cp.Backup
		want                  string // suffix; empty: an error
	}{
		{"-b", "numbered", "", cp.NumberedBackups, "~"},
		{"-b", "never", ".bak", cp.SimpleBackups, ".bak"},
		{"--backup=nil", "numbered", ".bak", cp.ExistingBackups, ".bak"},
		{"-b -S .s", "", ".bak", cp.ExistingBackups, ".s"},
		{"-v", "wrong", "", cp.NoBackups, "~"},
		{"-b", "wrong", "", 0, ""},
	} {
		l := cpLine{getenv: func(name string) string {
			return map[string]string{"VERSION_CONTROL": c.control, "SIMPLE_BACKUP_SUFFIX": c.suffix}[name]
		}}
		err := l.parse(strings.Fields(c.line + " a b"))
		if (err != nil) != (c.want == "") || err == nil && (l.Backup != c.kind || l.Suffix != c.want) {
			t.Errorf("%s, %q, %q: %v, %d, %q", c.line, c.control, c.suffix, err, l.Backup, l.Suffix)
		}
	}
}
