package config

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"psync/internal/sshconn/printable"
)

// maxIncludes is how deep files may include others.
const maxIncludes = 5

// read adds what the text of a configuration file says about a host. Relative names of included files are below dir.
func (k keywords) read(text []byte, host, dir string, depth int) error {
	applies := true
	for i, line := range strings.Split(string(text), "\n") {
		word, value := cutKeyword(line)
		var err error
		switch {
		case word == "host":
			applies = matchesAny(strings.Fields(value), host)
		case word == "match":
			applies, err = matches(strings.Fields(value), host)
		case !applies || word == "":
		case word == "include":
			err = k.include(strings.Fields(value), host, dir, depth+1)
		default:
			k[word] = append(k[word], value)
		}
		if err != nil {
			return fmt.Errorf("line %d: %w", i+1, err)
		}
	}
	return nil
}

// cutKeyword returns the keyword of a line, in lower case, and its value without the quotes around it. Comments have none.
func cutKeyword(line string) (word, value string) {
	line, _, _ = strings.Cut(line, "#")
	line = strings.TrimSpace(line)
	end := strings.IndexAny(line, " \t=")
	if end < 0 {
		return strings.ToLower(line), ""
	}
	word, value = line[:end], strings.TrimSpace(line[end:])
	value = strings.TrimSpace(strings.TrimPrefix(value, "="))
	if n := len(value); n > 1 && value[0] == '"' && strings.IndexByte(value[1:], '"') == n-2 {
		value = value[1 : n-1]
	}
	return strings.ToLower(word), value
}

// matches reports whether the criteria of Match hold. Those that run commands or ask for users need ssh.
func matches(criteria []string, host string) (bool, error) {
	if len(criteria) > 0 {
		switch strings.ToLower(criteria[0]) {
		case "all":
			return true, nil
		case "host":
			return matchesAny(criteria[1:], host), nil
		}
	}
	return false, errors.New(printable.Text(fmt.Sprintf("Match %s needs ssh to be evaluated", strings.Join(criteria, " "))))
}

// matchesAny reports whether a host matches one of the patterns, and none of those that begin with an exclamation mark.
func matchesAny(patterns []string, host string) bool {
	found := false
	for _, p := range patterns {
		p, negated := strings.CutPrefix(p, "!")
		if matchesPattern(p, host) {
			if negated {
				return false
			}
			found = true
		}
	}
	return found
}

// matchesPattern matches as ssh does: * stands for any characters, and ? for one.
func matchesPattern(pattern, host string) bool {
	literal, rest, star := strings.Cut(pattern, "*")
	if len(literal) > len(host) {
		return false
	}
	for i := range len(literal) {
		if literal[i] != '?' && literal[i] != host[i] {
			return false
		}
	}
	host = host[len(literal):]
	if !star {
		return host == ""
	}
	rest = strings.TrimLeft(rest, "*")
	for i := range len(host) + 1 {
		if matchesPattern(rest, host[i:]) {
			return true
		}
	}
	return false
}

// include reads the files that patterns match.
func (k keywords) include(patterns []string, host, dir string, depth int) error {
	if depth > maxIncludes {
		return fmt.Errorf("files include others more than %d levels deep", maxIncludes)
	}
	for _, pattern := range patterns {
		pattern = strings.Trim(pattern, `"`)
		if rest, ok := strings.CutPrefix(pattern, "~/"); ok {
			home, err := homeDir()
			if err != nil {
				return err
			}
			pattern = filepath.Join(home, rest)
		} else if !filepath.IsAbs(pattern) {
			pattern = filepath.Join(dir, pattern)
		}
		names, err := filepath.Glob(pattern)
		if err != nil {
			return err
		}
		for _, name := range names {
			text, err := os.ReadFile(name)
			if err == nil {
				err = k.read(text, host, dir, depth)
			}
			if err != nil {
				return fmt.Errorf("%s: %w", name, err)
			}
		}
	}
	return nil
}
