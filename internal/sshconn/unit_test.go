package sshconn

import (
	"os"
	"slices"
	"strings"
	"testing"

	"golang.org/x/crypto/ssh"

	"psync/internal/sshconn/config"
)

func TestCipherOrder(t *testing.T) {
	ours := ssh.SupportedAlgorithms().Ciphers
	const gcm, chacha = ssh.CipherAES128GCM, ssh.CipherChaCha20Poly1305
	for _, c := range []struct {
		aes   bool
		set   []string
		first string
	}{
		{true, nil, gcm},
		{true, []string{chacha, "aes128-ctr", gcm}, gcm},
		{true, []string{"aes128-ctr", chacha}, chacha},
		{false, nil, chacha},
		{false, []string{gcm}, gcm},
	} {
		got := allowed(preferred(slices.Clone(ours), c.aes), c.set)
		if len(got) == 0 || got[0] != c.first || c.set != nil && len(got) != len(c.set) {
			t.Errorf("AES %v, %v: got %v, want %s first", c.aes, c.set, got, c.first)
		}
	}
}

// someKeys are the types of keys that are known.
type someKeys struct {
	types     []string
	authority bool
}

func (k someKeys) KnowsType(keyType string) bool { return slices.Contains(k.types, keyType) }
func (k someKeys) KnowsAuthority() bool          { return k.authority }

func TestHostKeyOrder(t *testing.T) {
	const plain = "ssh-ed25519 ecdsa-sha2-nistp256 ecdsa-sha2-nistp384 ecdsa-sha2-nistp521 rsa-sha2-512 rsa-sha2-256"
	for _, c := range []struct {
		set   []string
		known someKeys
		want  string // without certificates that come after plain keys, and keys that ssh does not have
	}{
		{nil, someKeys{}, plain},
		{nil, someKeys{types: []string{ssh.KeyAlgoRSA}}, "rsa-sha2-512 rsa-sha2-256 ssh-ed25519 ecdsa-sha2-nistp256 ecdsa-sha2-nistp384 ecdsa-sha2-nistp521"},
		{nil, someKeys{types: []string{ssh.KeyAlgoECDSA256}}, "ecdsa-sha2-nistp256 ssh-ed25519 ecdsa-sha2-nistp384 ecdsa-sha2-nistp521 rsa-sha2-512 rsa-sha2-256"},
		{[]string{ssh.KeyAlgoRSASHA256, ssh.KeyAlgoED25519}, someKeys{}, "rsa-sha2-256 ssh-ed25519"},
		{[]string{ssh.KeyAlgoED25519, ssh.KeyAlgoECDSA256}, someKeys{types: []string{ssh.KeyAlgoRSA, ssh.KeyAlgoECDSA256}}, "ecdsa-sha2-nistp256 ssh-ed25519"},
	} {
		got, err := hostKeyOrder(&config.Host{HostKeyAlgorithms: c.set}, c.known)
		got = slices.DeleteFunc(got, func(name string) bool { return strings.Contains(name, "-cert-") || strings.Contains(name, "mldsa") })
		if err != nil || strings.Join(got, " ") != c.want {
			t.Errorf("%v, known %v: got %v, %v", c.set, c.known, got, err)
		}
	}
	for _, c := range []struct {
		known someKeys
		want  string
	}{
		{someKeys{authority: true}, ssh.CertAlgoED25519v01},
		{someKeys{types: []string{ssh.KeyAlgoRSA}, authority: true}, ssh.CertAlgoED25519v01},
		{someKeys{}, ssh.CertAlgoED25519v01}, // the key in it is the one that ssh would ask about
	} {
		if got, err := hostKeyOrder(new(config.Host), c.known); err != nil || got[0] != c.want {
			t.Errorf("known %v: got %v, %v", c.known, got, err)
		}
	}
	if _, err := hostKeyOrder(&config.Host{HostKeyAlgorithms: []string{"new"}}, someKeys{}); err == nil {
		t.Error("no error without any type of key")
	}
}

func TestAskpass(t *testing.T) {
	for _, c := range []struct {
		env      string
		terminal bool
		want     bool
	}{
		{"", false, false},
		{"SSH_ASKPASS=/x DISPLAY=:0", false, true},
		{"SSH_ASKPASS=/x WAYLAND_DISPLAY=w", false, true},
		{"SSH_ASKPASS=/x", false, false},
		{"SSH_ASKPASS=/x DISPLAY=:0", true, false},
		{"SSH_ASKPASS=/x DISPLAY=:0 SSH_ASKPASS_REQUIRE=prefer", true, true},
		{"SSH_ASKPASS=/x SSH_ASKPASS_REQUIRE=force", true, true},
		{"SSH_ASKPASS=/x DISPLAY=:0 SSH_ASKPASS_REQUIRE=never", false, false},
		{"SSH_ASKPASS_REQUIRE=force", true, false},
	} {
		getenv := func(name string) string {
			for _, v := range strings.Fields(c.env) {
				if value, ok := strings.CutPrefix(v, name+"="); ok {
					return value
				}
			}
			return ""
		}
		if got := Askpass(getenv, c.terminal) != nil; got != c.want {
			t.Errorf("%s, terminal %v: got %v", c.env, c.terminal, got)
		}
	}
}

func TestAskpassAnswer(t *testing.T) {
	l := newLab(t)
	program := l.write("askpass", "#!/bin/sh\necho \"answer to $1\"\n")
	if err := os.Chmod(program, 0o700); err != nil {
		t.Fatal(err)
	}
	ask := Askpass(func(name string) string {
		return map[string]string{"SSH_ASKPASS": program, "SSH_ASKPASS_REQUIRE": "force"}[name]
	}, false)
	if got, err := ask(t.Context(), "question"); err != nil || got != "answer to question" {
		t.Errorf("got %q, %v", got, err)
	}
}
