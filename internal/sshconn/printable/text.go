// Package printable makes what hosts and commands say fit to be shown to people.
package printable

import (
	"strconv"
	"strings"
)

// MaxLength is the most bytes that are shown of what a peer says.
const MaxLength = 1000

// Text returns what a peer says so that it can be shown: on one line, without control characters, and not too long.
func Text(text string) string {
	text = strings.TrimSpace(text)
	text = text[:min(len(text), MaxLength)]
	quoted := strconv.QuoteToGraphic(text)
	quoted = quoted[1 : len(quoted)-1]
	return strings.ReplaceAll(quoted, `\"`, `"`)
}

// LastLine returns the last line of what a process or a peer has said.
func LastLine(text string) string {
	text = strings.TrimSpace(text)
	return Text(text[strings.LastIndexByte(text, '\n')+1:])
}
