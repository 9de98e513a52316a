package getopt

import "strings"

// A Word is one of the arguments that an option allows. Several words may stand for one value.
type Word[T comparable] struct {
	Name  string
	Value T
}

// Match returns the value that arg stands for, as argmatch of gnulib does: a word may be abbreviated if only
// one value matches. If none or several match, the [Error] names the option, which is context, and lists the
// words, all quoted by quote.
func Match[T comparable](arg, context string, words []Word[T], quote func(string) string) (T, error) {
	var found []Word[T]
	for _, w := range words {
		switch {
		case !strings.HasPrefix(w.Name, arg):
		case w.Name == arg:
			return w.Value, nil
		case len(found) == 0 || w.Value != found[0].Value:
			found = append(found, w)
		}
	}
	if len(found) == 1 {
		return found[0].Value, nil
	}
	problem := "invalid"
	if len(found) > 1 {
		problem = "ambiguous"
	}
	var zero T
	return zero, errorf("%s argument %s for %s\nValid arguments are:%s",
		problem, quote(arg), quote(context), list(words, quote))
}

// list returns a line for each value, with all consecutive words that stand for it.
func list[T comparable](words []Word[T], quote func(string) string) string {
	var b strings.Builder
	for i, w := range words {
		separator := "\n  - "
		if i > 0 && w.Value == words[i-1].Value {
			separator = ", "
		}
		b.WriteString(separator + quote(w.Name))
	}
	return b.String()
}
