package facts

import (
	"strings"
	"testing"
	"time"

	"psync/internal/cluster/scope"
	"psync/internal/queue"
	"psync/internal/vfs"
)

// TestDifferences has a host that differs in one thing from the one that began the job, and is otherwise the same.
func TestDifferences(t *testing.T) {
	process := func(host, flags string) Process {
		return Process{
			Host:    host,
			Command: scope.Command{Verb: "sync", Flags: strings.Fields(flags), Operands: []string{"/a", "/b"}, Files: []string{"rules"}},
			Sums:    []string{"1234"}, CVSIgnore: "*.tmp", Version: "v1.2.3 0123456789ab go1.26 linux/amd64",
			User: vfs.User{UID: 0, GID: 0, Groups: []int{4, 0}}, Capabilities: 0x1ff, Umask: 0o022,
		}
	}
	const flags = "--archive --delete --exclude=*.o --exclude=*.a"
	job := process("mover1", flags).Facts(queue.Facts{{Name: "the tree at /b", Value: "x"}})
	const began = " at mover1, which began the job"
	for _, tt := range []struct {
		name   string
		flags  string
		change func(p *Process)
		want   string
	}{
		{"nothing", flags, func(*Process) {}, ""},
		{"what is local to a host", "--verbose --threads=5 " + flags + " --journal=j --progress", func(*Process) {}, ""},
		{"another processor", flags, func(p *Process) { p.Version = "v1.2.3 0123456789ab go1.26 linux/arm64" }, ""},
		{"the order of groups", flags, func(p *Process) { p.User.Groups = []int{0, 4} }, ""},
		{"a flag", flags + " --update", func(*Process) {}, "--update is given here, not" + began},
		{"--delete", "--archive --exclude=*.o --exclude=*.a", func(*Process) {}, "--delete is given" + began + ", not here"},
		{"a rule", flags + " --exclude=b", func(*Process) {}, "--exclude is *.o *.a b here, and *.o *.a" + began},
		{"the order of rules", "--archive --delete --exclude=*.a --exclude=*.o", func(*Process) {}, "--exclude is *.a *.o here, and *.o *.a" + began},
		{"the order of flags", "--delete --archive --exclude=*.o --exclude=*.a", func(*Process) {}, "the order of flags is "},
		{"where the words of rules end", "--archive --delete --exclude=*.o *.a", func(p *Process) {
			p.Command.Flags = []string{"--archive", "--delete", "--exclude=*.o *.a"}
		}, "the order of flags is "},
		{"--bwlimit", flags + " --bwlimit=5M", func(*Process) {}, "--bwlimit=5M is given here, not" + began},
		{"the verb", flags, func(p *Process) { p.Command.Verb = "copy" }, "the verb is copy here, and sync" + began},
		{"a file of rules", flags, func(p *Process) { p.Sums = []string{"5678"} }, "the content of rules is 5678 here, and 1234" + began},
		{"the version", flags, func(p *Process) { p.Version = "v1.2.4 go1.26 linux/amd64" }, "the version of psync is v1.2.4 go1.26 here, and v1.2.3"},
		{"the user", flags, func(p *Process) { p.User.UID = 1000 }, "the user is 1000 here, and 0" + began},
		{"the groups", flags, func(p *Process) { p.User.Groups = nil }, "the list of groups is 0 4" + began + ", not here"},
		{"the capabilities", flags, func(p *Process) { p.Capabilities = 0 }, "the set of capabilities is 0x0 here, and 0x1ff" + began},
		{"the umask", flags, func(p *Process) { p.Umask = 0o002 }, "the umask is 0002 here, and 0022" + began},
		{"the time zone", flags, func(p *Process) { p.After = time.Date(2020, 5, 5, 0, 0, 0, 0, time.UTC) }, "the time of --max-age is 2020-05-05T00:00:00Z here, not" + began},
		{"CVSIGNORE that is not used", flags, func(p *Process) { p.CVSIgnore = "" }, ""},
	} {
		p := process("mover2", tt.flags)
		tt.change(&p)
		facts := p.Facts(queue.Facts{{Name: "the tree at /b", Value: "x"}})
		got := ""
		if err := facts.Compare(job); err != nil {
			got = err.Error()
		}
		if want := "mover2: " + tt.want; tt.want == "" && got != "" || tt.want != "" && !strings.HasPrefix(got, want) {
			t.Errorf("%s: %q, want %q", tt.name, got, want)
		}
	}
	a, b := process("mover1", "--cvs-exclude"), process("mover2", "--cvs-exclude")
	b.CVSIgnore = "*.bak"
	if err := b.Facts(nil).Compare(a.Facts(nil)); err == nil || !strings.Contains(err.Error(), "CVSIGNORE is *.bak here, and *.tmp") {
		t.Errorf("CVSIGNORE: %v", err)
	}
}

// TestEveryFactHasAHint takes each fact that two hosts can differ in.
func TestEveryFactHasAHint(t *testing.T) {
	p := Process{
		Command: scope.Command{Verb: "sync", Flags: []string{"--cvs-exclude"}, Files: []string{"rules"}}, Sums: []string{"1"},
		CVSIgnore: "x", After: time.Unix(1, 0), Before: time.Unix(1, 0), Version: "v1", User: vfs.User{Groups: []int{1}},
	}
	trees := mounted(t, t.TempDir(), t.TempDir())
	facts, err := trees.facts("mover1")
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range p.Facts(facts[1:]) {
		if hint := Hint(&queue.DifferenceError{Name: f.Name}); hint == "" && f.Name != queue.HostFact {
			t.Errorf("no hint for %s", f.Name)
		}
	}
	if hint := Hint(queue.ErrClosed); hint != "" {
		t.Errorf("%q for an error that is none of facts", hint)
	}
}

// TestFactsStaySmall has many rules, and ones that cannot be printed.
func TestFactsStaySmall(t *testing.T) {
	p := Process{Command: scope.Command{Flags: []string{"--filter=- a\nb\xff"}}}
	for range 10_000 {
		p.Command.Flags = append(p.Command.Flags, "--exclude="+strings.Repeat("x", 100))
	}
	facts := p.Facts(nil)
	if err := (queue.Member{Facts: facts}).Check(); err != nil {
		t.Error(err)
	}
	p.Command.Flags[len(p.Command.Flags)-1] += "y"
	err := p.Facts(nil).Compare(facts)
	if err == nil || len(err.Error()) > 3*maxValue || !strings.HasPrefix(err.Error(), "--exclude is ") {
		t.Errorf("%v", err)
	}
	if got, want := facts.Value("--filter"), `"- a\nb\xff" (6 bytes, checksum `; !strings.HasPrefix(got, want) {
		t.Errorf("%s, want %s", got, want)
	}
}
