package filter

import (
	"slices"
	"sync/atomic"
)

// A Typed rule is the value of an option.
type Typed struct{ Option, Value string }

// typed is what the rules of all directories share of a rule that was typed.
type typed struct {
	Typed
	matched atomic.Bool // the rule has decided about a path
}

func newTyped(option, value string) *typed {
	if option == "" {
		return nil
	}
	return &typed{Typed: Typed{option, value}}
}

// match records a match, and does not write to memory that others read if there was one before.
func (t *typed) match() {
	if t != nil && !t.matched.Load() {
		t.matched.Store(true)
	}
}

// Unmatched returns the rules of options that have decided about no path so far, each once.
func (r *Rules) Unmatched() []Typed {
	if r == nil {
		return nil
	}
	var matched, unmatched []Typed
	for _, rule := range r.rules {
		switch t := rule.typed; {
		case t == nil:
		case t.matched.Load():
			matched = append(matched, t.Typed)
		case !slices.Contains(unmatched, t.Typed):
			unmatched = append(unmatched, t.Typed)
		}
	}
	return slices.DeleteFunc(unmatched, func(t Typed) bool { return slices.Contains(matched, t) })
}
