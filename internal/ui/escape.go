package ui

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// Escape returns a name in a form that is safe to print and unambiguous: a backslash becomes two backslashes;
// each byte of control characters, of invalid UTF-8, and of characters that reorder bidirectional text becomes
// \ooo. The result is valid UTF-8 on one line, and different names stay different.
func Escape(name string) string {
	if strings.IndexFunc(name, unsafeRune) < 0 {
		return name
	}
	return string(appendEscaped(make([]byte, 0, len(name)+16), name))
}

// appendEscaped appends Escape(name) to b.
func appendEscaped(b []byte, name string) []byte {
	for name != "" {
		i := strings.IndexFunc(name, unsafeRune)
		if i < 0 {
			return append(b, name...)
		}
		b = append(b, name[:i]...)
		_, n := utf8.DecodeRuneInString(name[i:])
		b = appendUnsafe(b, name[i:i+n])
		name = name[i+n:]
	}
	return b
}

// An escaper appends a name in a form that is safe to print.
type escaper func(b []byte, name string) []byte

// appendAsRsync appends a name as rsync's lists show it, which scripts parse: bytes that are not safe to print become
// \#ooo, and a backslash only where it would look like one of those. Tabs stay. Unlike rsync, it escapes all that
// [unsafeRune] names.
func appendAsRsync(b []byte, name string) []byte {
	for i, r := range name {
		_, n := utf8.DecodeRuneInString(name[i:])
		char := name[i : i+n]
		if r == '\t' || r == '\\' && !looksEscaped(name[i:]) || char == "\uFFFD" || !unsafeRune(r) {
			b = append(b, char...)
			continue
		}
		for j := range len(char) {
			c := char[j]
			b = append(b, '\\', '#', '0'+c>>6, '0'+c>>3&7, '0'+c&7)
		}
	}
	return b
}

// looksEscaped reports whether text begins as an escaped byte does.
func looksEscaped(text string) bool {
	digits, found := strings.CutPrefix(text, `\#`)
	return found && len(digits) >= 3 && strings.Trim(digits[:3], "0123456789") == ""
}

// appendUnsafe appends the bytes of one character that [unsafeRune] is true for.
func appendUnsafe(b []byte, char string) []byte {
	switch char {
	case `\`:
		return append(b, `\\`...)
	case "\uFFFD":
		return append(b, char...) // the character itself, not an invalid byte
	}
	for i := range len(char) {
		c := char[i]
		b = append(b, '\\', '0'+c>>6, '0'+c>>3&7, '0'+c&7)
	}
	return b
}

// unsafeRune reports whether r must not be printed unescaped. Invalid UTF-8 arrives as RuneError.
func unsafeRune(r rune) bool {
	switch {
	case r == '\\', r == utf8.RuneError:
		return true
	case r >= 0x202A && r <= 0x202E, r >= 0x2066 && r <= 0x2069:
		return true
	}
	return unicode.IsControl(r)
}
