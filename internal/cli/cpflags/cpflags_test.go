package cpflags

import (
	"slices"
	"strings"
	"testing"

	"psync/internal/content"
	"psync/internal/gnucp"
)

// TestOptions: what options mean, alone and after each other.
func TestOptions(t *testing.T) {
	preserves := gnucp.Preserve{Mode: true, Ownership: true, Timestamps: true, Required: true}
	for _, c := range []struct {
		line string
		want func(*gnucp.Options)
	}{
		{"", func(o *gnucp.Options) { o.Follow = gnucp.FollowAll }},
		{"-r", func(o *gnucp.Options) { o.Recursive = true }},
		{"-rl", func(o *gnucp.Options) { o.Recursive, o.HardLink, o.Follow = true, true, gnucp.FollowAll }},
		{"-rH", func(o *gnucp.Options) { o.Recursive, o.Follow = true, gnucp.FollowOperands }},
		{"-RLP", func(o *gnucp.Options) { o.Recursive = true }},
		{"-d", func(o *gnucp.Options) { o.Preserve.Links = true }},
		{"-Pp", func(o *gnucp.Options) { o.Preserve = preserves }},
		{"-P --preserve", func(o *gnucp.Options) { o.Preserve = preserves }},
		{"-P --preserve=mode,links", func(o *gnucp.Options) { o.Preserve = gnucp.Preserve{Mode: true, Links: true, Required: true} }},
		{"-Pp --no-preserve=mode,own", func(o *gnucp.Options) {
			o.Preserve = gnucp.Preserve{Timestamps: true, Required: true, NoMode: true}
		}},
		{"-a", func(o *gnucp.Options) {
			o.Recursive, o.Preserve = true, preserves
			o.Preserve.Links, o.Preserve.Xattr, o.Preserve.Quiet = true, true, true
		}},
		{"-Pi", func(o *gnucp.Options) { o.Interactive = true }},
		{"-Pin", func(o *gnucp.Options) { o.Update = gnucp.UpdateNone }},
		{"-Pni", func(o *gnucp.Options) { o.Interactive = true }},
		{"-Pu", func(o *gnucp.Options) { o.Update = gnucp.UpdateOlder }},
		{"-P --update=none-fail", func(o *gnucp.Options) { o.Update = gnucp.UpdateNoneFail }},
		{"-P --sparse=never", func(o *gnucp.Options) { o.Sparse, o.Reflink = gnucp.SparseNever, content.ReflinkNever }},
		{"-P --reflink", func(o *gnucp.Options) { o.Reflink = content.ReflinkAlways }},
		{"-Pb", func(o *gnucp.Options) { o.Backup = gnucp.ExistingBackups }},
		{"-P --backup=t", func(o *gnucp.Options) { o.Backup = gnucp.NumberedBackups }},
		{"-P --backup=off", func(*gnucp.Options) {}},
		{"-P -S .old", func(o *gnucp.Options) { o.Backup, o.Suffix = gnucp.ExistingBackups, ".old" }},
		{"-P -S a/b", func(o *gnucp.Options) { o.Backup = gnucp.ExistingBackups }},
		{"-P -t dir", func(o *gnucp.Options) { o.TargetDirectory, o.HasTarget = "dir", true }},
		{"-P -j 7", func(o *gnucp.Options) { o.Threads = 7 }},
	} {
		l, err := Parse(strings.Fields(c.line+" a b"), Environment{Getenv: func(string) string { return "" }, MaxThreads: 8})
		if err != nil {
			t.Errorf("%s: %v", c.line, err)
			continue
		}
		want := gnucp.Options{Suffix: "~"}
		c.want(&want)
		l.ThroughDangling, l.Preserve.Context = false, false // of the environment
		if l.Options != want || !slices.Equal(l.Operands, []string{"a", "b"}) {
			t.Errorf("%s:\n got %+v\nwant %+v", c.line, l.Options, want)
		}
	}
}

func TestBackupsByTheEnvironment(t *testing.T) {
	for _, c := range []struct {
		line, control, suffix string
		kind                  gnucp.Backup
		want                  string // suffix; empty: an error
	}{
		{"-b", "numbered", "", gnucp.NumberedBackups, "~"},
		{"-b", "never", ".bak", gnucp.SimpleBackups, ".bak"},
		{"--backup=nil", "numbered", ".bak", gnucp.ExistingBackups, ".bak"},
		{"-b -S .s", "", ".bak", gnucp.ExistingBackups, ".s"},
		{"-v", "wrong", "", gnucp.NoBackups, "~"},
		{"-b", "wrong", "", 0, ""},
	} {
		getenv := func(name string) string {
			return map[string]string{"VERSION_CONTROL": c.control, "SIMPLE_BACKUP_SUFFIX": c.suffix}[name]
		}
		l, err := Parse(strings.Fields(c.line+" a b"), Environment{Getenv: getenv})
		if (err != nil) != (c.want == "") || err == nil && (l.Backup != c.kind || l.Suffix != c.want) {
			t.Errorf("%s, %q, %q: %v, %d, %q", c.line, c.control, c.suffix, err, l.Backup, l.Suffix)
		}
	}
}

// TestHelpHasAllOptions compares the table of options with the text of --help.
func TestHelpHasAllOptions(t *testing.T) {
	text := strings.NewReplacer(",", " ", "=", " ", "[", " ").Replace(Help("cp"))
	listed := strings.Fields(text)
	for _, o := range options {
		if o.long != "" && o.long != "path" && !slices.Contains(listed, "--"+o.long) {
			t.Errorf("--%s is not in the help", o.long)
		}
		if o.short != 0 && !slices.Contains(listed, "-"+string(o.short)) {
			t.Errorf("-%c is not in the help", o.short)
		}
	}
	for _, word := range listed {
		if name, long := strings.CutPrefix(word, "--"); long && !slices.ContainsFunc(options, func(o option) bool { return o.long == name }) {
			t.Errorf("--%s is in the help only", name)
		}
	}
}
