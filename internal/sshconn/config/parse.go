package config

import (
	"cmp"
	"errors"
	"fmt"
	"os"
	"os/user"
	"path/filepath"
	"slices"
	"strings"

	"psync/internal/sshconn/pattern"
	"psync/internal/sshconn/printable"
)

// maxIncludes is how deep files may include others, as in ssh.
const maxIncludes = 15

// read adds what the text of a configuration file says about a host. Relative names of included files are below dir.
func (k keywords) read(text []byte, host, dir string, depth int) error {
	applies := true
	for i, line := range strings.Split(string(text), "\n") {
		word, rest := cutKeyword(line)
		values, err := words(rest)
		switch {
		case word == "":
			continue
		case word == "host" && err == nil:
			applies = pattern.MatchAny(values, host)
		case word == "match":
			applies, err = k.matches(rest, host)
		case !applies:
			continue
		case word == "include" && err == nil:
			err = k.include(values, host, dir, depth+1)
		case word == "proxyjump":
			rest, _, _ = strings.Cut(rest, "#")
			err = k.set(word, []string{strings.Trim(rest, " \t=")})
		case word == "proxycommand" || word == "knownhostscommand":
			err = k.set(word, []string{strings.TrimLeft(rest, " \t=")}) // with its quotes and comments, for a shell
		case err == nil:
			err = k.set(word, values)
		}
		if err != nil {
			return fmt.Errorf("line %d: %w", i+1, err)
		}
	}
	return nil
}

// cutKeyword returns the keyword of a line, in lower case, and the rest of the line after it. Comments have none.
func cutKeyword(line string) (word, rest string) {
	const space = " \t\r\f"
	line = strings.Trim(line, space)
	if strings.HasPrefix(line, "#") {
		return "", ""
	}
	end := strings.IndexAny(line, space+"=")
	if end < 0 {
		return strings.ToLower(line), ""
	}
	word, rest = line[:end], strings.TrimLeft(line[end:], space)
	rest = strings.TrimLeft(strings.TrimPrefix(rest, "="), space)
	return strings.ToLower(word), rest
}

// words splits the text after a keyword as ssh does. A comment begins with a word that begins with #.
func words(text string) ([]string, error) {
	var all []string
	for {
		text = strings.TrimLeft(text, " \t")
		if text == "" || text[0] == '#' {
			return all, nil
		}
		var word []byte
		quote := byte(0)
		i := 0
		for ; i < len(text) && (quote != 0 || text[i] != ' ' && text[i] != '\t'); i++ {
			c := text[i]
			switch {
			case c == '\\' && i+1 < len(text) && (strings.IndexByte(`'"\`, text[i+1]) >= 0 || quote == 0 && text[i+1] == ' '):
				i++
				word = append(word, text[i])
			case quote == 0 && (c == '"' || c == '\''):
				quote = c
			case c == quote:
				quote = 0
			default:
				word = append(word, c)
			}
		}
		if quote != 0 {
			return nil, errors.New("a quote is not closed")
		}
		if len(word) == 0 {
			return nil, errors.New("a value is empty")
		}
		all, text = append(all, string(word)), text[i:]
	}
}

// set sets a keyword, if it is supported, to the values in a line. Keywords keep the first value that they get, and of
// ProxyCommand and ProxyJump, the one that comes first counts.
func (k keywords) set(word string, values []string) error {
	switch {
	case word == "canonicalizehostname" && !slices.Contains([]string{"no", "false"}, strings.ToLower(strings.Join(values, " "))):
		return errors.New("CanonicalizeHostname needs ssh to be evaluated")
	case strings.Contains(word, `"`) || len(values) == 0 || values[0] == "":
		return errors.New(printable.Text(word + " has no value"))
	case !slices.ContainsFunc(fileKeywords, func(s string) bool { return strings.EqualFold(s, word) }):
		return nil
	case word == "identityfile" || word == "certificatefile":
	case len(k[word]) > 0, word == "proxyjump" && len(k["proxycommand"]) > 0, word == "proxycommand" && len(k["proxyjump"]) > 0:
		return nil
	}
	value := values[0]
	switch names := word == "userknownhostsfile" || word == "globalknownhostsfile"; {
	case names && (len(values) > 1 || strings.Contains(value, " ")):
		value = `"` + strings.Join(values, `" "`) + `"`
	case len(values) > 1:
		return errors.New(printable.Text(word + " has more than one value"))
	}
	if !slices.Contains(k[word], value) {
		k[word] = append(k[word], value)
	}
	return nil
}

// matches reports whether the criteria of Match hold. Criteria that run commands or ask for users need ssh.
func (k keywords) matches(text, host string) (bool, error) {
	text, _, _ = strings.Cut(text, "#")
	criteria := strings.Fields(text)
	if len(criteria) == 1 && strings.EqualFold(criteria[0], "all") {
		return true, nil
	}
	all := true
	for i := 0; i < len(criteria) || i == 0; i += 2 {
		if i+1 >= len(criteria) || !strings.EqualFold(criteria[i], "host") || strings.ContainsAny(text, `'"\=`) {
			return false, errors.New(printable.Text(fmt.Sprintf("Match %s needs ssh to be evaluated", strings.TrimSpace(text))))
		}
		all = all && pattern.MatchAny(strings.Split(criteria[i+1], ","), cmp.Or(k.hostName(host), host))
	}
	return all, nil
}

// hostName returns the value of HostName, or "". In it, %h is the name that the user gave.
func (k keywords) hostName(host string) string {
	return strings.NewReplacer("%%", "%", "%h", host).Replace(k.first("hostname"))
}

// include reads the files that patterns match.
func (k keywords) include(patterns []string, host, dir string, depth int) error {
	if depth > maxIncludes {
		return fmt.Errorf("files include others more than %d levels deep", maxIncludes)
	}
	for _, pattern := range patterns {
		if rest, ok := strings.CutPrefix(pattern, "~/"); ok {
			home, err := homeDir()
			if err != nil {
				return err
			}
			pattern = filepath.Join(home, rest)
		} else if strings.HasPrefix(pattern, "~") {
			return errors.New(printable.Text(fmt.Sprintf("Include %s needs ssh to be evaluated", pattern)))
		} else if !filepath.IsAbs(pattern) {
			pattern = filepath.Join(dir, pattern)
		}
		names, err := filepath.Glob(strings.ReplaceAll(pattern, "[!", "[^"))
		if err != nil {
			return err
		}
		for _, name := range names {
			if strings.HasPrefix(filepath.Base(name), ".") && !strings.HasPrefix(filepath.Base(pattern), ".") {
				continue // to a shell, and to ssh, * does not match hidden files
			}
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

// homeDir returns the home directory from the user database. Like ssh, it ignores HOME.
func homeDir() (string, error) {
	u, err := user.Current()
	if err != nil {
		return os.UserHomeDir()
	}
	return u.HomeDir, nil
}
