package sshconn

import (
	"crypto/ed25519"
	"errors"
	"fmt"
	"os"
	"strings"
	"testing"

	"golang.org/x/crypto/ssh"

	"psync/internal/sshconn/config"
)

func TestKeyOrder(t *testing.T) {
	var public []ssh.PublicKey
	for range 10 {
		_, s := newKey(t)
		public = append(public, s.PublicKey())
	}
	for _, c := range []struct {
		name         string
		defaults     bool
		only         bool
		files, agent string // digits: which keys
		certificate  string
		want         string
	}{
		{"configured files first", false, false, "01", "23", "", "0 1 2 3"},
		{"those of the agent before defaults", true, false, "01", "23", "", "2 3 0 1"},
		{"configured ones of the agent", false, false, "10", "01", "", "1a 0a"},
		{"defaults of the agent", true, false, "01", "21", "", "1a 2 0"},
		{"no others", false, true, "01", "120", "", "0a 1a"},
		{"six at most", false, false, "0", "123456789", "", "0 1 2 3 4 5"},
		{"certificate first", false, false, "01", "", "1", "0 1c 1"},
	} {
		var ids []*identity
		for _, r := range c.files {
			ids = append(ids, &identity{file: string(r), public: public[r-'0'], signer: func() (ssh.Signer, error) { return nil, nil }})
		}
		var fromAgent []*key
		for _, r := range c.agent {
			fromAgent = append(fromAgent, &key{name: string(r), public: public[r-'0']})
		}
		var certificates []*ssh.Certificate
		for _, r := range c.certificate {
			certificates = append(certificates, &ssh.Certificate{Key: public[r-'0'], SignatureKey: public[0], Signature: &ssh.Signature{}})
		}
		var got []string
		for _, k := range orderKeys(&config.Host{DefaultFiles: c.defaults, IdentitiesOnly: c.only}, ids, fromAgent, certificates) {
			got = append(got, strings.NewReplacer(" (agent)", "a", " (certificate)", "c").Replace(k.name))
		}
		if fmt.Sprint(got) != "["+c.want+"]" {
			t.Errorf("%s: got %v, want %s", c.name, got, c.want)
		}
	}
}

// TestKeyInHardware has a key that only an agent or ssh can use.
func TestKeyInHardware(t *testing.T) {
	l := newLab(t)
	public, err := ssh.ParsePublicKey(ssh.Marshal(struct {
		Type        string
		Key         []byte
		Application string
	}{ssh.KeyAlgoSKED25519, l.private.Public().(ed25519.PublicKey), "ssh:"}))
	if err != nil {
		t.Fatal(err)
	}
	l.write("id", "-----BEGIN OPENSSH PRIVATE KEY-----\nAAAA\n-----END OPENSSH PRIVATE KEY-----\n")
	l.write("id.pub", string(ssh.MarshalAuthorizedKey(public)))
	s := &config.Host{IdentityFiles: []string{l.path("id")}, Methods: map[string]bool{"publickey": true}}
	_, err = newAuthentication(t.Context(), s, new(secrets), nil, nil)
	var needs *needsSSHError
	if !errors.As(err, &needs) {
		t.Errorf("got %v", err)
	}
}

func TestUnusableKeys(t *testing.T) {
	l := newLab(t)
	l.write("garbage", "no key")
	s := &config.Host{
		IdentityFiles: []string{l.path("garbage"), l.path("missing"), l.path("id")}, Methods: map[string]bool{"publickey": true}, User: "joe",
	}
	a, err := newAuthentication(t.Context(), s, new(secrets), nil, nil)
	if err != nil || len(a.keys) != 1 || len(a.unusable) != 1 {
		t.Fatalf("got %+v, %v", a, err)
	}
	if text := a.refused(nil).Error(); !strings.Contains(text, l.path("garbage")) || strings.Contains(text, "missing") {
		t.Errorf("got %s", text)
	}
}

func TestKeysThatOthersMayRead(t *testing.T) {
	l := newLab(t)
	if err := os.Chmod(l.path("id"), 0o640); err != nil {
		t.Fatal(err)
	}
	if _, err := readIdentity(l.path("id"), nil); err == nil {
		t.Error("a key of the user was accepted though others may read it")
	}
	if err := os.Chown(l.path("id"), os.Getuid()+1, -1); err != nil {
		t.Skip(err)
	}
	if _, err := readIdentity(l.path("id"), nil); err != nil {
		t.Errorf("a key of another owner: %v", err)
	}
}
