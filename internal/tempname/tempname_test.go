package tempname

import (
	"strings"
	"testing"
	"time"
)

// TestOwnersOfTemporaries has a process on a host that was booted at noon, and asks in the evening.
func TestOwnersOfTemporaries(t *testing.T) {
	at := func(clock string) time.Time {
		when, err := time.Parse("2006-01-02 15:04", clock)
		if err != nil {
			t.Fatal(err)
		}
		return when
	}
	now := at("2020-05-05 20:00")
	us := Process{
		Host: 0xabc, Boot: 1, PID: 100, Start: 50, Run: 7,
		Booted: at("2020-05-05 12:00"),
		Alive:  func(pid int, start uint64) bool { return pid == 200 && start == 60 },
	}
	by := func(change func(*Process)) Process {
		m := Process{Host: us.Host, Boot: us.Boot, PID: 300, Start: 70, Run: 9}
		change(&m)
		return m
	}
	const (
		recently = "2020-05-05 19:00"
		before   = "2020-05-05 11:00" // the boot
		shortly  = "2020-05-05 11:55" // before the boot
		longAgo  = "2020-05-04 19:00"
	)
	process := func(pid int, start uint64, run uint32) func(*Process) {
		return func(m *Process) { m.PID, m.Start, m.Run = pid, start, run }
	}
	anotherBoot := func(m *Process) { m.Boot = 2 }
	anotherHost := func(m *Process) { m.Host, m.Boot = 0xdef, 2 }
	tests := []struct {
		name     string
		by       Process
		changed  string
		distance string // of the volume: "local" or "far", or "" for both
		want     State
	}{
		{"ourselves", by(process(100, 50, 7)), recently, "", Running},
		{"ourselves, long ago", by(process(100, 50, 7)), longAgo, "", Running},
		{"a process that lives", by(process(200, 60, 9)), recently, "", Running},
		{"a process that lives, stopped for long", by(process(200, 60, 9)), longAgo, "", Running},
		{"a process that is gone", by(process(300, 70, 9)), recently, "", Dead},
		{"an earlier process with the number of another", by(process(200, 59, 9)), recently, "", Dead},
		{"an earlier process with our number", by(process(100, 49, 6)), recently, "", Dead},

		{"another boot, or a clone, at work", by(anotherBoot), recently, "", Unknown},
		{"another boot, before this one", by(anotherBoot), before, "", Dead},
		{"another boot, right before this one", by(anotherBoot), shortly, "local", Dead},
		{"another boot, right before this one", by(anotherBoot), shortly, "far", Unknown},
		{"another boot, long ago", by(anotherBoot), longAgo, "", Dead},
		{"another boot, at an unknown time", by(anotherBoot), "", "", Unknown},

		{"another host, through a server on this one", by(anotherHost), recently, "local", Unknown},
		{"another host, with the disk that is here now", by(anotherHost), before, "local", Dead},
		{"another host, at work", by(anotherHost), recently, "far", Unknown},
		{"another host", by(anotherHost), before, "far", Unknown},
		{"another host, long ago", by(anotherHost), longAgo, "far", Unknown},

		{"a clone of a running system, by another name", by(func(m *Process) { m.Host = 0xdef }), recently, "", Unknown},
		{"a container of this boot", by(func(m *Process) { m.Host, m.Boot, m.PID = 0xc0, 3, 100 }), recently, "", Unknown},
	}
	for _, tt := range tests {
		var changed time.Time
		if tt.changed != "" {
			changed = at(tt.changed)
		}
		for _, local := range []bool{true, false} {
			if tt.distance != "" && local != (tt.distance == "local") {
				continue
			}
			if got := us.State(tt.by, changed, now, local); got != tt.want {
				t.Errorf("%s, local %v: owner = %v, want %v", tt.name, local, got, tt.want)
			}
		}
	}
	nameless := us
	nameless.Boot = 0
	if got := nameless.State(Process{Host: us.Host, PID: 300}, now, now, true); got != Unknown {
		t.Errorf("where the boot is not known: owner = %v, want %v", got, Unknown)
	}
}

func TestNamesOfTemporaries(t *testing.T) {
	by := Process{Host: 0xabc, Boot: 0xfedcba98, PID: 1<<31 - 1, Start: 1<<64 - 1, Run: 1<<32 - 1}
	a, b := by.name(1), by.name(1<<64-1)
	if a == b || len(b) > 100 {
		t.Errorf("names %q and %q", a, b)
	}
	tests := []struct {
		name           string
		understood, is bool
	}{
		{a, true, true},
		{b, true, true},
		{a + "0", false, false},
		{".psync-notes", false, false},
		{".psync-", false, false},
		{"f", false, false},
		{withChecksum(".psync-hello"), false, true},
		{withChecksum(".psync-0000abcd-12-00000007-1"), false, true}, // of the first versions
		{withChecksum(a), false, true},                               // of later ones, perhaps
		{OfJob("nightly"), false, true},
	}
	for _, tt := range tests {
		got, understood, is := Parse(tt.name)
		if understood != tt.understood || is != tt.is {
			t.Errorf("Parse(%q) = %v, %v, want %v, %v", tt.name, understood, is, tt.understood, tt.is)
		}
		if understood && (!by.is(got) || got.Start != by.Start) {
			t.Errorf("%q is by %v", tt.name, got)
		}
	}
}

func TestNamesOfJobs(t *testing.T) {
	by := Process{Host: 0xabc, Boot: 5, PID: 7, Run: 9}
	for name, want := range map[string]bool{
		OfJob("nightly"): true, OfJob(""): true, OfJob("a/b"): true,
		OfJob("nightly") + "0": false, ".psync-job-00000000": false, by.name(1): false, "f": false,
	} {
		if IsOfJob(name) != want {
			t.Errorf("%q: %v", name, !want)
		}
	}
	if OfJob("a") == OfJob("b") || strings.Contains(OfJob("a/b"), "/") {
		t.Errorf("%s, %s, %s", OfJob("a"), OfJob("b"), OfJob("a/b"))
	}
}
