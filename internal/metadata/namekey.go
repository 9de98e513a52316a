package metadata

import (
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// Folding says whether a volume takes names for the same that differ only in case,
// or in how Unicode composes a letter. See [vfs.Volume].
type Folding bool

// Key returns what names have in common that are the same to a volume. Where it folds,
// that is the caseless matching of Unicode (section 3.13, D145): names are decomposed,
// folded in full, so that ß is ss, and composed. So does APFS, and so do directories
// of ext4 and f2fs that fold. HFS+, vfat and NTFS distinguish more names: they fold letter by letter,
// by tables of their own, and the latter two do not compose. HFS+ does not see some
// characters that have no looks, which therefore are not in the key.
//
// A key that is too coarse makes a copier report that it cannot keep both of two names,
// one that is too fine makes it delete what it has just written under the other name. So
// this one is the coarsest that any volume could want. Of names that are not UTF-8, which
// few of these volumes take, no more than ASCII is folded.
func (f Folding) Key(name string) string {
	if !bool(f) || isFolded(name) {
		return name
	}
	folded := make([]byte, 0, len(name)+8)
	if !utf8.ValidString(name) {
		for _, c := range []byte(name) {
			folded = append(folded, lower(c))
		}
		return string(folded)
	}
	for _, r := range norm.NFD.String(name) {
		folded = appendFolded(folded, r)
	}
	return string(norm.NFC.Bytes(folded))
}

// Composed returns the form in which names are equal that differ only in how Unicode
// composes a letter.
func Composed(name string) string { return norm.NFC.String(name) }

func lower(c byte) byte {
	if 'A' <= c && c <= 'Z' {
		c += 'a' - 'A'
	}
	return c
}

// isFolded reports whether a name is its own key, if it is ASCII.
func isFolded(name string) bool {
	for i := range len(name) {
		if c := name[i]; c >= utf8.RuneSelf || c != lower(c) {
			return false
		}
	}
	return true
}

// appendFolded appends what all cases of a letter have in common.
func appendFolded(p []byte, r rune) []byte {
	switch {
	case r < utf8.RuneSelf:
		return append(p, lower(byte(r)))
	case isInvisible(r):
		return p
	}
	if s := foldLong(r); s != "" {
		return append(p, s...)
	}
	least := r
	for next := unicode.SimpleFold(r); next != r; next = unicode.SimpleFold(next) {
		least = min(least, next)
	}
	if unicode.SimpleFold(r) != r {
		r = unicode.ToLower(unicode.ToUpper(least)) // not U+0345, an accent, but iota
	}
	return utf8.AppendRune(p, r)
}

// foldLong returns what a letter is folded to if that is more than one: the rows of
// CaseFolding.txt with status F, but for those of letters that decompose.
func foldLong(r rune) string {
	switch r {
	case 'ß', 'ẞ':
		return "ss"
	case 'ŉ':
		return "ʼn"
	case 'ẚ':
		return "aʾ"
	case 'և':
		return "եւ"
	case 'ﬀ':
		return "ff"
	case 'ﬁ':
		return "fi"
	case 'ﬂ':
		return "fl"
	case 'ﬃ':
		return "ffi"
	case 'ﬄ':
		return "ffl"
	case 'ﬅ', 'ﬆ':
		return "st"
	case 'ﬓ':
		return "մն"
	case 'ﬔ':
		return "մե"
	case 'ﬕ':
		return "մի"
	case 'ﬖ':
		return "վն"
	case 'ﬗ':
		return "մխ"
	}
	return ""
}

// isInvisible reports whether HFS+ ignores a character (Apple TN1150, FastUnicodeCompare):
// joiners, marks of direction and the like. U+034F is what x/text separates more accents by than
// anybody could want.
func isInvisible(r rune) bool {
	return r == 0x34f || r == 0xfeff || 0x200c <= r && r <= 0x200f || 0x202a <= r && r <= 0x202e || 0x206a <= r && r <= 0x206f
}
