package metadata

import (
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/cases"
	"golang.org/x/text/unicode/norm"
)

func TestKey(t *testing.T) {
	tests := []struct {
		name string
		same []string
	}{
		{"ascii", []string{"readme.md", "README.md", "ReadMe.MD"}},
		{"composition", []string{"é", "e\u0301", "É", "E\u0301"}},
		{"order of accents", []string{"ạ\u0308", "a\u0308\u0323", "a\u0323\u0308"}},
		{"sharp s", []string{"straße", "STRASSE", "STRAẞE", "strasse"}},
		{"kelvin, angstrom, long s", []string{"k å s", "\u212a \u212b ſ"}},
		{"sigmas", []string{"ΣΑΣ", "σας", "σασ"}},
		{"dotted i", []string{"İ", "I\u0307", "i\u0307"}},
		{"iota below", []string{"ᾳ", "α\u0345", "ᾼ", "αι", "ΑΙ"}},
		{"hangul", []string{"한", "\u1112\u1161\u11ab"}},
		{"ligature", []string{"ﬃ", "ffi", "FFI"}},
		{"georgian, cherokee, deseret", []string{"აᏣ𐐨", "Აꮳ𐐀"}},
		{"invisible characters", []string{"ab", "a\u200db", "\ufeffab\u200e"}},
		{"not UTF-8", []string{"\xffé\xc3.txt", "\xffé\xc3.TXT"}},
	}
	keys := make(map[string]string)
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			want := Folding(true).Key(tt.same[0])
			for _, name := range tt.same {
				if got := Folding(true).Key(name); got != want {
					t.Errorf("Key(%q) = %q, want %q as for %q", name, got, want, tt.same[0])
				}
			}
			if other, ok := keys[want]; ok {
				t.Errorf("has the key of %s", other)
			}
			keys[want] = tt.name
		})
	}
}

func TestKeyDistinguishes(t *testing.T) {
	names := []string{"", "a", "b", "a.", "a ", "e", "é", "è", "ı", "i", "ø", "o", "\xff", "\xfe", "\ufffd", "\u00a0", " ", "ａ", "²", "2"}
	seen := make(map[string]string)
	for _, name := range names {
		key := Folding(true).Key(name)
		if other, ok := seen[key]; ok {
			t.Errorf("%q and %q have the key %q", name, other, key)
		}
		seen[key] = name
	}
}

func TestKeyOfVolumeThatDoesNotFold(t *testing.T) {
	for _, name := range []string{"A", "e\u0301", "\xff"} {
		if got := Folding(false).Key(name); got != name {
			t.Errorf("Key(%q) = %q", name, got)
		}
	}
}

// TestKeyFoldsInFull compares keys with the folding of Unicode, letter by letter.
func TestKeyFoldsInFull(t *testing.T) {
	fold := cases.Fold()
	for r := range rune(0x20000) { // higher code points have no cases
		if !utf8.ValidRune(r) || isInvisible(r) {
			continue
		}
		s := string(r)
		want := norm.NFC.String(fold.String(norm.NFD.String(s)))
		// The key may contain another one of the letters that fold to the same letter. For Cherokee, x/text swaps
		// capital and small letters.
		got := norm.NFC.String(fold.String(norm.NFD.String(Folding(true).Key(s))))
		if got != want && !unicode.Is(unicode.Cherokee, r) {
			t.Errorf("%U: Key(%q) = %q, want %q", r, s, got, want)
		}
		if a, b := Folding(true).Key(s), Folding(true).Key(want); a != b {
			t.Errorf("%U: Key(%q) = %q, but that of what it is folded to, %q, is %q", r, s, a, want, b)
		}
	}
}

func TestKeyAllocatesNothingForLowerCase(t *testing.T) {
	n := testing.AllocsPerRun(100, func() {
		if Folding(true).Key("an ordinary name.txt") == "" {
			t.Fatal("empty")
		}
	})
	if n != 0 {
		t.Errorf("%v allocations", n)
	}
}

func FuzzKey(f *testing.F) {
	for _, s := range []string{"", "README", "straße", "E\u0301", "\xff\xc3", "ᾳ\u0323", "İI", "\u1112\u1161\u11ab", strings.Repeat("\u0301", 40) + "a"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, name string) {
		if len(name) > 1024 {
			return
		}
		fold := Folding(true)
		key := fold.Key(name)
		if again := fold.Key(key); again != key {
			t.Errorf("key of %+q is %+q, whose key is %+q", name, key, again)
		}
		if !utf8.ValidString(name) {
			return
		}
		nfd := norm.NFD.String(name)
		for _, other := range []string{norm.NFC.String(name), nfd, strings.Map(unicode.SimpleFold, nfd), cases.Fold().String(nfd)} {
			if got := fold.Key(other); got != key {
				t.Errorf("key of %+q is %+q, that of %+q is %+q", name, key, other, got)
			}
		}
	})
}
