package dirnames

import (
	"slices"
	"strconv"
	"testing"
)

// TestSubset has a name in the set twice, as if two names had the same hash.
func TestSubset(t *testing.T) {
	for _, n := range []int{0, 1, 63, 64, 65, 1000} {
		var s Set
		for i := range n {
			s.Add(strconv.Itoa(i))
		}
		if n > 0 {
			s.Add("0")
		}
		s.Sort()
		found := s.Subset()
		var want []uint64
		for i := range n + 1 {
			name := strconv.Itoa(i)
			switch {
			case i == n:
				if found.Add(name) {
					t.Errorf("%d names: one more was found", n)
				}
			case i%3 != 0:
				want = append(want, Hash(name))
			case !found.Add(name):
				t.Errorf("%d names: %s was not found", n, name)
			}
		}
		slices.Sort(want)
		if got := found.Rest(); !slices.Equal(got, want) {
			t.Errorf("%d names: got %d hashes, want %d", n, len(got), len(want))
		}
	}
}
