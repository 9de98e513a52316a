package config

import (
	"bufio"
	"bytes"
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"
)

// A Host is what the configuration says about a host.
type Host struct {
	Alias    string // the host as the user names it
	HostName string // the name or address to connect to
	Port     int
	User     string
	home     string // the home directory of the local user, for ~

	HostKeyAlias     string
	KnownHosts       []string // the files of the user, then of the system
	UserKnownHosts   string   // the file that new keys are added to, or ""
	HashKnownHosts   bool
	KeyChecking      string // yes, ask or accept-new
	IdentityFiles    []string
	DefaultFiles     bool // IdentityFiles are ssh's defaults
	CertificateFiles []string
	IdentitiesOnly   bool
	Agent            string // the socket of the agent, or ""
	BatchMode        bool
	Methods          map[string]bool // the enabled authentication methods

	Network      string   // for package net
	ProxyJump    []Target // the jump hosts, in the order of connections
	ProxyCommand string
	ControlPath  string

	ConnectTimeout time.Duration
	AliveInterval  time.Duration
	AliveCountMax  int

	Ciphers, MACs, KeyExchanges, HostKeyAlgorithms []string // the allowed ones; nil: all
	CASignatures                                   []string // likewise, for host certificates

	GSSAPI   bool
	NeedsSSH string // a configured feature that only ssh supports, or ""
}

// keywords are the values of a configuration by lower-case keyword. The values of a keyword that may be given
// several times are in order.
type keywords map[string][]string

// parseKeywords parses the output of ssh -G.
func parseKeywords(printed []byte) keywords {
	k := make(keywords)
	lines := bufio.NewScanner(bytes.NewReader(printed))
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		word, value, _ := strings.Cut(strings.TrimSpace(lines.Text()), " ")
		if word != "" {
			word = strings.ToLower(word)
			k[word] = append(k[word], strings.TrimSpace(value))
		}
	}
	return k
}

// first returns the first value of a keyword, or "" if there is none or it is "none".
func (k keywords) first(word string) string {
	if v := k[word]; len(v) > 0 && !strings.EqualFold(v[0], "none") {
		return v[0]
	}
	return ""
}

func (k keywords) yes(word string) bool {
	v := strings.ToLower(k.first(word))
	return v == "yes" || v == "true"
}

func (k keywords) no(word string) bool {
	v := strings.ToLower(k.first(word))
	return v == "no" || v == "false"
}

// list returns the values of a keyword that takes several, separated by commas.
func (k keywords) list(word string) []string {
	var all []string
	for _, v := range k[word] {
		for e := range strings.SplitSeq(v, ",") {
			if e = strings.Trim(strings.TrimSpace(e), `"`); e != "" && !strings.EqualFold(e, "none") {
				all = append(all, e)
			}
		}
	}
	return all
}

// files returns the file names of a keyword. Names with spaces are quoted in files, but "ssh -G" prints them without
// quotes, so there a word continues the name before it unless it looks like the start of another name.
func (k keywords) files(word string) []string {
	value := k.first(word)
	if strings.Contains(value, `"`) {
		return quotedWords(value)
	}
	var names []string
	for i, part := range strings.Split(value, " ") {
		if i == 0 || part != "" && strings.ContainsRune("/~%$", rune(part[0])) {
			names = append(names, part)
		} else {
			names[len(names)-1] += " " + part
		}
	}
	return slices.DeleteFunc(names, func(name string) bool { return name == "" })
}

// quotedWords splits a value at spaces outside quotes.
func quotedWords(value string) []string {
	var words []string
	for i, part := range strings.Split(value, `"`) {
		if i%2 == 1 {
			words = append(words, part)
		} else {
			words = append(words, strings.Fields(part)...)
		}
	}
	return words
}

// number returns the value of a keyword, or otherwise if there is none or it is 0.
func (k keywords) number(word string, otherwise int) (int, error) {
	v := k.first(word)
	if v == "" || v == "0" {
		return otherwise, nil
	}
	n, err := strconv.Atoi(strings.TrimSuffix(v, "s"))
	if err != nil || n < 0 || n > 1<<30 {
		return 0, fmt.Errorf("the configuration says %s %q, which is not a number", word, v)
	}
	return n, nil
}

// newHost interprets the keywords for a host. home and agent are those of the local user.
func newHost(alias string, k keywords, home, agent string) (*Host, error) {
	s := &Host{
		Alias: alias, home: home,
		HostName: strings.Trim(k.first("hostname"), "[]"), User: k.first("user"),
		HashKnownHosts: k.yes("hashknownhosts"), IdentitiesOnly: k.yes("identitiesonly"), BatchMode: k.yes("batchmode"),
		KeyChecking: keyChecking(k.first("stricthostkeychecking")),
		Methods: map[string]bool{
			"publickey": !k.no("pubkeyauthentication"), "password": !k.no("passwordauthentication"),
			"keyboard-interactive": !k.no("kbdinteractiveauthentication"),
		},
		Network:     addressFamily(k.first("addressfamily")),
		ControlPath: k.first("controlpath"),
		Ciphers:     k.list("ciphers"), MACs: k.list("macs"), KeyExchanges: k.list("kexalgorithms"),
		HostKeyAlgorithms: k.list("hostkeyalgorithms"),
		CASignatures:      k.list("casignaturealgorithms"),
		GSSAPI:            k.yes("gssapiauthentication"),
		NeedsSSH:          onlySSH(k),
	}
	s.HostName = cmp.Or(s.HostName, strings.ToLower(alias))
	if preferred := k.list("preferredauthentications"); len(preferred) > 0 {
		for method, on := range s.Methods {
			s.Methods[method] = on && slices.Contains(preferred, method)
		}
	}
	var err error
	if s.Port, err = k.number("port", 22); err != nil {
		return nil, err
	}
	if s.ProxyJump, err = parseJump(k.first("proxyjump")); err != nil {
		return nil, err
	}
	if err := s.setTimes(k); err != nil {
		return nil, err
	}
	if err := s.setNames(k, agent); err != nil {
		return nil, err
	}
	return s, nil
}

// setTimes sets the timeouts. OpenSSH has none by default, so that programs wait for dead hosts.
func (s *Host) setTimes(k keywords) error {
	connect, err := k.number("connecttimeout", 30)
	if err != nil {
		return err
	}
	interval, err := k.number("serveraliveinterval", 15)
	if err != nil {
		return err
	}
	s.ConnectTimeout, s.AliveInterval = time.Duration(connect)*time.Second, time.Duration(interval)*time.Second
	s.AliveCountMax, err = k.number("serveralivecountmax", 3)
	return err
}

// setNames sets the values that may contain tokens, which depend on the other values.
func (s *Host) setNames(k keywords, agent string) error {
	var err error
	expand := func(names []string) []string {
		var expanded []string
		for _, name := range names {
			path, e := s.path(name)
			err = cmp.Or(err, e)
			expanded = append(expanded, path)
		}
		return expanded
	}
	s.HostKeyAlias = k.first("hostkeyalias")
	identities := slices.DeleteFunc(slices.Clone(k["identityfile"]), func(f string) bool { return strings.EqualFold(f, "none") })
	s.IdentityFiles = expand(identities)
	s.DefaultFiles = slices.Contains(identities, "~/.ssh/id_rsa") && slices.Contains(identities, "~/.ssh/id_ed25519")
	s.CertificateFiles = expand(k["certificatefile"])
	users := expand(k.files("userknownhostsfile"))
	if len(users) > 0 {
		s.UserKnownHosts = users[0]
	}
	s.KnownHosts = append(users, expand(k.files("globalknownhostsfile"))...)
	if err != nil {
		return err
	}
	if s.Agent, err = s.agentSocket(k["identityagent"], agent); err != nil {
		return err
	}
	s.ProxyCommand, err = s.command(k.first("proxycommand"))
	return err
}

// keyChecking normalizes a value of StrictHostKeyChecking. The value "no", which in ssh also accepts changed
// keys, counts as accept-new.
func keyChecking(value string) string {
	switch value = strings.ToLower(value); value {
	case "yes", "true":
		return "yes"
	case "accept-new", "no", "false", "off":
		return "accept-new"
	}
	return "ask"
}

// addressFamily returns the network for a value of AddressFamily.
func addressFamily(value string) string {
	switch strings.ToLower(value) {
	case "inet":
		return "tcp4"
	case "inet6":
		return "tcp6"
	}
	return "tcp"
}

// onlySSH returns the name of a setting that only ssh supports, or "". It ignores settings that affect
// neither the host and user to connect to nor the keys to trust.
func onlySSH(k keywords) string {
	for _, word := range []string{"PKCS11Provider", "KnownHostsCommand", "RevokedHostKeys", "BindAddress", "BindInterface"} {
		if k.first(strings.ToLower(word)) != "" {
			return word
		}
	}
	for _, word := range []string{"HostbasedAuthentication", "ProxyUseFdpass"} {
		if k.yes(strings.ToLower(word)) {
			return word
		}
	}
	return ""
}
