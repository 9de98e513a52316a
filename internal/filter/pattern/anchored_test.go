package pattern

import "testing"

func TestAnchored(t *testing.T) {
	for _, path := range []string{"mnt", "mnt/backup", `a\b`, "a*b", "a?", "[x]", `a\*[b]\`, "a b", "-x", "!", "#", "a**", "***"} {
		p, err := Compile(Anchored(path))
		if err != nil {
			t.Errorf("%s: %v", path, err)
			continue
		}
		if !p.Match(path, true) {
			t.Errorf("%s: %s does not match it", path, Anchored(path))
		}
		for _, other := range []string{"in/" + path, path + "x", "other", "axb", "x", "ax"} {
			if other != path && p.Match(other, true) {
				t.Errorf("%s: %s matches %s", path, Anchored(path), other)
			}
		}
	}
}
