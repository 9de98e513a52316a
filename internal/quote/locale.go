package quote

import "strings"

// UTF8 reports whether the environment asks for a locale whose character set is UTF-8:
// the first of LC_ALL, LC_CTYPE and LANG that is not empty names it after a dot, as in
// en_US.UTF-8. It cannot see whether that locale is installed; where it is not, a C
// program falls back to ASCII.
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
