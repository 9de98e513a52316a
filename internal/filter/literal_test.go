package filter

import "testing"

func TestAnchored(t *testing.T) {
	for _, path := range []string{"mnt", "mnt/backup", `a\b`, "a*b", "a?", "[x]", `a\*[b]\`, "a b", "-x", "!", "#", "a**", "***"} {
		var b Builder
		if err := b.Exclude(Anchored(path)); err != nil {
			t.Errorf("%s: %v", path, err)
			continue
		}
		rules := b.Rules(false)
		if !rules.Hidden(path, true) {
			t.Errorf("%s: %s does not match it", path, Anchored(path))
		}
		for _, other := range []string{"in/" + path, path + "x", "other", "axb", "x", "ax"} {
			if other != path && rules.Hidden(other, true) {
				t.Errorf("%s: %s matches %s", path, Anchored(path), other)
			}
		}
	}
}
