package plan_test

import (
	"testing"

	"psync/internal/plan"
)

const composed, decomposed = "caf\u00e9", "cafe\u0301"

func TestPrimary(t *testing.T) {
	for _, tt := range []struct {
		name          string
		names, listed []string
		want          int
	}{
		{"nothing is there", []string{"A", "a"}, nil, 0},
		{"the first is there", []string{"A", "a"}, []string{"A"}, 0},
		{"the second is there", []string{"A", "a"}, []string{"a"}, 1},
		{"both are there", []string{"A", "a"}, []string{"a", "A"}, 0},
		{"spelled in a third way", []string{"AB", "ab"}, []string{"Ab"}, 0},
	} {
		if got := plan.Primary(tt.names, tt.listed); got != tt.want {
			t.Errorf("%s: got %d, want %d", tt.name, got, tt.want)
		}
	}
}

func TestIsAlias(t *testing.T) {
	for _, tt := range []struct {
		name          string
		first, second string
		listed        []string
		sameID, want  bool
	}{
		{"two entries", "A", "a", []string{"A", "a"}, false, false},
		{"two entries, hard links", "A", "a", []string{"A", "a"}, true, false},
		{"one entry", "A", "a", []string{"A"}, true, true},
		{"one entry, numbered anew for each name", "A", "a", []string{"A"}, false, true},
		{"one entry, spelled as the second", "A", "a", []string{"a"}, true, true},
		{"one entry, spelled otherwise", "AB", "ab", []string{"Ab"}, true, true},
		{"a stale listing, one entry", "A", "a", nil, true, true},
		{"a stale listing, two entries", "A", "a", nil, false, false},
		{"stored decomposed, one entry", composed, "CAFE\u0301", []string{decomposed}, true, true},
		{"stored decomposed, two entries", "CAF\u00c9", composed, []string{"CAFE\u0301", decomposed}, false, false},
		{"two forms of one name, beside another", composed, decomposed, []string{decomposed, "CAFE\u0301"}, true, true},
		{"two forms of one name, beside another, second form unlisted", composed, decomposed, []string{composed, "CAF\u00c9"}, true, true},
		{"two forms of one name, both listed", composed, decomposed, []string{composed, decomposed}, false, false},
		{"first is the alias, beside another", "ASS", "ass", []string{"ass", "a\u00df"}, true, true},
		{"an alias of a third", "A", "\u212a", []string{"A", "k"}, false, true},
	} {
		if got := plan.IsAlias(tt.first, tt.second, tt.listed, tt.sameID); got != tt.want {
			t.Errorf("%s: got %v, want %v", tt.name, got, tt.want)
		}
	}
}
