package metadata

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// Folding says whether a volume treats names as equal that differ only in case, or in how Unicode composes a
// letter. See [vfs.Volume].
type Folding bool

// Key returns a key that is the same for all names that a volume treats as equal. If the volume folds names,
// the key follows the caseless matching of Unicode (section 3.13, D145): names are decomposed, folded in full,
// so that ß is ss, and composed. APFS, and folding directories of ext4 and f2fs, do the same. HFS+, vfat and
// NTFS distinguish more names: they fold letter by letter, by tables of their own, and the latter two do not
// compose. HFS+ ignores some invisible characters, which are therefore not in the key.
//
// A key that is too coarse makes a copier report that it cannot keep both of two names; a key that is too fine
// makes the copier delete the file that it has just written under the other name. Therefore this key is the
// coarsest that any volume could need. In names that are not UTF-8, which few of these volumes accept, only
// ASCII is folded.
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

// Composed returns a form of name that is the same for names that differ only in how Unicode composes a letter.
func Composed(name string) string { return norm.NFC.String(name) }

func lower(c byte) byte {
	if 'A' <= c && c <= 'Z' {
		c += 'a' - 'A'
	}
	return c
}

// isFolded reports whether an ASCII name is its own key.
func isFolded(name string) bool {
	for i := range len(name) {
		if c := name[i]; c >= utf8.RuneSelf || c != lower(c) {
			return false
		}
	}
	return true
}

// appendFolded appends the folded form of a letter, which is the same for all its cases.
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
		r = unicode.ToLower(unicode.ToUpper(least)) // maps to iota instead of U+0345, an accent
	}
	return utf8.AppendRune(p, r)
}

// foldLong returns the folded form of a letter if that form has several letters: the rows of CaseFolding.txt
// with status F, except those of letters that decompose.
func foldLong(r rune) string {
	const letters, folded = "ßẞŉẚևﬀﬁﬂﬃﬄﬅﬆﬓﬔﬕﬖﬗ", "ss ss ʼn aʾ եւ ff fi fl ffi ffl st st մն մե մի վն մխ"
	if i := strings.IndexRune(letters, r); i >= 0 {
		return strings.Fields(folded)[utf8.RuneCountInString(letters[:i])]
	}
	return ""
}

// isInvisible reports whether HFS+ ignores a character (Apple TN1150, FastUnicodeCompare): joiners, direction
// marks and the like. x/text inserts U+034F to separate excessively many accents.
func isInvisible(r rune) bool {
	return r == 0x34f || r == 0xfeff || 0x200c <= r && r <= 0x200f || 0x202a <= r && r <= 0x202e || 0x206a <= r && r <= 0x206f
}
