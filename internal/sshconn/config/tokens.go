package config

import (
	"cmp"
	"errors"
	"fmt"
	"os"
	"os/user"
	"strconv"
	"strings"
)

// path expands ~, variables and tokens in a file name.
func (s *Host) path(name string) (string, error) {
	name = strings.Trim(name, `"`)
	switch {
	case name == "~":
		name = s.home
	case strings.HasPrefix(name, "~/"):
		name = strings.ReplaceAll(s.home, "%", "%%") + name[1:]
	case strings.HasPrefix(name, "~"):
		return "", fmt.Errorf("the home directory in %q cannot be found out", name)
	}
	name, err := s.expand(name)
	if err != nil {
		return "", err
	}
	return variables(name)
}

// expand replaces the tokens of ssh_config(5).
func (s *Host) expand(text string) (string, error) {
	return replace(text, "%", func(after string) (value, rest string, err error) {
		if after == "" {
			return "", "", errors.New("the configuration ends a value with %")
		}
		value, err = s.token(after[0])
		return value, after[1:], err
	})
}

// replace replaces all that begins with mark by what value returns for the text after it, together with what follows.
func replace(text, mark string, value func(after string) (value, rest string, err error)) (string, error) {
	var b strings.Builder
	for {
		before, after, found := strings.Cut(text, mark)
		b.WriteString(before)
		if !found {
			return b.String(), nil
		}
		v, rest, err := value(after)
		if err != nil {
			return "", err
		}
		b.WriteString(v)
		text = rest
	}
}

func (s *Host) token(c byte) (string, error) {
	switch c {
	case '%':
		return "%", nil
	case 'd':
		return s.home, nil
	case 'h':
		return s.HostName, nil
	case 'n':
		return s.Alias, nil
	case 'p':
		return strconv.Itoa(s.Port), nil
	case 'r':
		return s.User, nil
	case 'i':
		return strconv.Itoa(os.Getuid()), nil
	case 'k':
		return cmp.Or(s.HostKeyAlias, s.Alias), nil
	case 'u':
		return localUser(), nil
	case 'l', 'L':
		name, err := os.Hostname()
		if c == 'L' {
			name, _, _ = strings.Cut(name, ".")
		}
		return name, err
	}
	return "", fmt.Errorf("the configuration has the unknown token %%%c", c)
}

// variables replaces ${NAME} by the value of the environment variable, which must be set.
func variables(text string) (string, error) {
	return replace(text, "${", func(after string) (value, rest string, err error) {
		name, rest, closed := strings.Cut(after, "}")
		value, set := os.LookupEnv(name)
		if !closed || !set {
			err = fmt.Errorf("the configuration uses the variable %q, which is not set", name)
		}
		return value, rest, err
	})
}

// agentSocket determines the socket of the agent from the values of IdentityAgent, or from the environment if
// there are none.
func (s *Host) agentSocket(values []string, environment string) (string, error) {
	if len(values) == 0 || values[0] == "SSH_AUTH_SOCK" {
		return environment, nil
	}
	value := strings.Trim(values[0], `"`)
	if strings.EqualFold(value, "none") {
		return "", nil
	}
	if strings.HasPrefix(value, "$") && !strings.HasPrefix(value, "${") {
		return os.Getenv(value[1:]), nil
	}
	return s.path(value)
}

// command expands a ProxyCommand. Because a shell runs it, the names in it must not contain shell syntax.
func (s *Host) command(text string) (string, error) {
	if text == "" {
		return "", nil
	}
	for _, name := range []string{s.HostName, s.Alias, s.User} {
		if strings.HasPrefix(name, "-") || strings.ContainsAny(name, "'`\"$\\;&<>|(){}*?!#~ \t\r\n\x00") {
			return "", fmt.Errorf("%q cannot be given to a ProxyCommand", name)
		}
	}
	return s.expand(text)
}

func localUser() string {
	u, err := user.Current()
	if err != nil {
		return os.Getenv("USER")
	}
	return u.Username
}
