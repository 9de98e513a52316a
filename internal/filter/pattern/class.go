package pattern

import "strings"

// set says of each byte whether it is a member.
type set [256]bool

// addRange adds the bytes from lo to hi. It adds lo even if hi is lower, because each byte of a class is a
// member by itself before it may begin a range.
func (s *set) addRange(lo, hi byte) {
	s[lo] = true
	for c := int(lo); c <= int(hi); c++ {
		s[c] = true
	}
}

func (s *set) addNamed(in func(c byte) bool) {
	for c := range s {
		if in(byte(c)) {
			s[c] = true
		}
	}
}

// members lists the bytes in s if in is true, and the bytes outside of s otherwise.
func (s *set) members(in bool) []byte {
	var list []byte
	for c := range s {
		if s[c] == in {
			list = append(list, byte(c))
		}
	}
	return list
}

// scanClass reads the class that text begins with and returns its length, or 0 if the class is malformed. A
// class never contains a slash, negated or not.
func scanClass(text string) (s set, n int) {
	i := 1
	negated := strings.HasPrefix(text[i:], "!") || strings.HasPrefix(text[i:], "^")
	if negated {
		i++
	}
	for first := true; ; first = false {
		if i == len(text) {
			return s, 0
		}
		if text[i] == ']' && !first {
			break
		}
		if strings.HasPrefix(text[i:], "[:") {
			name, ok, closed := scanName(text[i:])
			if !closed {
				return s, 0
			}
			if ok {
				in := classOf(name)
				if in == nil {
					return s, 0
				}
				s.addNamed(in)
				i += len(name) + len("[::]")
				continue
			}
		}
		lo, next := classByte(text, i)
		if next == 0 {
			return s, 0
		}
		i = next
		hi := lo
		if i+1 < len(text) && text[i] == '-' && text[i+1] != ']' {
			if hi, i = classByte(text, i+1); i == 0 {
				return s, 0
			}
		}
		s.addRange(lo, hi)
	}
	if negated {
		for c := range s {
			s[c] = !s[c]
		}
	}
	s['/'] = false
	return s, i + 1
}

// classByte returns the byte at text[i], or the byte that a backslash there quotes, and the index of the next
// byte, or 0 at the end of text.
func classByte(text string, i int) (c byte, next int) {
	if text[i] == '\\' {
		if i++; i == len(text) {
			return 0, 0
		}
	}
	return text[i], i + 1
}

// scanName reads a class name such as [:alpha:]. Without the colon before the
// next "]", the bracket that text begins with is ordinary; without that "]",
// the whole class is not closed.
func scanName(text string) (name string, ok, closed bool) {
	end := strings.IndexByte(text[2:], ']')
	if end < 0 {
		return "", false, false
	}
	name, ok = strings.CutSuffix(text[2:2+end], ":")
	return name, ok, true
}

// classOf returns the POSIX class of the C locale that has a name, or nil.
func classOf(name string) func(c byte) bool {
	return map[string]func(c byte) bool{
		"alnum":  func(c byte) bool { return letter(c) || digit(c) },
		"alpha":  letter,
		"blank":  func(c byte) bool { return c == ' ' || c == '\t' },
		"cntrl":  func(c byte) bool { return c < ' ' || c == 0x7f },
		"digit":  digit,
		"graph":  graph,
		"lower":  func(c byte) bool { return 'a' <= c && c <= 'z' },
		"print":  func(c byte) bool { return c == ' ' || graph(c) },
		"punct":  func(c byte) bool { return graph(c) && !letter(c) && !digit(c) },
		"space":  func(c byte) bool { return c == ' ' || '\t' <= c && c <= '\r' },
		"upper":  func(c byte) bool { return 'A' <= c && c <= 'Z' },
		"xdigit": func(c byte) bool { return digit(c) || 'a' <= c|0x20 && c|0x20 <= 'f' },
	}[name]
}

func letter(c byte) bool { return 'a' <= c|0x20 && c|0x20 <= 'z' }
func digit(c byte) bool  { return '0' <= c && c <= '9' }
func graph(c byte) bool  { return ' ' < c && c < 0x7f }
