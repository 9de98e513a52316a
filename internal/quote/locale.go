package quote

import "strings"

// UTF8 reports whether the environment asks for a UTF-8 locale: the first non-empty variable of LC_ALL,
// LC_CTYPE and LANG names the character set after a dot, as in en_US.UTF-8. UTF8 does not check that the
// locale is installed; if it is not, a C program falls back to ASCII.
func UTF8(getenv func(string) string) bool {
	for _, key := range []string{"LC_ALL", "LC_CTYPE", "LANG"} {
		if locale := getenv(key); locale != "" {
			_, codeset, _ := strings.Cut(locale, ".")
			codeset, _, _ = strings.Cut(codeset, "@")
			return strings.EqualFold(strings.ReplaceAll(codeset, "-", ""), "utf8")
		}
	}
	return false
}
