// Package printable makes what hosts and commands say fit to be shown to people.
package printable

import (
	"strings"
	"unicode"
)

// MaxLength is the most bytes that are shown of what a peer says.
const MaxLength = 1000

// Text returns what a peer says so that it can be shown: on one line, with semicolons between its lines, without control
// characters, in whose places there are question marks, and not too long. Nothing in it is escaped, for that is done
// where names and messages are shown.
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

// LastLine returns the last line of what a process or a peer has said.
func LastLine(text string) string {
	text = strings.TrimSpace(text)
	return Text(text[strings.LastIndexByte(text, '\n')+1:])
}
