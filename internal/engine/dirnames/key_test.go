package dirnames

import (
	"strings"
	"testing"
)

// TestKeySet adds more keys than there is room for at first.
func TestKeySet(t *testing.T) {
	var s KeySet
	for round := range 3 {
		s.Grow(1000)
		for h := range uint64(1000) {
			if added := s.Add(h * h * 7919); added != (round == 0 && h != 0 || round == 0) {
				t.Fatalf("round %d: %d is new: %v", round, h, added)
			}
		}
	}
	if len(s.slots) > 8192 {
		t.Errorf("%d slots for %d hashes", len(s.slots), s.n)
	}
}

func TestKey(t *testing.T) {
	for _, same := range [][2]string{{"a", "A"}, {"a.", "A"}, {"a . ", "a"}, {"\u00e9", "E\u0301"}, {"...", "..."}, {"\xff", "\xff"}} {
		if Key(same[0]) != Key(same[1]) {
			t.Errorf("%q and %q have other keys", same[0], same[1])
		}
	}
	for _, name := range []string{"Makefile", "a.", "a ", "\u00c9", "", "...", strings.Repeat("A", 64), strings.Repeat("A", 65), "aZ[@`{"} {
		if KeyHash(name) != Hash(Key(name)) {
			t.Errorf("%q: the hash is not that of the key", name)
		}
	}
	for _, other := range [][2]string{{"a", "b"}, {".a", "a"}, {"...", ".."}, {" ", "."}} {
		if other[0] != " " && Key(other[0]) == Key(other[1]) {
			t.Errorf("%q and %q have one key", other[0], other[1])
		}
	}
}
