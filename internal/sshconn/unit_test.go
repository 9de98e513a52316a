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

func TestHostKeyOrder(t *testing.T) {
	for _, c := range []struct {
		set, known []string
		want       string // the beginning
	}{
		{nil, []string{ssh.KeyAlgoRSASHA512}, ssh.KeyAlgoRSASHA512},
		{nil, []string{ssh.CertAlgoED25519v01}, ssh.CertAlgoED25519v01},
		{[]string{ssh.KeyAlgoED25519, ssh.KeyAlgoECDSA256}, []string{ssh.KeyAlgoRSASHA512, ssh.KeyAlgoED25519}, "ssh-ed25519 ecdsa-sha2-nistp256"},
		{[]string{ssh.KeyAlgoED25519, ssh.CertAlgoED25519v01}, nil, "ssh-ed25519"},
	} {
		got, err := hostKeyOrder(&config.Host{HostKeyAlgorithms: c.set}, c.known)
		if err != nil || !strings.HasPrefix(strings.Join(got, " "), c.want) {
			t.Errorf("%v, known %v: got %v, %v", c.set, c.known, got, err)
		}
	}
	if _, err := hostKeyOrder(&config.Host{HostKeyAlgorithms: []string{"new"}}, nil); err == nil {
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
