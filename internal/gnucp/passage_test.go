package gnucp

import (
	"bytes"
	"fmt"
	"io"
	"math/rand/v2"
	"strings"
	"sync"
	"testing"
)

func TestPassagesAreToldInOrder(t *testing.T) {
	var out bytes.Buffer
	s := newScript(&out, &out, false)
	a := s.head
	c := a.after()
	b := a.after()
	c.say("c1\n")
	b.say("b1\n")
	a.say("a1\n")
	if got := flushed(s, &out); got != "a1\n" {
		t.Errorf("first: %q", got)
	}
	c.close(nil)
	b.complain("b2\n")
	a.close(nil)
	if got := flushed(s, &out); got != "a1\nb1\nb2\n" {
		t.Errorf("a is over: %q", got)
	}
	b.say("b3\n")
	b.close(nil)
	if got, want := flushed(s, &out), "a1\nb1\nb2\nb3\nc1\n"; got != want {
		t.Errorf("in the end %q, want %q", got, want)
	}
}

func flushed(s *script, out *bytes.Buffer) string {
	s.flush()
	return out.String()
}

func TestPostponedActsComeInTheirTurn(t *testing.T) {
	var out bytes.Buffer
	s := newScript(&out, io.Discard, false)
	a := s.head
	b := a.after()
	act := func(text string) func(*worker, *passage) {
		return func(_ *worker, now *passage) { now.say(text) }
	}
	if !b.later(act("act 1\n")) || !b.later(act("act 2\n")) {
		t.Fatal("b's turn came before a was over")
	}
	b.say("then\n")
	if a.later(act("")) {
		t.Error("a had to wait for itself")
	}
	a.say("a\n")
	a.close(nil)
	if b.later(act("")) {
		t.Error("b had to wait though it was its turn")
	}
	if got, want := flushed(s, &out), "a\nact 1\nact 2\nthen\n"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

// TestManyTellAtOnce has goroutines split, fill and close passages, and compares with one that does
// everything in order.
func TestManyTellAtOnce(t *testing.T) {
	var out bytes.Buffer
	s := newScript(&out, &out, false)
	var want strings.Builder
	var all sync.WaitGroup
	last := s.head
	for i := range 200 {
		p := last
		last = p.after()
		inner := p.after()
		fmt.Fprintf(&want, "%d\ninner %d\nact %d\n", i, i, i)
		all.Go(func() {
			p.say(fmt.Sprintln(i))
			p.close(nil)
		})
		all.Go(func() {
			for range rand.IntN(3) {
				inner.say("")
			}
			inner.say(fmt.Sprintln("inner", i))
			act := func(_ *worker, now *passage) { now.say(fmt.Sprintln("act", i)) }
			if !inner.later(act) {
				act(nil, inner)
			}
			inner.close(nil)
		})
	}
	all.Wait()
	last.close(nil)
	if got := flushed(s, &out); got != want.String() {
		t.Errorf("out of order:\n%s", got)
	}
}
