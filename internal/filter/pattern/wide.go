package pattern

// Wide returns s with one rune for each byte; the rune has the byte's value, as in ISO 8859-1 text encoded in
// UTF-8. Thus the glob library, which matches runes, matches bytes. ASCII stays unchanged.
func Wide(s string) string {
	if ascii(s) {
		return s
	}
	runes := make([]rune, len(s))
	for i := range len(s) {
		runes[i] = rune(s[i])
	}
	return string(runes)
}

func ascii(s string) bool {
	for i := range len(s) {
		if s[i] >= 0x80 {
			return false
		}
	}
	return true
}
