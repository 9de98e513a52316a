package output

import (
	"bytes"
	"fmt"
	"io"
	"math/rand/v2"
	"strings"
	"sync"
	"testing"
)

func TestSegmentsArePrintedInOrder(t *testing.T) {
	var out bytes.Buffer
	o, a := New(Config{Stdout: &out, Stderr: &out})
	c := a.After()
	b := a.After()
	c.Say("c1\n")
	b.Say("b1\n")
	a.Say("a1\n")
	if got := flushed(o, &out); got != "a1\n" {
		t.Errorf("first: %q", got)
	}
	c.Close()
	b.Prompt("b2\n")
	a.Close()
	if got := flushed(o, &out); got != "a1\nb1\nb2\n" {
		t.Errorf("a is over: %q", got)
	}
	b.Say("b3\n")
	b.Close()
	if got, want := flushed(o, &out), "a1\nb1\nb2\nb3\nc1\n"; got != want {
		t.Errorf("in the end %q, want %q", got, want)
	}
}

func TestDetachedSegmentsArePrintedWhereTheyAreInserted(t *testing.T) {
	var out bytes.Buffer
	o, a := New(Config{Stdout: &out, Stderr: &out})
	last := a.After()
	b, c, d, empty := o.Detached(), o.Detached(), o.Detached(), o.Detached()
	d.Say("d\n")
	d.Finish()
	c.Insert(d)
	c.Finish()
	if empty.Finish(); !empty.Lone() || c.Lone() || b.Lone() {
		t.Error("only an empty segment with none after it is lone")
	}
	last.Say("last\n")
	last.Finish()
	a.Insert(b, c, empty)
	a.Say("a\n")
	a.Finish()
	if b.next != d || d.prev != b {
		t.Error("empty segments are kept")
	}
	b.Say("b\n")
	b.Finish()
	if got, want := flushed(o, &out), "a\nb\nd\nlast\n"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	if o.head != nil {
		t.Error("a segment is left")
	}
}

func TestEmptySegmentsThatAreFinishedAreForgotten(t *testing.T) {
	o, a := New(Config{Stdout: io.Discard, Stderr: io.Discard})
	var all []*Segment
	for range 100 {
		all = append(all, o.Detached())
	}
	a.Insert(all...)
	for _, i := range rand.Perm(len(all)) {
		all[i].Finish()
	}
	if a.next != nil {
		t.Error("empty segments are kept")
	}
}

func flushed(o *Output, out *bytes.Buffer) string {
	o.flush()
	return out.String()
}

func TestDeferredActsComeInTheirTurn(t *testing.T) {
	var out bytes.Buffer
	o, a := New(Config{Stdout: &out, Stderr: io.Discard})
	b := a.After()
	act := func(text string) func(*Segment) {
		return func(now *Segment) { now.Say("%s", Plain(text)) }
	}
	if !b.Later(act("act 1\n")) || !b.Later(act("act 2\n")) {
		t.Fatal("b's turn came before a was over")
	}
	b.Say("then\n")
	if a.Later(act("")) {
		t.Error("a had to wait for itself")
	}
	a.Say("a\n")
	a.Close()
	if b.Later(act("")) {
		t.Error("b had to wait though it was its turn")
	}
	if got, want := flushed(o, &out), "a\nact 1\nact 2\nthen\n"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

// TestManyPrintAtOnce runs goroutines that split, fill and close segments, and compares their output with that
// of one goroutine that does everything in order.
func TestManyPrintAtOnce(t *testing.T) {
	var out bytes.Buffer
	o, a := New(Config{Stdout: &out, Stderr: &out})
	var want strings.Builder
	var all sync.WaitGroup
	last := a
	for i := range 200 {
		p := last
		last = p.After()
		inner := p.After()
		fmt.Fprintf(&want, "%d\ninner %d\nact %d\n", i, i, i)
		all.Go(func() {
			p.Say("%d\n", i)
			p.Close()
		})
		all.Go(func() {
			for range rand.IntN(3) {
				inner.Say("")
			}
			inner.Say("inner %d\n", i)
			act := func(now *Segment) { now.Say("act %d\n", i) }
			if !inner.Later(act) {
				act(inner)
			}
			inner.Close()
		})
	}
	all.Wait()
	last.Close()
	if got := flushed(o, &out); got != want.String() {
		t.Errorf("out of order:\n%s", got)
	}
}
