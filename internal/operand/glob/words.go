package glob

import "strings"

// Words cuts a path into words, as a shell does: at blanks, but for those in quotes or behind a backslash. Quotes and
// backslashes are taken away, and what is quoted of wildcards gets a backslash for [Expand].
func Words(text string) []string {
	var words []string
	var b strings.Builder
	quote, inWord := byte(0), false
	literally := func(c byte) {
		if strings.IndexByte(wildcards, c) >= 0 {
			b.WriteByte('\\')
		}
		b.WriteByte(c)
		inWord = true
	}
	for i := 0; i < len(text); i++ {
		c := text[i]
		switch {
		case c == quote:
			quote = 0
		case c == '\\' && quote != '\'' && i+1 < len(text):
			i++
			if quote == '"' && strings.IndexByte("\"\\$`", text[i]) < 0 {
				literally(c)
			}
			literally(text[i])
		case quote != 0:
			literally(c)
		case c == '\'' || c == '"':
			quote, inWord = c, true
		case c == ' ' || c == '\t' || c == '\n':
			if inWord {
				words = append(words, b.String())
			}
			b.Reset()
			inWord = false
		default:
			b.WriteByte(c)
			inWord = true
		}
	}
	if inWord {
		words = append(words, b.String())
	}
	return words
}
