package pattern

import "strings"

// Futile returns why a pattern most likely matches nothing below a directory, and what to write instead; or "". dir is the
// directory's absolute path, or "" if it is not known.
func Futile(text, dir string) (why string) {
	named := strings.TrimLeft(strings.TrimPrefix(text, "."), "/")
	rest, below := strings.CutPrefix(text, strings.TrimSuffix(dir, "/")+"/")
	switch {
	case strings.HasPrefix(text, "./") && named == "":
		return "no path begins with ./"
	case strings.HasPrefix(text, "./"):
		return "no path begins with ./; what SRC holds by that name is /" + named
	case dir != "" && dir != "/" && below && rest != "":
		return "paths begin at SRC, so what is meant is /" + rest
	case strings.HasPrefix(text, "~/"):
		return "~ stands for itself; what SRC holds by that name is " + text[1:]
	case hasAlternatives(text):
		return "braces stand for themselves; write a rule for each of the names"
	}
	return ""
}

// hasAlternatives reports whether a shell would make several words of a pattern, as of {a,b}. It makes one of \{a,b}.
func hasAlternatives(text string) bool {
	if strings.Contains(text, `\`) {
		return false
	}
	_, behind, opened := strings.Cut(text, "{")
	inside, _, closed := strings.Cut(behind, "}")
	return opened && closed && strings.Contains(inside, ",")
}
