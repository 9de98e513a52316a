package main

import (
	"maps"
	"slices"
)

// shrink returns a scenario that fails as s does, and has as little as possible of it.
func shrink(s scenario, f *failure, try func(scenario) *failure) (scenario, *failure) {
	accept := func(smaller scenario) bool {
		if s.sound() && !smaller.sound() || s.list != nil && len(smaller.list) == 0 {
			return false
		}
		g := try(smaller)
		if g == nil || g.what != f.what {
			return false
		}
		s, f = smaller, g
		return true
	}
	for progress := true; progress; {
		progress = false
		for i := len(s.args) - 1; i >= 0; i-- {
			smaller := s
			smaller.args = slices.Delete(slices.Clone(s.args), i, i+1)
			progress = accept(smaller) || progress
		}
		for i := len(s.keep) - 1; i >= 0; i-- {
			smaller := s
			smaller.keep = append([]string{}, slices.Delete(slices.Clone(s.keep), i, i+1)...)
			progress = accept(smaller) || progress
		}
		for i := len(s.list) - 1; i >= 0; i-- {
			smaller := s
			smaller.list = slices.Delete(slices.Clone(s.list), i, i+1)
			progress = accept(smaller) || progress
		}
		for _, part := range []func(*scenario) *tree{
			func(s *scenario) *tree { return &s.source },
			func(s *scenario) *tree { return &s.dest },
			func(s *scenario) *tree { return &s.spare },
		} {
			for _, at := range part(&s).paths() {
				if e := (*part(&s))[at]; e.extra != nil && e.kind != 'c' && e.kind != 'b' {
					smaller := s
					*part(&smaller) = maps.Clone(*part(&s))
					e.extra = nil
					(*part(&smaller))[at] = e
					progress = accept(smaller) || progress
				}
				smaller := s
				*part(&smaller) = part(&s).without(at)
				gone := func(name string) bool { return smaller.source[name].kind == 0 }
				smaller.closed = slices.DeleteFunc(slices.Clone(s.closed), gone)
				smaller.list = slices.DeleteFunc(slices.Clone(s.list), gone)
				progress = accept(smaller) || progress
			}
		}
	}
	return s, f
}
