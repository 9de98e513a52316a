package hardlink

import (
	"testing"

	"psync/internal/vfs"
)

// A table uses strings for places.
type (
	table = Table[string]
	group = Group[string]
)

func linked(ino, nlink uint64) vfs.Attr { return vfs.Attr{Ino: ino, Nlink: nlink} }

func TestJoin(t *testing.T) {
	for _, tt := range []struct {
		name         string
		before       []vfs.Attr
		attr         vfs.Attr
		known        bool
		member, lead bool
	}{
		{"one name", nil, linked(1, 1), false, false, false},
		{"one name of what was removed otherwise", nil, linked(1, 1), true, false, false},
		{"the first of two", nil, linked(1, 2), false, true, true},
		{"the second of two", []vfs.Attr{linked(1, 2)}, linked(1, 2), false, true, false},
		{"the second, where the first was removed", []vfs.Attr{linked(1, 2)}, linked(1, 1), true, true, false},
		{"the second, where the first was removed by others", []vfs.Attr{linked(1, 2)}, linked(1, 1), false, false, false},
		{"another entry", []vfs.Attr{linked(1, 2)}, linked(2, 2), false, true, true},
	} {
		var tab table
		for _, attr := range tt.before {
			tab.Join(attr, false)
		}
		if g, lead := tab.Join(tt.attr, tt.known); (g != nil) != tt.member || lead != tt.lead {
			t.Errorf("%s: member %v, leads %v", tt.name, g != nil, lead)
		}
	}
}

// TestLeading checks the states of a group, step by step.
func TestLeading(t *testing.T) {
	steps := map[string]func(*table, *group){
		"lead":     func(tab *table, g *group) { tab.Lead(g) },
		"end lead": (*table).EndLead,
		"copy":     func(tab *table, g *group) { tab.SetCopy(g, Copy[string]{At: "a"}) },
		"partial":  func(tab *table, g *group) { tab.SetCopy(g, Copy[string]{At: "b", Partial: true}) },
	}
	for _, tt := range []struct {
		steps []string
		state State
		copy  Copy[string]
	}{
		{nil, Led, Copy[string]{}}, // led by the worker that joined
		{[]string{"end lead"}, Free, Copy[string]{}},
		{[]string{"end lead", "end lead"}, Free, Copy[string]{}},
		{[]string{"end lead", "lead"}, Led, Copy[string]{}},
		{[]string{"copy"}, Copied, Copy[string]{At: "a"}},
		{[]string{"copy", "lead"}, Copied, Copy[string]{At: "a"}},
		{[]string{"copy", "end lead"}, Copied, Copy[string]{At: "a"}}, // by a worker that could not link and copied again
		{[]string{"copy", "partial"}, Copied, Copy[string]{At: "b", Partial: true}},
		{[]string{"partial", "copy"}, Copied, Copy[string]{At: "a", Partial: true}},
	} {
		var tab table
		g, _ := tab.Join(linked(1, 3), false)
		for _, s := range tt.steps {
			steps[s](&tab, g)
		}
		c, copied := tab.Copy(g)
		if state := g.state; state != tt.state || c != tt.copy || copied != (state == Copied) {
			t.Errorf("%v: state %v, copy %+v, %v", tt.steps, state, c, copied)
		}
	}
}

// TestForgetting counts names of a group, which starts over after the last one.
func TestForgetting(t *testing.T) {
	for _, repeat := range []bool{false, true} {
		tab := table{NamesRepeat: repeat}
		g, _ := tab.Join(linked(1, 2), false)
		tab.SetCopy(g, Copy[string]{At: "a"})
		tab.Done(g)
		if again, _ := tab.Join(linked(1, 2), false); again != g {
			t.Errorf("repeat %v: forgotten after the first name", repeat)
		}
		tab.Done(g)
		if again, lead := tab.Join(linked(1, 2), false); lead == repeat || (again == g) != repeat {
			t.Errorf("repeat %v: after the last name, leads %v", repeat, lead)
		}
	}
}

func TestClaim(t *testing.T) {
	var tab table
	x, y := vfs.ID{Ino: 1}, vfs.ID{Ino: 2}
	for i, tt := range []struct {
		there, by vfs.ID
		want      bool
	}{{x, x, true}, {x, x, true}, {x, y, false}, {y, x, true}} {
		if got := tab.Claim(tt.there, tt.by); got != tt.want {
			t.Errorf("claim %d: %v", i, got)
		}
	}
}

func TestCounterparts(t *testing.T) {
	a, b := vfs.ID{Ino: 1}, vfs.ID{Ino: 2}
	for _, tt := range []struct {
		name     string
		src, dst vfs.ID
		want     bool
	}{
		{"once more", a, a, true},
		{"others", b, b, true},
		{"two names of one are names of two", a, b, false},
		{"names of two are names of one", b, a, false},
	} {
		var tab table
		tab.Counterparts(a, a)
		if got := tab.Counterparts(tt.src, tt.dst); got != tt.want {
			t.Errorf("%s: %v", tt.name, got)
		}
	}
}
