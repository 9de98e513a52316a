package config

import (
	"errors"
	"fmt"
	"net"
	"strconv"
	"strings"
	"unicode"
)

// A Target is a host as the user names it.
type Target struct {
	User string // "" for the configured one
	Host string
	Port int // 0 for the configured one
}

// Check returns an error for names that ssh or a shell could misinterpret.
func (t Target) Check() error {
	for _, name := range []string{t.Host, t.User} {
		bad := func(r rune) bool { return unicode.IsSpace(r) || unicode.IsControl(r) }
		if strings.HasPrefix(name, "-") || strings.IndexFunc(name, bad) >= 0 {
			return fmt.Errorf("%q is no name of a host or a user", name)
		}
	}
	if t.Host == "" {
		return errors.New("the name of the host is empty")
	}
	if t.Port < 0 || t.Port > 65535 {
		return fmt.Errorf("%d is no port", t.Port)
	}
	return nil
}

// parseJump parses a value of ProxyJump.
func parseJump(value string) ([]Target, error) {
	var via []Target
	if value == "" {
		return nil, nil
	}
	for word := range strings.SplitSeq(value, ",") {
		t, err := parseHop(strings.TrimSpace(word))
		if err == nil {
			err = t.Check()
		}
		if err != nil {
			return nil, fmt.Errorf("ProxyJump %q: %w", value, err)
		}
		via = append(via, t)
	}
	return via, nil
}

// JumpValue returns the value of ProxyJump for jump hosts.
func JumpValue(via []Target) string {
	var words []string
	for _, t := range via {
		word := t.Host
		if strings.Contains(word, ":") {
			word = "[" + word + "]"
		}
		if t.User != "" {
			word = t.User + "@" + word
		}
		if t.Port != 0 {
			word += ":" + strconv.Itoa(t.Port)
		}
		words = append(words, word)
	}
	return strings.Join(words, ",")
}

// parseHop parses [user@]host[:port], which may be a URL.
func parseHop(word string) (Target, error) {
	var t Target
	word = strings.TrimSuffix(strings.TrimPrefix(word, "ssh://"), "/")
	if i := strings.LastIndexByte(word, '@'); i >= 0 {
		t.User, word = word[:i], word[i+1:]
	}
	host, port, err := net.SplitHostPort(word)
	if err != nil { // no port
		t.Host = strings.Trim(word, "[]")
		return t, nil
	}
	t.Host = host
	if t.Port, err = strconv.Atoi(port); err != nil || t.Port == 0 {
		return t, fmt.Errorf("%q is no port", port)
	}
	return t, nil
}
