// Package queuetest holds what every implementation of queue.Queue must keep, for tests.
package queuetest

import (
	"context"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"psync/internal/queue"
)

// A Bench is an empty queue and its clock.
type Bench struct {
	queue.Queue
	Lease   time.Duration
	Advance func(time.Duration) // has time pass for the server
}

// Tests returns what every queue must pass. Each test needs an empty one.
func Tests() map[string]func(*testing.T, Bench) {
	tests := make(map[string]func(*testing.T, Bench))
	for name, test := range map[string]func(*testing.T, *bench){
		"claims": testClaims, "lapse": testLapse, "repeats": testRepeats, "left": testLeft, "give back": testGiveBack,
		"rounds": testRounds, "close": testClose, "records": testRecords, "members": testMembers, "limits": testLimits,
		"watch": testWatch, "race": testRace, "canceled": testCanceled,
	} {
		tests[name] = func(t *testing.T, b Bench) { test(t, &bench{t, b}) }
	}
	return tests
}

// A bench fails a test when a request that should succeed does not.
type bench struct {
	t *testing.T
	Bench
}

func (b *bench) want(what string, got, want error) {
	b.t.Helper()
	if !errors.Is(got, want) {
		b.t.Errorf("%s: %v, want %v", what, got, want)
	}
}

func (b *bench) ok(err error) {
	b.t.Helper()
	if err != nil {
		b.t.Fatal(err)
	}
}

// begin begins a round of bundles, each with one directory, and returns a member.
func (b *bench) begin(n int, paths ...string) (member queue.ID) {
	b.t.Helper()
	member = queue.NewID()
	r := queue.Round{N: n, Phase: queue.Copy}
	b.ok(b.Join(b.t.Context(), queue.Member{ID: member}))
	for _, path := range paths {
		b.ok(b.Put(b.t.Context(), queue.Claim{}, queue.NewBundle(queue.Claim{}, r, dirs(path))))
	}
	b.ok(b.Begin(b.t.Context(), r))
	return member
}

// claim claims a bundle of which it knows the directories.
func (b *bench) claim(member queue.ID, round int, want string) queue.Claim {
	b.t.Helper()
	c, err := b.Claim(b.t.Context(), member, queue.NewID(), round)
	b.ok(err)
	if got := text(c.Bundle.Dirs); got != want {
		b.t.Errorf("claimed %s, want %s", got, want)
	}
	return c
}

// put puts a bundle that a claim leads to.
func (b *bench) put(c queue.Claim, paths string) {
	b.t.Helper()
	b.ok(b.Put(b.t.Context(), c, child(c, paths)))
}

// state wants numbers of bundles.
func (b *bench) state(waiting, held int) queue.State {
	b.t.Helper()
	s, err := b.State(b.t.Context())
	b.ok(err)
	if s.Waiting != waiting || s.Held != held {
		b.t.Errorf("%d bundles wait and %d are held, want %d and %d", s.Waiting, s.Held, waiting, held)
	}
	return s
}

func child(c queue.Claim, paths string) queue.Bundle {
	return queue.NewBundle(c, c.Bundle.Round, dirs(paths))
}

func dirs(paths string) (d []queue.Dir) {
	for path := range strings.FieldsSeq(paths) {
		d = append(d, queue.Dir{Path: path})
	}
	return d
}

func text(dirs []queue.Dir) string {
	var paths []string
	for _, d := range dirs {
		paths = append(paths, d.Path)
	}
	slices.Sort(paths)
	return strings.Join(paths, " ")
}

func testClaims(t *testing.T, b *bench) {
	ctx, member := t.Context(), b.begin(1, "a", "b")
	first, second := b.claim(member, 1, "a"), b.claim(member, 1, "b")
	if first.Attempt != 1 || second.Attempt != 1 || first.Revision == 0 || first.Revision == second.Revision {
		t.Errorf("claimed %+v and %+v", first, second)
	}
	_, err := b.Claim(ctx, member, queue.NewID(), 1)
	b.want("a third claim", err, queue.ErrEmpty)
	_, err = b.Claim(ctx, queue.NewID(), queue.NewID(), 1)
	b.want("a claim of a stranger", err, queue.ErrUnknown)
	b.put(first, "a/x a/y")
	b.state(1, 2)
	b.ok(b.Finish(ctx, first))
	if s := b.state(1, 1); s.Drained() || !s.Claimable() {
		t.Errorf("state %+v", s)
	}
	third := b.claim(member, 1, "a/x a/y")
	if s := b.state(0, 2); s.Claimable() || s.Lapse != b.Lease {
		t.Errorf("claimable in %v, want %v", s.Lapse, b.Lease)
	}
	b.ok(b.Finish(ctx, second))
	b.ok(b.Finish(ctx, third))
	if s := b.state(0, 0); !s.Drained() {
		t.Errorf("state %+v", s)
	}
}

func testLapse(t *testing.T, b *bench) {
	ctx, first := t.Context(), b.begin(1, "a")
	c := b.claim(first, 1, "a")
	b.Advance(b.Lease - 1)
	b.ok(b.Renew(ctx, c))
	b.Advance(b.Lease - 1)
	_, err := b.Claim(ctx, first, queue.NewID(), 1)
	b.want("a claim before the lease lapses", err, queue.ErrEmpty)
	b.Advance(1)
	if s := b.state(0, 1); !s.Claimable() {
		t.Errorf("state %+v when the lease has lapsed", s)
	}
	b.ok(b.Renew(ctx, c)) // since no one has taken it
	b.Advance(b.Lease)
	taken := b.claim(first, 1, "a")
	if taken.Attempt != 2 || taken.Revision <= c.Revision {
		t.Errorf("claimed %+v after %+v", taken, c)
	}
	b.want("renewal", b.Renew(ctx, c), queue.ErrTaken)
	b.want("put", b.Put(ctx, c, child(c, "a/x")), queue.ErrTaken)
	b.want("give back", b.GiveBack(ctx, c), queue.ErrTaken)
	b.want("finish", b.Finish(ctx, c), queue.ErrTaken)
	if s := b.state(0, 1); s.Members[0].Lost {
		t.Error("a member has lost a bundle to itself")
	}
	second := queue.NewID()
	b.ok(b.Join(ctx, queue.Member{ID: second}))
	b.Advance(b.Lease)
	taken = b.claim(second, 1, "a")
	if s := b.state(0, 1); !s.Members[0].Lost || s.Members[1].Lost {
		t.Errorf("members %+v when the second one has taken what the first one held", s.Members)
	}
	b.ok(b.Renew(ctx, taken))
	b.ok(b.Finish(ctx, taken))
	b.want("renewal of what is done", b.Renew(ctx, taken), queue.ErrTaken)
	b.want("put from what is done", b.Put(ctx, taken, child(taken, "a/x")), queue.ErrTaken)
	b.state(0, 0)
}

func testRepeats(t *testing.T, b *bench) {
	ctx, member := t.Context(), b.begin(1, "a", "b")
	seed := queue.NewBundle(queue.Claim{}, queue.Round{N: 2}, dirs("z"))
	b.ok(b.Put(ctx, queue.Claim{}, seed))
	b.ok(b.Put(ctx, queue.Claim{}, seed))
	b.ok(b.Begin(ctx, queue.Round{N: 1, Phase: queue.Copy}))
	request := queue.NewID()
	c, err := b.Claim(ctx, member, request, 1)
	b.ok(err)
	b.Advance(b.Lease / 2)
	again, err := b.Claim(ctx, member, request, 1)
	b.ok(err)
	if again.Revision != c.Revision || again.Attempt != 1 || again.Bundle.ID != c.Bundle.ID {
		t.Errorf("claimed %+v and then %+v", c, again)
	}
	if s := b.state(1, 1); s.Lapse != b.Lease-b.Lease/2 {
		t.Errorf("the repeated request has renewed the lease: it lapses in %v", s.Lapse)
	}
	b.put(c, "a/x")
	b.put(c, "a/x")
	b.state(2, 1)
	b.ok(b.Finish(ctx, c))
	if err := b.Finish(ctx, c); err != nil && !errors.Is(err, queue.ErrTaken) {
		t.Errorf("repeated finish: %v", err)
	}
	_, err = b.Claim(ctx, member, request, 1)
	b.want("a repeated request that comes late", err, queue.ErrTaken)
	b.state(2, 0)
	b.ok(b.Leave(ctx, member))
	b.ok(b.Leave(ctx, member))
	if err := b.Join(ctx, queue.Member{ID: member}); err == nil {
		t.Error("a repeated request to join, after leaving, succeeds")
	}
}

// testLeft has hosts end after they have put something, and the next ones put what is above that, and what they began with.
func testLeft(t *testing.T, b *bench) {
	member := b.begin(1, "a b", "c")
	first := b.claim(member, 1, "a b")
	b.put(first, "a/x/y a/x/y/z b/w")
	b.claim(member, 1, "c")
	b.claim(member, 1, "a/x/y a/x/y/z b/w")
	b.Advance(b.Lease)
	again := b.claim(member, 1, "a b")
	b.put(again, "a/x b")
	b.claim(member, 1, "c")
	b.claim(member, 1, "a/x/y a/x/y/z b/w")
	part := b.claim(member, 1, "a/x b")
	b.Advance(b.Lease)
	last := b.claim(member, 1, "a b")
	for _, tt := range []struct {
		name string
		left []queue.Dir
		want string
	}{
		{"nothing was put", first.Left, ""},
		{"something was put", again.Left, "a/x/y a/x/y/z b/w"},
		{"what is above that", part.Left, "a/x/y a/x/y/z b/w"},
		{"and what was there from the beginning", last.Left, "a/x a/x/y a/x/y/z b b/w"},
	} {
		if got := text(tt.left); got != tt.want {
			t.Errorf("%s: left %q, want %q", tt.name, got, tt.want)
		}
	}
}

func testGiveBack(t *testing.T, b *bench) {
	ctx, member := t.Context(), b.begin(1, "a")
	for range 3 {
		c := b.claim(member, 1, "a")
		if c.Attempt != 1 {
			t.Errorf("attempt %d", c.Attempt)
		}
		b.ok(b.GiveBack(ctx, c))
		b.state(1, 0)
		b.want("renewal", b.Renew(ctx, c), queue.ErrTaken)
	}
	b.claim(member, 1, "a")
	b.Advance(b.Lease)
	b.ok(b.GiveBack(ctx, b.claim(member, 1, "a")))
	c := b.claim(member, 1, "a")
	if c.Attempt != 2 {
		t.Errorf("attempt %d, want 2", c.Attempt)
	}
	part := child(c, "a/x")
	part.Attempt = 7
	b.ok(b.Put(ctx, c, part))
	if c := b.claim(member, 1, "a/x"); c.Attempt != 8 {
		t.Errorf("attempt %d after 7", c.Attempt)
	}
}

func testRounds(t *testing.T, b *bench) {
	ctx := t.Context()
	b.want("round 2", b.Begin(ctx, queue.Round{N: 2}), queue.ErrRound)
	member := b.begin(1, "a")
	c := b.claim(member, 1, "a")
	b.want("a bundle of another round", b.Put(ctx, c, queue.NewBundle(c, queue.Round{N: 2}, dirs("a/x"))), queue.ErrRound)
	b.want("a bundle of this one by the keeper", b.Put(ctx, queue.Claim{}, child(c, "a/x")), queue.ErrRound)
	next := queue.Round{N: 2, Phase: queue.Last}
	b.ok(b.Put(ctx, queue.Claim{}, queue.NewBundle(queue.Claim{}, next, dirs("a"))))
	b.state(0, 1)
	b.ok(b.Begin(ctx, next))
	b.ok(b.Begin(ctx, next))
	b.want("another round 2", b.Begin(ctx, queue.Round{N: 2, Phase: queue.Link}), queue.ErrRound)
	b.want("round 1", b.Begin(ctx, queue.Round{N: 1, Phase: queue.Copy}), queue.ErrRound)
	if s := b.state(1, 0); s.Round != next {
		t.Errorf("round %+v, want %+v", s.Round, next)
	}
	b.want("renewal of a claim of round 1", b.Renew(ctx, c), queue.ErrTaken)
	b.want("put from it", b.Put(ctx, c, child(c, "a/x")), queue.ErrTaken)
	_, err := b.Claim(ctx, member, queue.NewID(), 1)
	b.want("a claim of round 1", err, queue.ErrRound)
	b.want("a record of round 1", b.Append(ctx, queue.Record{ID: queue.NewID(), Round: 1}), queue.ErrRound)
	b.claim(member, 2, "a")
}

func testClose(t *testing.T, b *bench) {
	ctx, member := t.Context(), b.begin(1, "a", "b")
	c := b.claim(member, 1, "a")
	b.ok(b.Append(ctx, queue.Record{ID: queue.NewID(), Round: 1, Data: []byte("x")}))
	b.ok(b.Close(ctx, 23))
	b.ok(b.Close(ctx, 23))
	b.want("another close", b.Close(ctx, 0), queue.ErrClosed)
	_, err := b.Claim(ctx, member, queue.NewID(), 1)
	for what, err := range map[string]error{
		"claim": err, "put": b.Put(ctx, c, child(c, "a/x")), "renewal": b.Renew(ctx, c), "finish": b.Finish(ctx, c),
		"give back": b.GiveBack(ctx, c), "append": b.Append(ctx, queue.Record{ID: queue.NewID(), Round: 1}),
		"begin": b.Begin(ctx, queue.Round{N: 2}), "join": b.Join(ctx, queue.Member{ID: queue.NewID()}),
		"report": b.Report(ctx, member, queue.Status{}), "leave": b.Leave(ctx, member),
		"put by the keeper": b.Put(ctx, queue.Claim{}, queue.NewBundle(queue.Claim{}, queue.Round{N: 2}, dirs("a"))),
	} {
		b.want(what, err, queue.ErrClosed)
	}
	if s, err := b.State(ctx); err != nil || !s.Closed || s.Status != 23 {
		t.Errorf("state %+v, %v", s, err)
	}
	if r, err := b.Records(ctx, 0); err != nil || len(r) != 1 {
		t.Errorf("records %+v, %v", r, err)
	}
}

func testRecords(t *testing.T, b *bench) {
	ctx := t.Context()
	b.begin(1, "a")
	const n = 1000
	for i := range n {
		r := queue.Record{ID: queue.NewID(), Round: 1, Data: fmt.Append(nil, i)}
		b.ok(b.Append(ctx, r))
		b.ok(b.Append(ctx, r))
		r.Data[0] = 'x' // the caller may use its memory again
	}
	if s := b.state(1, 0); s.Records == 0 {
		t.Error("the state knows of no records")
	}
	var after uint64
	for i := 0; ; {
		records, err := b.Records(ctx, after)
		b.ok(err)
		for _, r := range records {
			if string(r.Data) != fmt.Sprint(i) || r.Offset <= after {
				t.Fatalf("record %d after %d is %q of %d", i, after, r.Data, r.Offset)
			}
			after = r.Offset
			i++
		}
		if len(records) > 0 {
			continue
		}
		if s := b.state(1, 0); i != n || s.Records != after {
			t.Errorf("%d records up to %d, want %d up to %d", i, after, n, s.Records)
		}
		return
	}
}

func testMembers(t *testing.T, b *bench) {
	ctx := t.Context()
	facts := queue.Facts{{Name: "umask", Value: "0022"}}
	id, other := queue.NewID(), queue.NewID()
	b.ok(b.Join(ctx, queue.Member{ID: id, Name: "mover1", Facts: facts}))
	b.ok(b.Join(ctx, queue.Member{ID: id, Name: "mover1", Facts: facts}))
	err := b.Join(ctx, queue.Member{ID: other, Name: "mover2", Facts: queue.Facts{{Name: "umask", Value: "0002"}}})
	var differs *queue.DifferenceError
	if !errors.As(err, &differs) || differs.Job != "0022" {
		t.Errorf("joined with another umask: %v", err)
	}
	b.want("a report of a stranger", b.Report(ctx, other, queue.Status{}), queue.ErrUnknown)
	b.Advance(time.Second)
	b.ok(b.Join(ctx, queue.Member{ID: other, Name: "mover2", Facts: facts}))
	b.ok(b.Report(ctx, id, queue.Status{Seq: 2, Hungry: true, Finished: 1}))
	b.Advance(time.Second)
	shown := queue.Status{
		Seq: 1, Figures: queue.Figures{Files: 5, Bytes: 1 << 40, Rate: 7}, At: "a/b",
		Hanging: []queue.Call{{Name: "open", Path: "a/c", For: time.Minute}}, Journal: &queue.Progress{Found: 9, Gone: queue.Figures{Failed: 1}},
	}
	b.ok(b.Report(ctx, other, shown))
	b.ok(b.Report(ctx, id, queue.Status{Seq: 1})) // on its way for long
	b.Advance(time.Second)
	s := b.state(0, 0)
	if len(s.Members) != 2 || s.Members[0].Name != "mover1" || !s.Members[0].Hungry || s.Members[0].Finished != 1 {
		t.Fatalf("members %+v", s.Members)
	}
	if s.Members[1].Age != time.Second || !reflect.DeepEqual(s.Members[1].Status, shown) {
		t.Errorf("members %+v", s.Members)
	}
	b.ok(b.Leave(ctx, id))
	if s := b.state(0, 0); len(s.Members) != 1 || s.Members[0].ID != other || s.Members[0].Lost {
		t.Errorf("members %+v after one has left", s.Members)
	}
	b.ok(b.Leave(ctx, other))
	if err := b.Join(ctx, queue.Member{ID: queue.NewID()}); !errors.As(err, &differs) {
		t.Errorf("joined without the facts of the job: %v", err)
	}
}

func testLimits(t *testing.T, b *bench) {
	ctx, member := t.Context(), b.begin(1, "a")
	c := b.claim(member, 1, "a")
	b.want("..", b.Put(ctx, c, child(c, "a/../b")), queue.ErrPath)
	b.want("one of two", b.Put(ctx, c, child(c, "a/b"), child(c, "/etc")), queue.ErrPath)
	b.want("many directories", b.Put(ctx, c, child(c, strings.Repeat("a ", queue.MaxDirs+1))), queue.ErrTooLarge)
	r := queue.Record{ID: queue.NewID(), Round: 1, Data: make([]byte, queue.MaxRecord+1)}
	b.want("a large record", b.Append(ctx, r), queue.ErrTooLarge)
	r.Data = r.Data[1:]
	b.ok(b.Append(ctx, r))
	large := queue.Facts{{Name: "rules", Value: strings.Repeat("x", queue.MaxFacts)}}
	b.want("many calls", b.Report(ctx, member, queue.Status{Hanging: make([]queue.Call, queue.MaxCalls+1)}), queue.ErrTooLarge)
	b.want("a large status", b.Report(ctx, member, queue.Status{At: strings.Repeat("x", queue.MaxStatus+1)}), queue.ErrTooLarge)
	b.want("large facts", b.Join(ctx, queue.Member{ID: queue.NewID(), Facts: large}), queue.ErrTooLarge)
	b.state(0, 1)
}

func testWatch(t *testing.T, b *bench) {
	ctx := t.Context()
	work, err := b.Watch(ctx, queue.Work)
	b.ok(err)
	added, err := b.Watch(ctx, queue.Added)
	b.ok(err)
	<-work
	<-added
	member := b.begin(1, "a")
	<-work
	c := b.claim(member, 1, "a")
	<-work
	b.put(c, "a/x")
	<-work
	b.ok(b.Report(ctx, member, queue.Status{Seq: 1, Hungry: true}))
	<-work
	b.ok(b.Renew(ctx, c))
	b.ok(b.Report(ctx, member, queue.Status{Seq: 2, Hungry: true}))
	select {
	case <-work:
		t.Error("renewals are a change")
	case <-added:
		t.Error("bundles are records")
	default:
	}
	b.ok(b.Append(ctx, queue.Record{ID: queue.NewID(), Round: 1}))
	<-added
	b.ok(b.Finish(ctx, c))
	<-work
	b.ok(b.Close(ctx, 0))
	<-work
}

// testRace has many hosts claim and finish bundles at a time.
func testRace(t *testing.T, b *bench) {
	const hosts, bundles = 8, 100
	ctx, member := t.Context(), b.begin(1)
	for i := range bundles {
		b.ok(b.Put(ctx, queue.Claim{}, queue.NewBundle(queue.Claim{}, queue.Round{N: 2}, dirs(fmt.Sprint(i)))))
	}
	b.ok(b.Begin(ctx, queue.Round{N: 2}))
	var mu sync.Mutex
	had := make(map[queue.ID]int)
	var running sync.WaitGroup
	for range hosts {
		running.Go(func() {
			for {
				c, err := b.Claim(ctx, member, queue.NewID(), 2)
				if errors.Is(err, queue.ErrEmpty) {
					return
				}
				if err := errors.Join(err, b.Finish(ctx, c)); err != nil {
					t.Error(err)
					return
				}
				mu.Lock()
				had[c.Bundle.ID]++
				mu.Unlock()
			}
		})
	}
	running.Wait()
	for id, n := range had {
		if n != 1 {
			t.Errorf("%x was claimed %d times", id, n)
		}
	}
	if len(had) != bundles {
		t.Errorf("%d bundles were claimed, want %d", len(had), bundles)
	}
}

func testCanceled(t *testing.T, b *bench) {
	member := b.begin(1, "a")
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	_, err := b.Claim(ctx, member, queue.NewID(), 1)
	b.want("claim", err, context.Canceled)
	b.want("report", b.Report(ctx, member, queue.Status{}), context.Canceled)
	_, err = b.State(ctx)
	b.want("state", err, context.Canceled)
	b.state(1, 0)
}
