// Package quote quotes names as the GNU tools show them, ready for a shell.
//
// What can be shown depends on the character set of the locale: in UTF-8 all printable
// characters stay as they are, elsewhere only those of ASCII. See [UTF8].
package quote

import (
	"iter"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Name quotes name, always, so that bash and its kin read the same bytes again: in single
// quotes, where what cannot be printed stands as an escape within $'…', or in double quotes
// if name has an apostrophe and is plain otherwise. The GNU tools call it the style
// shell-escape-always.
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

// Maybe returns name as it is if nothing in it is special to a shell or to readers of
// "name: message", and [Name] otherwise. The GNU tools call it the style shell-escape, with
// colons quoted. Like them it sees nothing special in braces around other characters.
func Maybe(name string, inUTF8 bool) string {
	if name != "" && name != "{" && name != "}" &&
		!strings.ContainsAny(name, " !\"$&'()*:;<=>?[\\^`|") &&
		!strings.ContainsAny(name[:1], "#~") &&
		allPrintable(name, inUTF8) {
		return name
	}
	return Name(name, inUTF8)
}

// Word quotes word for a sentence: in ‘ and ’ in UTF-8, in ' elsewhere, with backslash
// escapes that no shell reads. The GNU tools call it the style locale.
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

// plainInDouble reports whether double quotes are all that name, which is not empty, needs.
// Most of what it refuses would do no harm there; the GNU tools refuse it too.
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

// chars yields the characters of s, and whether each can be printed. A byte that is part
// of no character is yielded alone.
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

// isPrint is iswprint of the GNU C library, which has all spaces, invisible format
// characters and private use besides what [unicode.IsPrint] has. The two may know
// different versions of Unicode.
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
