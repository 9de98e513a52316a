// Package printable makes the output of hosts and commands safe to show.
package printable

import (
	"strings"
	"unicode"
)

// MaxLength is the maximum number of bytes shown of the output of a peer.
const MaxLength = 1000

// Text returns the output of a peer in a form that is safe to show: on one line, with semicolons between lines, with
// question marks in place of control characters, and at most MaxLength bytes. It does not escape anything, because
// names and messages are escaped when they are shown.
func Text(text string) string {
	text = strings.ReplaceAll(strings.TrimSpace(text), "\r\n", "\n")
	text = strings.ToValidUTF8(text[:min(len(text), MaxLength)], "?")
	text = strings.ReplaceAll(strings.TrimSpace(text), "\n", "; ")
	return strings.Map(func(r rune) rune {
		if r == ' ' || unicode.IsGraphic(r) && r != unicode.ReplacementChar {
			return r
		}
		return '?'
	}, text)
}

// LastLine returns the last line of the output of a process or a peer.
func LastLine(text string) string {
	text = strings.TrimSpace(text)
	return Text(text[strings.LastIndexByte(text, '\n')+1:])
}
