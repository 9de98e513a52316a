package filter

// wide returns s with a rune for each byte, which has the byte's value: what
// ISO 8859-1 text looks like in UTF-8. The glob library, which goes by runes,
// thereby goes by bytes. ASCII stays as it is.
func wide(s string) string {
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
