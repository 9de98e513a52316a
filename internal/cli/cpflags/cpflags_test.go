package cpflags

import (
	"slices"
	"strings"
	"testing"

	"psync/internal/content"
	"psync/internal/gnucp/policy"
)

// TestOptions checks what options mean, alone and in sequence.
func TestOptions(t *testing.T) {
	preserves := policy.Preserve{Mode: true, Ownership: true, Timestamps: true, Required: true}
	for _, c := range []struct {
		line string
		want func(*policy.Options)
	}{
		{"", func(o *policy.Options) { o.Follow = policy.FollowAll }},
		{"-r", func(o *policy.Options) { o.Recursive = true }},
		{"-rl", func(o *policy.Options) { o.Recursive, o.HardLink, o.Follow = true, true, policy.FollowAll }},
		{"-rH", func(o *policy.Options) { o.Recursive, o.Follow = true, policy.FollowOperands }},
		{"-RLP", func(o *policy.Options) { o.Recursive = true }},
		{"-d", func(o *policy.Options) { o.Preserve.Links = true }},
		{"-Pp", func(o *policy.Options) { o.Preserve = preserves }},
		{"-P --preserve", func(o *policy.Options) { o.Preserve = preserves }},
		{"-P --preserve=mode,links", func(o *policy.Options) { o.Preserve = policy.Preserve{Mode: true, Links: true, Required: true} }},
		{"-Pp --no-preserve=mode,own", func(o *policy.Options) {
			o.Preserve = policy.Preserve{Timestamps: true, Required: true, NoMode: true}
		}},
		{"-a", func(o *policy.Options) {
			o.Recursive, o.Preserve = true, preserves
			o.Preserve.Links, o.Preserve.Xattr, o.Preserve.Quiet = true, true, true
		}},
		{"-Pi", func(o *policy.Options) { o.Interactive = true }},
		{"-Pin", func(o *policy.Options) { o.Update = policy.UpdateNone }},
		{"-Pni", func(o *policy.Options) { o.Interactive = true }},
		{"-Pu", func(o *policy.Options) { o.Update = policy.UpdateOlder }},
		{"-P --update=none-fail", func(o *policy.Options) { o.Update = policy.UpdateNoneFail }},
		{"-P --sparse=never", func(o *policy.Options) { o.Sparse, o.Reflink = policy.SparseNever, content.ReflinkNever }},
		{"-P --reflink", func(o *policy.Options) { o.Reflink = content.ReflinkAlways }},
		{"-Pb", func(o *policy.Options) { o.Backup = policy.ExistingBackups }},
		{"-P --backup=t", func(o *policy.Options) { o.Backup = policy.NumberedBackups }},
		{"-P --backup=off", func(*policy.Options) {}},
		{"-P -S .old", func(o *policy.Options) { o.Backup, o.Suffix = policy.ExistingBackups, ".old" }},
		{"-P -S a/b", func(o *policy.Options) { o.Backup = policy.ExistingBackups }},
		{"-P -t dir", func(o *policy.Options) { o.TargetDirectory, o.HasTarget = "dir", true }},
		{"-P -j 7", func(o *policy.Options) { o.Threads = 7 }},
	} {
		l, err := Parse(strings.Fields(c.line+" a b"), Environment{Getenv: func(string) string { return "" }, MaxThreads: 8})
		if err != nil {
			t.Errorf("%s: %v", c.line, err)
			continue
		}
		want := policy.Options{Suffix: "~"}
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
		kind                  policy.Backup
		want                  string // suffix; empty: an error
	}{
		{"-b", "numbered", "", policy.NumberedBackups, "~"},
		{"-b", "never", ".bak", policy.SimpleBackups, ".bak"},
		{"--backup=nil", "numbered", ".bak", policy.ExistingBackups, ".bak"},
		{"-b -S .s", "", ".bak", policy.ExistingBackups, ".s"},
		{"-v", "wrong", "", policy.NoBackups, "~"},
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
