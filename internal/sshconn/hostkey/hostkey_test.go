package hostkey

import (
	"crypto/ed25519"
	"crypto/rand"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"golang.org/x/crypto/ssh"
	known "golang.org/x/crypto/ssh/knownhosts"
)

func newSigner(t *testing.T) ssh.Signer {
	t.Helper()
	_, private, err := ed25519.GenerateKey(rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	signer, err := ssh.NewSignerFromSigner(private)
	if err != nil {
		t.Fatal(err)
	}
	return signer
}

// line returns a line of a known_hosts file.
func line(names string, key ssh.PublicKey) string {
	return names + " " + string(ssh.MarshalAuthorizedKey(key))
}

func certificate(t *testing.T, ca ssh.Signer, key ssh.PublicKey, host string) ssh.PublicKey {
	t.Helper()
	c := &ssh.Certificate{Key: key, CertType: ssh.HostCert, ValidPrincipals: []string{host}, ValidBefore: ssh.CertTimeInfinity}
	if err := c.SignCert(rand.Reader, ca); err != nil {
		t.Fatal(err)
	}
	return c
}

func TestCheck(t *testing.T) {
	one, two, ca := newSigner(t), newSigner(t), newSigner(t)
	a, b, authority := one.PublicKey(), two.PublicKey(), ca.PublicKey()
	cert := certificate(t, ca, a, "box")
	for _, c := range []struct {
		name string
		file string
		port string
		key  ssh.PublicKey
		want string // "known", "unknown", or part of the error
	}{
		{"known", line("box", a), "22", a, "known"},
		{"one of several names", line("x,box", a), "22", a, "known"},
		{"hashed", line(known.HashHostname("box"), a), "22", a, "known"},
		{"hashed with a port", line(known.HashHostname("[box]:24"), a), "24", a, "known"},
		{"with a port", line("[box]:24", a), "24", a, "known"},
		{"for all ports", line("box", a), "24", a, "known"},
		{"for another port", line("[box]:25", a), "24", a, "unknown"},
		{"pattern", line("b*", a), "24", a, "known"},
		{"pattern with exception", line("b*,!box", a), "22", a, "unknown"},
		{"no file", "", "22", a, "unknown"},
		{"another host", line("bix", a), "22", a, "unknown"},
		{"changed", line("box", a), "22", b, "changed"},
		{"changed, hashed", line(known.HashHostname("box"), a), "22", b, "changed"},
		{"changed, with a port", line("[box]:24", a), "24", b, "changed"},
		{"another for all ports", line("box", a), "24", b, "unknown"},
		{"second key of the host", line("box", b) + line("box", a), "22", a, "known"},
		{"known in capitals", line("BOX", a), "22", a, "known"},
		{"changed, in capitals", "# Box\n" + line("x,BOX", a), "22", b, "line 2 of "},
		{"signed, in capitals", " @cert-authority \t" + line("*.x,BOX", authority), "22", cert, "known"},
		{"changed below an authority", "@cert-authority " + line("box", authority) + line("box", a), "22", b, "changed"},
		{"changed, pattern for all ports", line("*", a), "24", b, "changed"},
		{"revoked", "@revoked " + line("*", a) + line("box", a), "22", a, "revoked"},
		{"signed", "@cert-authority " + line("box", authority), "22", cert, "known"},
		{"signed, any port", "@cert-authority " + line("box", authority), "24", cert, "known"},
		{"signed by one for another host", "@cert-authority " + line("bix", authority), "22", cert, "not accepted"},
		{"signed for another host", "@cert-authority " + line("*", authority), "22", certificate(t, ca, a, "bix"), "not accepted"},
		{"authority revoked", "@cert-authority " + line("box", authority) + "@revoked " + line("*", authority), "22", cert, "not accepted"},
		{"signed key revoked", "@cert-authority " + line("box", authority) + "@revoked " + line("*", a), "22", cert, "not accepted"},
		{"not signed", "@cert-authority " + line("box", authority), "22", a, "unknown"},
		{"known beside nonsense", "nonsense\nbox ssh-future AAAA\n|1|x|y ssh-ed25519 AAAA\n" + line("box", a), "22", a, "known"},
		{"changed beside nonsense", "nonsense\n" + line("box", a), "22", b, "line 2 of "},
	} {
		t.Run(c.name, func(t *testing.T) {
			name := filepath.Join(t.TempDir(), "known_hosts")
			if err := os.WriteFile(name, []byte(c.file), 0o600); err != nil {
				t.Fatal(err)
			}
			asked := ""
			ch, err := NewChecker(Host{
				Name: "Box", Port: c.port, Files: []string{name, name + "2"}, Add: name,
				Accept: func(q string) (bool, error) { asked = q; return false, nil },
			})
			if err != nil {
				t.Fatal(err)
			}
			err = ch.Check(c.key)
			var e *Error
			switch {
			case c.want == "known":
				if err != nil {
					t.Errorf("got %v", err)
				}
			case !errors.As(err, &e):
				t.Errorf("got %v, want an error about the key", err)
			case c.want == "unknown":
				for _, text := range []string{asked, err.Error()} {
					if !strings.Contains(text, ssh.FingerprintSHA256(c.key)) || !strings.Contains(text, "ED25519") || !strings.Contains(text, name) {
						t.Errorf("%q lacks the fingerprint, the type or the file", text)
					}
				}
			case asked != "" || !strings.Contains(err.Error(), c.want):
				t.Errorf("got %v after asking %q, want %q", err, asked, c.want)
			}
			if text, _ := os.ReadFile(name); string(text) != c.file {
				t.Errorf("the file became %q", text)
			}
		})
	}
}

func TestAlgorithms(t *testing.T) {
	one, ca := newSigner(t).PublicKey(), newSigner(t).PublicKey()
	for _, c := range []struct {
		file string
		want []string
	}{
		{"", nil},
		{line("box", one), []string{ssh.KeyAlgoED25519}},
		{"@cert-authority " + line("box", ca), []string{ssh.CertAlgoED25519v01}},
	} {
		name := filepath.Join(t.TempDir(), "known_hosts")
		if err := os.WriteFile(name, []byte(c.file), 0o600); err != nil {
			t.Fatal(err)
		}
		ch, err := NewChecker(Host{Name: "box", Port: "24", Files: []string{name}})
		if err != nil {
			t.Fatal(err)
		}
		if got := ch.Algorithms(); !slices.Equal(got, c.want) {
			t.Errorf("%q: got %v, want %v", c.file, got, c.want)
		}
	}
}

func TestAdd(t *testing.T) {
	key, other := newSigner(t).PublicKey(), newSigner(t).PublicKey()
	for _, c := range []struct{ name, before, want string }{
		{"new file", "", line("[box]:24", key)},
		{"last line without an end", "# comment", "# comment\n" + line("[box]:24", key)},
		{"other hosts", line("bix", other), line("bix", other) + line("[box]:24", key)},
	} {
		t.Run(c.name, func(t *testing.T) {
			name := filepath.Join(t.TempDir(), "ssh", "known_hosts")
			if c.before != "" {
				if err := errors.Join(os.Mkdir(filepath.Dir(name), 0o700), os.WriteFile(name, []byte(c.before), 0o600)); err != nil {
					t.Fatal(err)
				}
			}
			said := ""
			ch, err := NewChecker(Host{
				Name: "box", Port: "24", Files: []string{name}, Add: name,
				Accept: func(string) (bool, error) { return true, nil }, Notify: func(text string) { said = text },
			})
			if err == nil {
				err = ch.Check(key)
			}
			if err != nil {
				t.Fatal(err)
			}
			if text, err := os.ReadFile(name); err != nil || string(text) != c.want {
				t.Errorf("got %q, %v, want %q", text, err, c.want)
			}
			if !strings.Contains(said, name) || !strings.Contains(said, ssh.FingerprintSHA256(key)) {
				t.Errorf("said %q", said)
			}
		})
	}
}

// TestAddAtOnce has many add the same key, of which one does, and another key, which is refused then.
func TestAddAtOnce(t *testing.T) {
	key, other := newSigner(t).PublicKey(), newSigner(t).PublicKey()
	name := filepath.Join(t.TempDir(), "known_hosts")
	h := Host{
		Name: "box", Port: "22", Files: []string{name}, Add: name, Hash: true,
		Accept: func(string) (bool, error) { return true, nil }, Notify: func(string) {},
	}
	late, err := NewChecker(h)
	if err != nil {
		t.Fatal(err)
	}
	var wg sync.WaitGroup
	for range 8 {
		wg.Go(func() {
			ch, err := NewChecker(h)
			if err == nil {
				err = ch.Check(key)
			}
			if err != nil {
				t.Error(err)
			}
		})
	}
	wg.Wait()
	var e *Error
	if err := late.Check(other); !errors.As(err, &e) || !strings.Contains(err.Error(), "changed") {
		t.Errorf("the other key: got %v", err)
	}
	text, err := os.ReadFile(name)
	if err != nil || strings.Count(string(text), "\n") != 1 || !strings.HasPrefix(string(text), "|1|") {
		t.Errorf("got %q, %v", text, err)
	}
}

func FuzzValidLines(f *testing.F) {
	f.Add([]byte("box ssh-ed25519 AAAA\n@revoked * ssh-rsa AAAA\n|1|a|b ssh-rsa AAAA"))
	f.Fuzz(func(t *testing.T, text []byte) {
		name := filepath.Join(t.TempDir(), "known_hosts")
		if err := os.WriteFile(name, text, 0o600); err != nil {
			t.Fatal(err)
		}
		ch, err := NewChecker(Host{Name: "box", Port: "22", Files: []string{name}})
		if err != nil && !strings.Contains(err.Error(), "too long") {
			t.Error(fmt.Errorf("%q: %w", text, err))
		}
		if err == nil {
			ch.Algorithms()
		}
	})
}
