package kernel

import (
	"strings"
	"unicode"
)

// decomposed replaces the composed letters that a simulated Mac knows. They are few, since tests do not need all of
// Unicode.
var decomposed = strings.NewReplacer(
	"á", "a\u0301", "à", "a\u0300", "â", "a\u0302", "ä", "a\u0308", "å", "a\u030a", "ã", "a\u0303",
	"ç", "c\u0327", "é", "e\u0301", "è", "e\u0300", "ê", "e\u0302", "ë", "e\u0308",
	"í", "i\u0301", "ñ", "n\u0303", "ó", "o\u0301", "ö", "o\u0308", "ú", "u\u0301", "ü", "u\u0308",
	"Á", "A\u0301", "À", "A\u0300", "Â", "A\u0302", "Ä", "A\u0308", "Å", "A\u030a", "Ã", "A\u0303",
	"Ç", "C\u0327", "É", "E\u0301", "È", "E\u0300", "Ê", "E\u0302", "Ë", "E\u0308",
	"Í", "I\u0301", "Ñ", "N\u0303", "Ó", "O\u0301", "Ö", "O\u0308", "Ú", "U\u0301", "Ü", "U\u0308",
)

// decompose returns a name in the form that HFS+ keeps (NFD).
func decompose(name string) string { return decomposed.Replace(name) }

// foldMac returns a key that is equal for names that a Mac treats as the same.
func foldMac(name string) string {
	return strings.Map(unicode.ToLower, decompose(name))
}
