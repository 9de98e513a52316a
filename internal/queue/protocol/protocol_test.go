package protocol

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"psync/internal/queue"
)

func TestTreat(t *testing.T) {
	for _, tt := range []struct {
		attempt, dirs, others int
		want                  Treatment
	}{
		{1, 1, 0, Share},
		{1, 9, 5, Share},
		{2, 9, 5, Share},
		{3, 1, 0, Alone},
		{3, 1, 1, GiveBack},
		{3, 2, 0, Split},
		{3, 2, 1, Split},
		{4, 1, 0, Alone},
		{4, 1, 1, GiveBack},
		{5, 1, 0, Abandon},
		{6, 1, 9, Abandon},
		{6, 2, 9, Split},
	} {
		c := queue.Claim{Attempt: tt.attempt, Bundle: queue.Bundle{Dirs: make([]queue.Dir, tt.dirs)}}
		if got := Treat(c, tt.others); got != tt.want {
			t.Errorf("attempt %d, %d directories, %d other claims: %d, want %d", tt.attempt, tt.dirs, tt.others, got, tt.want)
		}
	}
}

func TestParts(t *testing.T) {
	for _, tt := range []struct {
		dirs int
		want []int
	}{
		{0, nil},
		{1, []int{1}},
		{2, []int{1, 1}},
		{5, []int{3, 2}},
		{300, []int{queue.MaxDirs, queue.MaxDirs, 300 - 2*queue.MaxDirs}},
	} {
		var got []int
		for _, b := range Parts(queue.Claim{}, make([]queue.Dir, tt.dirs)) {
			got = append(got, len(b.Dirs))
			if c := (queue.Claim{Bundle: b, Attempt: b.Attempt + 1}); Treat(c, 1) != Share {
				t.Error("a part is not tried together with others once")
			}
		}
		if !slices.Equal(got, tt.want) {
			t.Errorf("%d directories: %d, want %d", tt.dirs, got, tt.want)
		}
	}
}

func TestToPut(t *testing.T) {
	for _, tt := range []struct {
		name            string
		stack, bundles  int
		hungry, notMuch int
		want            int
	}{
		{"no one is hungry", 1000, 0, 0, 2, 0},
		{"one is", 100, 0, 1, 2, 50},
		{"one is, and a bundle waits for it", 100, 1, 1, 2, 0},
		{"two are, and a bundle waits for one", 100, 1, 2, 0, 50},
		{"one directory", 1, 0, 1, 0, 0},
		{"the smaller half", 3, 0, 1, 0, 1},
		{"at most a bundle", 5000, 0, 1, 0, queue.MaxDirs},
		{"too many wait", 100_001, 0, 0, 1, queue.MaxDirs},
	} {
		s := queue.State{Waiting: tt.bundles}
		for i := range tt.hungry + tt.notMuch {
			s.Members = append(s.Members, queue.Member{Status: queue.Status{Hungry: i < tt.hungry}})
		}
		if got := ToPut(tt.stack, s); got != tt.want {
			t.Errorf("%s: %d, want %d", tt.name, got, tt.want)
		}
	}
}

// TestFence follows renewals whose answers take long.
func TestFence(t *testing.T) {
	begin := time.Unix(0, 0)
	until := Fence(begin, Lease)
	if lapse := begin.Add(Lease); !until.Before(lapse) {
		t.Errorf("the host may change something until %v; its lease may lapse at %v", until, lapse)
	}
	for at := RenewAt(begin, Lease); ; at = RenewAt(at, Lease) {
		if failures := int(at.Sub(begin)/(Lease/4)) - 1; !at.Before(until) {
			if failures < 2 {
				t.Errorf("%d renewals may fail", failures)
			}
			break
		}
	}
}

func TestWork(t *testing.T) {
	for _, tt := range []struct {
		work Work
		want WorkStep
	}{
		{Work{}, Finish},
		{Work{Dirs: true}, Walk},
		{Work{Dirs: true, Unrecorded: true}, Append},
		{Work{Unrecorded: true}, Append},
		{Work{Unput: true}, Put},
		{Work{Unput: true, Unrecorded: true, Dirs: true}, Put},
	} {
		if got := tt.work.Next(); got != tt.want {
			t.Errorf("%+v: %d, want %d", tt.work, got, tt.want)
		}
	}
}

func TestHost(t *testing.T) {
	r := queue.Round{N: 2, Phase: queue.Copy}
	waiting, held, lapsed, drained := queue.State{Round: r, Waiting: 1}, queue.State{Round: r, Held: 1, Lapse: 1},
		queue.State{Round: r, Held: 1}, queue.State{Round: r}
	for _, tt := range []struct {
		name  string
		host  Host
		state queue.State
		want  Step
	}{
		{"another round", Host{Round: 1, Finished: 1}, waiting, Enter},
		{"another round, with a claim of the one before", Host{Round: 1, Claims: 1}, waiting, Die},
		{"the end", Host{Round: 1, Claims: 1}, queue.State{Closed: true}, End},
		{"workers without work", Host{Round: 2, Idle: true}, waiting, Claim},
		{"some of them", Host{Round: 2, Claims: 1, Idle: true}, waiting, Claim},
		{"enough to do", Host{Round: 2, Claims: 1}, waiting, Wait},
		{"a dangerous bundle", Host{Round: 2, Claims: 1, Idle: true, Alone: true}, waiting, Wait},
		{"another host has the rest", Host{Round: 2, Idle: true}, held, Wait},
		{"and does not do it", Host{Round: 2, Idle: true}, lapsed, Claim},
		{"nothing is left", Host{Round: 2, Idle: true}, drained, Report},
		{"nothing but what the end of the phase does", Host{Round: 2, Idle: true, Deferred: true}, drained, EndPhase},
		{"that waits for other hosts", Host{Round: 2, Deferred: true}, held, Wait},
		{"and for its own claims", Host{Round: 2, Claims: 1, Deferred: true}, held, Wait},
		{"it has reported that", Host{Round: 2, Finished: 2, Idle: true}, drained, Wait},
		{"an interrupt", Host{Round: 2, Claims: 1, Idle: true, Leaving: true}, waiting, Return},
		{"an interrupt without claims", Host{Round: 2, Leaving: true, Deferred: true}, drained, Leave},
	} {
		if got := tt.host.Next(tt.state); got != tt.want {
			t.Errorf("%s: %d, want %d", tt.name, got, tt.want)
		}
	}
}

func TestKeeper(t *testing.T) {
	member := func(finished int, age time.Duration) queue.Member {
		return queue.Member{Status: queue.Status{Finished: finished}, Age: age}
	}
	missing := []queue.Dir{{Path: "a"}}
	all, removals := [queue.Audit]bool{true, true, true, true}, [queue.Audit]bool{queue.Remove: true}
	for _, tt := range []struct {
		name  string
		state queue.State
		proof Proof
		want  string
	}{
		{"the beginning", queue.State{}, Proof{Missing: missing}, "begin 1 copy: a"},
		{"a journal of a job that is done", queue.State{}, Proof{}, "close 0"},
		{"a bundle waits", state(1, queue.Copy, 1, 0), Proof{}, "wait"},
		{"a bundle is held", state(1, queue.Copy, 0, 1), Proof{}, "wait"},
		{"a member is not ready", state(1, queue.Copy, 0, 0, member(1, 0), member(0, 0)), Proof{}, "wait"},
		{"it is gone", state(1, queue.Copy, 0, 0, member(1, 0), member(0, Lease)), Proof{}, "begin 2 audit"},
		{"all are ready", state(1, queue.Copy, 0, 0, member(1, 0), member(1, 0)), Proof{Needs: all}, "begin 2 last"},
		{"records are not read", queue.State{Round: queue.Round{N: 1}, Records: 5}, Proof{Read: 4, Needs: all}, "read"},
		{"links are left", state(5, queue.Audit, 0, 0), Proof{Needs: all, Parts: 3, List: 7}, "begin 6 link: 3 parts, the last {2 3 7}"},
		{"links are made in some directories", state(6, queue.Link, 0, 0), Proof{Needs: [queue.Audit]bool{queue.Last: true}, List: 7}, "begin 7 last: 16 parts, the last {15 16 7}"},
		{"removals are left", state(5, queue.Audit, 0, 0), Proof{Needs: removals, List: 7}, "begin 6 remove: 16 parts, the last {15 16 7}"},
		{"too many", state(5, queue.Audit, 0, 0), Proof{Needs: removals, Refused: true, Failed: true}, "close 25"},
		{"too many, and more may be missing", state(5, queue.Audit, 0, 0), Proof{Needs: removals, Refused: true, Missing: missing}, "begin 6 copy: a"},
		{"removals are left again and again", state(50, queue.Audit, 0, 0), Proof{Needs: removals}, "close 26"},
		{"something is missing, too", state(5, queue.Audit, 0, 0), Proof{Needs: all, Parts: 3, List: 7, Missing: missing}, "begin 6 copy: a"},
		{"links are left again and again", state(50, queue.Audit, 0, 0), Proof{Needs: all}, "close 26"},
		{"links are made", state(2, queue.Link, 0, 0), Proof{Needs: all}, "begin 3 last"},
		{"entries are removed", state(3, queue.Remove, 0, 0), Proof{Needs: all}, "begin 4 last"},
		{"no links, no removals", state(1, queue.Copy, 0, 0), Proof{Needs: [queue.Audit]bool{queue.Last: true}}, "begin 2 last"},
		{"directories have their attributes", state(4, queue.Last, 0, 0), Proof{Needs: all, Missing: missing}, "begin 5 audit"},
		{"the audit waits for no one", state(5, queue.Audit, 0, 0, member(0, 0)), Proof{}, "close 0"},
		{"and finds what failed", state(5, queue.Audit, 0, 0), Proof{Failed: true}, "close 23"},
		{"and finds what is missing", state(5, queue.Audit, 0, 0), Proof{Failed: true, Missing: missing}, "begin 6 copy: a"},
		{"again and again", state(50, queue.Audit, 0, 0), Proof{Failed: true, Missing: missing}, "close 26"},
		{"a job that has ended", queue.State{Closed: true}, Proof{Missing: missing}, "wait"},
	} {
		if got := describe(Next(tt.state, tt.proof, Lease)); got != tt.want {
			t.Errorf("%s: %s, want %s", tt.name, got, tt.want)
		}
	}
}

func state(n int, p queue.Phase, waiting, held int, members ...queue.Member) queue.State {
	return queue.State{Round: queue.Round{N: n, Phase: p}, Waiting: waiting, Held: held, Members: members}
}

func describe(s KeeperStep) string {
	switch {
	case s.Close:
		return fmt.Sprintf("close %d", s.Status)
	case s.Read:
		return "read"
	case s.Begin.N == 0:
		return "wait"
	}
	text := fmt.Sprintf("begin %d %s", s.Begin.N, []string{"copy", "link", "remove", "last", "audit"}[s.Begin.Phase])
	if n := len(s.Seeds); n > 0 && s.Seeds[0].Part.Of > 0 {
		return text + fmt.Sprintf(": %d parts, the last %v", n, s.Seeds[n-1].Part)
	}
	for _, b := range s.Seeds {
		var paths []string
		for _, d := range b.Dirs {
			paths = append(paths, d.Path)
		}
		text += ": " + strings.Join(paths, " ")
	}
	return text
}

func TestSeeds(t *testing.T) {
	r := queue.Round{N: 3}
	for _, tt := range []struct{ missing, want string }{
		{"a", "a"},
		{"b a", "a b"},
		{"a/b a a/b/c", "a"},
		{"a a-b a/b", "a a-b"},
		{"a/b a/bc a/b", "a/b a/bc"},
		{"- a .", "."},
	} {
		var dirs []queue.Dir
		for path := range strings.FieldsSeq(tt.missing) {
			dirs = append(dirs, queue.Dir{Path: path})
		}
		var got []string
		for _, b := range seeds(r, Proof{Missing: append(dirs, queue.Dir{Root: 1, Path: "a/b"})}) {
			for _, d := range b.Dirs {
				got = append(got, fmt.Sprint(d.Root, ":", d.Path))
			}
		}
		want := []string{}
		for path := range strings.FieldsSeq(tt.want) {
			want = append(want, "0:"+path)
		}
		if want = append(want, "1:a/b"); !slices.Equal(got, want) {
			t.Errorf("%s: %q, want %q", tt.missing, got, want)
		}
	}
}

// TestAbandonedDirectoriesAreNotWalkedAgain claims what is put after an audit.
func TestAbandonedDirectoriesAreNotWalkedAgain(t *testing.T) {
	p := Proof{Missing: []queue.Dir{{Path: "a"}}, Abandoned: []queue.Dir{{Path: "a/b"}, {Path: "a/c"}}}
	bundles := seeds(queue.Round{N: 6}, p)
	var got []Treatment
	for _, b := range bundles {
		got = append(got, Treat(queue.Claim{Bundle: b, Attempt: b.Attempt + 1}, 0))
	}
	if want := []Treatment{Share, Abandon, Abandon}; !slices.Equal(got, want) {
		t.Errorf("bundles %+v are treated as %d, want %d", bundles, got, want)
	}
}

// TestSeedsKeepTheLimits wants bundles that a queue takes, and all directories in them.
func TestSeedsKeepTheLimits(t *testing.T) {
	long := strings.TrimSuffix(strings.Repeat(strings.Repeat("x", 1000)+"/", 60), "/")
	var dirs []queue.Dir
	for i := range 1000 {
		dirs = append(dirs, queue.Dir{Path: strings.TrimSuffix(fmt.Sprintf("%d/%s", i, long[:i*60]), "/")})
	}
	n := 0
	for _, b := range seeds(queue.Round{N: 1}, Proof{Missing: dirs}) {
		n += len(b.Dirs)
		if err := b.Check(); err != nil {
			t.Fatal(err)
		}
	}
	if n != len(dirs) {
		t.Errorf("%d directories of %d", n, len(dirs))
	}
}
