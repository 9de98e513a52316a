package auth

import (
	"crypto/ed25519"
	"crypto/rand"
	"encoding/pem"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/crypto/ssh"

	"psync/internal/sshconn/config"
	"psync/internal/sshconn/hosterror"
)

func newKey(t *testing.T) ed25519.PrivateKey {
	t.Helper()
	_, private, err := ed25519.GenerateKey(rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	return private
}

func publicKey(t *testing.T, private ed25519.PrivateKey) ssh.PublicKey {
	t.Helper()
	public, err := ssh.NewPublicKey(private.Public())
	if err != nil {
		t.Fatal(err)
	}
	return public
}

// privateText returns the text of the file of a key.
func privateText(t *testing.T, private ed25519.PrivateKey) string {
	t.Helper()
	block, err := ssh.MarshalPrivateKey(private, "")
	if err != nil {
		t.Fatal(err)
	}
	return string(pem.EncodeToMemory(block))
}

// write writes a file that only its owner may read, and returns its path.
func write(t *testing.T, dir, name, text string) string {
	t.Helper()
	path := filepath.Join(dir, name)
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

func TestKeyOrder(t *testing.T) {
	var public []ssh.PublicKey
	for range 10 {
		public = append(public, publicKey(t, newKey(t)))
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
	dir := t.TempDir()
	public, err := ssh.ParsePublicKey(ssh.Marshal(struct {
		Type        string
		Key         []byte
		Application string
	}{ssh.KeyAlgoSKED25519, newKey(t).Public().(ed25519.PublicKey), "ssh:"}))
	if err != nil {
		t.Fatal(err)
	}
	write(t, dir, "id", "-----BEGIN OPENSSH PRIVATE KEY-----\nAAAA\n-----END OPENSSH PRIVATE KEY-----\n")
	write(t, dir, "id.pub", string(ssh.MarshalAuthorizedKey(public)))
	s := &config.Host{IdentityFiles: []string{filepath.Join(dir, "id")}, Methods: map[string]bool{"publickey": true}}
	_, err = Open(t.Context(), s, new(Secrets), nil, nil)
	var needs *hosterror.NeedsSSHError
	if !errors.As(err, &needs) {
		t.Errorf("got %v", err)
	}
}

func TestUnusableKeys(t *testing.T) {
	dir := t.TempDir()
	garbage, id := write(t, dir, "garbage", "no key"), write(t, dir, "id", privateText(t, newKey(t)))
	s := &config.Host{
		IdentityFiles: []string{garbage, filepath.Join(dir, "missing"), id}, Methods: map[string]bool{"publickey": true}, User: "joe",
	}
	a, err := Open(t.Context(), s, new(Secrets), nil, nil)
	if err != nil || len(a.keys) != 1 || len(a.unusable) != 1 {
		t.Fatalf("got %+v, %v", a, err)
	}
	if text := a.Refused(nil).Error(); !strings.Contains(text, garbage) || strings.Contains(text, "missing") {
		t.Errorf("got %s", text)
	}
}

func TestKeysThatOthersMayRead(t *testing.T) {
	id := write(t, t.TempDir(), "id", privateText(t, newKey(t)))
	if err := os.Chmod(id, 0o640); err != nil {
		t.Fatal(err)
	}
	if _, err := readIdentity(id, nil); err == nil {
		t.Error("a key of the user was accepted though others may read it")
	}
	if err := os.Chown(id, os.Getuid()+1, -1); err != nil {
		t.Skip(err)
	}
	if _, err := readIdentity(id, nil); err != nil {
		t.Errorf("a key of another owner: %v", err)
	}
}
