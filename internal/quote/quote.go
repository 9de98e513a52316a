// Package quote quotes names as the GNU tools show them, ready for a shell.
//
// The character set of the locale determines which characters are shown as they are: all printable characters
// in UTF-8, printable ASCII otherwise. See [UTF8]. Modes are shown in letters.
package quote

import (
	"iter"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Name always quotes name, so that bash and similar shells read the same bytes: in single quotes, with
// escapes in $'…' for what cannot be printed, or in double quotes if name has an apostrophe and is otherwise
// plain. The GNU tools call this style shell-escape-always.
func Name(name string, inUTF8 bool) string {
	if strings.Contains(name, "'") && plainInDouble(name, inUTF8) {
		return `"` + name + `"`
	}
	var b strings.Builder
	b.Grow(len(name) + len("''"))
	b.WriteByte('\'')
	escaping := false // within $'', which the next quote ends
	for c, printable := range chars(name, inUTF8) {
		switch {
		case !printable:
			if !escaping {
				b.WriteString(`'$'`)
			}
			writeEscape(&b, c)
		case c == "'":
			b.WriteString(`'\''`)
		default:
			if escaping {
				b.WriteString("''")
			}
			b.WriteString(c)
		}
		escaping = !printable
	}
	b.WriteByte('\'')
	return b.String()
}

// Maybe returns name unchanged if nothing in it is special to a shell or to readers of "name: message", and
// [Name] otherwise. The GNU tools call this style shell-escape, with colons quoted. Like them, Maybe does not
// consider braces around other characters special.
func Maybe(name string, inUTF8 bool) string {
	if name != "" && name != "{" && name != "}" &&
		!strings.ContainsAny(name, " !\"$&'()*:;<=>?[\\^`|") &&
		!strings.ContainsAny(name[:1], "#~") &&
		allPrintable(name, inUTF8) {
		return name
	}
	return Name(name, inUTF8)
}

// Word quotes word for use in a sentence: with ‘ and ’ in UTF-8, with ' otherwise, and with C escapes. The
// GNU tools call this style locale.
func Word(word string, inUTF8 bool) string {
	left, right := "'", "'"
	if inUTF8 {
		left, right = "‘", "’"
	}
	var b strings.Builder
	b.WriteString(left)
	for c, printable := range chars(word, inUTF8) {
		switch {
		case !printable:
			writeEscape(&b, c)
		case c == right, c == `\`:
			b.WriteString(`\` + c)
		default:
			b.WriteString(c)
		}
	}
	b.WriteString(right)
	return b.String()
}

// plainInDouble reports whether name, which is not empty, can be put in double quotes without escapes. It is
// as strict as the GNU tools, which refuse many harmless characters.
func plainInDouble(name string, inUTF8 bool) bool {
	return !strings.ContainsAny(name, "!\"$&()*;<=>?[\\^`{|}") &&
		!strings.ContainsAny(name[1:], "#~") &&
		allPrintable(name, inUTF8)
}

func allPrintable(s string, inUTF8 bool) bool {
	for _, printable := range chars(s, inUTF8) {
		if !printable {
			return false
		}
	}
	return true
}

// chars yields the characters of s, and whether each can be printed. It yields invalid bytes one by one.
func chars(s string, inUTF8 bool) iter.Seq2[string, bool] {
	return func(yield func(string, bool) bool) {
		for len(s) > 0 {
			r, n := rune(s[0]), 1
			if inUTF8 {
				r, n = utf8.DecodeRuneInString(s)
			}
			valid := r < utf8.RuneSelf || n > 1
			if !yield(s[:n], valid && isPrint(r)) {
				return
			}
			s = s[n:]
		}
	}
}

// isPrint is iswprint of the GNU C library. It accepts what [unicode.IsPrint] accepts, and also all spaces,
// invisible format characters and private use characters. The two may know different versions of Unicode.
func isPrint(r rune) bool {
	return unicode.IsPrint(r) || unicode.In(r, unicode.Zs, unicode.Cf, unicode.Co)
}

// writeEscape writes the bytes of a character as escapes that the shell and C share.
func writeEscape(b *strings.Builder, c string) {
	if '\a' <= c[0] && c[0] <= '\r' {
		b.WriteByte('\\')
		b.WriteByte("abtnvfr"[c[0]-'\a'])
		return
	}
	for i := range len(c) {
		b.Write([]byte{'\\', '0' + c[i]>>6, '0' + c[i]>>3&7, '0' + c[i]&7})
	}
}
