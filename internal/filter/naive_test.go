package filter_test

import "strings"

// naive is a reference for the package: it matches a pattern slowly, byte by byte and with the strings that
// rsync's documentation describes. It shares no code with the package.
func naive(pattern, path string, isDir bool) bool {
	if n := len(pattern); n > 1 && pattern[n-1] == '/' {
		if !isDir {
			return false
		}
		pattern = pattern[:n-1]
	}
	double := strings.Contains(pattern, "**")
	count := strings.Count(pattern, "/")
	if count == 0 && !double {
		path = path[strings.LastIndex(path, "/")+1:]
	}
	name := path
	if strings.HasPrefix(pattern, "**") {
		name = "/" + name
	}
	if strings.HasSuffix(pattern, "***") && isDir {
		name += "/"
	}
	if !strings.ContainsAny(pattern, "*?[") {
		if pattern[0] == '/' {
			return pattern[1:] == name
		}
		return pattern == name || strings.HasSuffix(name, "/"+pattern)
	}
	switch {
	case pattern[0] == '/':
		return wild(pattern[1:], name)
	case count > 0 && !double:
		parts := strings.Split(name, "/")
		return len(parts) > count && wild(pattern, strings.Join(parts[len(parts)-count-1:], "/"))
	case double && !strings.HasPrefix(pattern, "**"):
		for {
			if wild(pattern, name) {
				return true
			}
			var more bool
			if _, name, more = strings.Cut(name, "/"); !more {
				return false
			}
		}
	}
	return wild(pattern, name)
}

// wild matches all of name.
func wild(p, name string) bool {
	if p == "" {
		return name == ""
	}
	switch p[0] {
	case '*':
		rest := strings.TrimLeft(p, "*")
		for i := 0; ; i++ {
			if wild(rest, name[i:]) {
				return true
			}
			if i == len(name) || name[i] == '/' && len(p)-len(rest) == 1 {
				return false
			}
		}
	case '?':
		return name != "" && name[0] != '/' && wild(p[1:], name[1:])
	case '[':
		if name == "" || name[0] == '/' {
			return false
		}
		in, rest, ok := inClass(p[1:], name[0])
		return ok && in && wild(rest, name[1:])
	case '\\':
		p = p[1:]
		if p == "" {
			return false
		}
	}
	return name != "" && name[0] == p[0] && wild(p[1:], name[1:])
}

// inClass matches c with the class whose "[" precedes p.
func inClass(p string, c byte) (in bool, rest string, ok bool) {
	not := false
	if p != "" && (p[0] == '!' || p[0] == '^') {
		not, p = true, p[1:]
	}
	start := -1 // byte that a "-" may continue
	for first := true; ; first = false {
		switch {
		case p == "":
			return false, "", false
		case p[0] == ']' && !first:
			return in != not, p[1:], true
		case p[0] == '-' && start >= 0 && len(p) > 1 && p[1] != ']':
			p = p[1:]
			if p[0] == '\\' {
				if p = p[1:]; p == "" {
					return false, "", false
				}
			}
			in = in || start <= int(c) && c <= p[0]
			start, p = -1, p[1:]
			continue
		case strings.HasPrefix(p, "[:"):
			end := strings.Index(p[2:], "]")
			if end < 0 {
				return false, "", false
			}
			if name := p[2 : 2+end]; strings.HasSuffix(name, ":") {
				list, known := naiveClasses[name[:len(name)-1]]
				if !known {
					return false, "", false
				}
				in = in || strings.IndexByte(list, c) >= 0
				start, p = -1, p[2+end+1:]
				continue
			}
		case p[0] == '\\':
			if p = p[1:]; p == "" {
				return false, "", false
			}
		}
		start = int(p[0])
		in = in || c == p[0]
		p = p[1:]
	}
}

const (
	lower  = "abcdefghijklmnopqrstuvwxyz"
	upper  = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
	digits = "0123456789"
	punct  = "!\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~"
)

var naiveClasses = map[string]string{
	"alnum": lower + upper + digits, "alpha": lower + upper, "blank": " \t", "digit": digits,
	"graph": lower + upper + digits + punct, "lower": lower, "print": lower + upper + digits + punct + " ",
	"punct": punct, "space": " \t\n\v\f\r", "upper": upper, "xdigit": digits + "abcdefABCDEF",
	"cntrl": "\x00\x01\x02\x03\x04\x05\x06\a\b\t\n\v\f\r\x0e\x0f\x10\x11\x12\x13\x14\x15\x16\x17\x18\x19\x1a\x1b\x1c\x1d\x1e\x1f\x7f",
}
