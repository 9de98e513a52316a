package hostkey

import (
	"crypto/ed25519"
	"crypto/rand"
	"crypto/rsa"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"golang.org/x/crypto/ssh"
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

// lineOf returns a line of a known_hosts file.
func lineOf(names string, key ssh.PublicKey) string {
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

// rsaSigner returns one that signs with an algorithm.
func rsaSigner(t *testing.T, algorithm string) ssh.Signer {
	t.Helper()
	private, err := rsa.GenerateKey(rand.Reader, 2048)
	if err != nil {
		t.Fatal(err)
	}
	signer, err := ssh.NewSignerFromSigner(private)
	if err != nil {
		t.Fatal(err)
	}
	only, err := ssh.NewSignerWithAlgorithms(signer.(ssh.AlgorithmSigner), []string{algorithm})
	if err != nil {
		t.Fatal(err)
	}
	return only
}

func TestCheck(t *testing.T) {
	one, two, ca := newSigner(t), newSigner(t), newSigner(t)
	sha1, sha2 := rsaSigner(t, ssh.KeyAlgoRSA), rsaSigner(t, ssh.KeyAlgoRSASHA256)
	a, b, authority := one.PublicKey(), two.PublicKey(), ca.PublicKey()
	cert := certificate(t, ca, a, "box")
	for _, c := range []struct {
		name string
		file string
		port string
		key  ssh.PublicKey
		want string // "known", "unknown", or part of the error
	}{
		{"known", lineOf("box", a), "22", a, "known"},
		{"one of several names", lineOf("x,box", a), "22", a, "known"},
		{"hashed", lineOf(newHash("box"), a), "22", a, "known"},
		{"hashed with a port", lineOf(newHash("[box]:24"), a), "24", a, "known"},
		{"with a port", lineOf("[box]:24", a), "24", a, "known"},
		{"for all ports", lineOf("box", a), "24", a, "known"},
		{"for another port", lineOf("[box]:25", a), "24", a, "unknown"},
		{"pattern", lineOf("b*", a), "24", a, "known"},
		{"pattern with exception", lineOf("b*,!box", a), "22", a, "unknown"},
		{"no file", "", "22", a, "unknown"},
		{"another host", lineOf("bix", a), "22", a, "unknown"},
		{"changed", lineOf("box", a), "22", b, "changed"},
		{"changed, hashed", lineOf(newHash("box"), a), "22", b, "changed"},
		{"changed, with a port", lineOf("[box]:24", a), "24", b, "changed"},
		{"another for all ports", lineOf("box", a), "24", b, "unknown"},
		{"known for all ports, another with a port", lineOf("box", a) + lineOf("[box]:24", b), "24", a, "changed"},
		{"pattern in the port", lineOf("[box]:*", a), "24", a, "known"},
		{"pattern in the port, which port 22 lacks", lineOf("[box]:*", a), "22", a, "unknown"},
		{"pattern of some ports", lineOf("[b?x]:2?", a), "24", a, "known"},
		{"pattern of other ports", lineOf("[box]:3*", a), "24", a, "unknown"},
		{"pattern across the port", lineOf("[b*4", a), "24", a, "known"},
		{"changed, pattern in the port", lineOf("[box]:*", a), "24", b, "changed"},
		{"exception in the port", lineOf("[box]:*,![box]:2?", a), "24", a, "unknown"},
		{"signed, pattern in the port", "@cert-authority " + lineOf("[box]:*", authority), "24", cert, "known"},
		{"second key of the host", lineOf("box", b) + lineOf("box", a), "22", a, "known"},
		{"known in capitals", lineOf("BOX", a), "22", a, "known"},
		{"changed, in capitals", "# Box\n" + lineOf("x,BOX", a), "22", b, "line 2 of "},
		{"signed, in capitals", " @cert-authority \t" + lineOf("*.x,BOX", authority), "22", cert, "known"},
		{"changed below an authority", "@cert-authority " + lineOf("box", authority) + lineOf("box", a), "22", b, "changed"},
		{"changed, pattern for all ports", lineOf("*", a), "24", b, "changed"},
		{"revoked", "@revoked " + lineOf("*", a) + lineOf("box", a), "22", a, "revoked"},
		{"signed", "@cert-authority " + lineOf("box", authority), "22", cert, "known"},
		{"signed, any port", "@cert-authority " + lineOf("box", authority), "24", cert, "known"},
		{"signed by one for another host", "@cert-authority " + lineOf("bix", authority), "22", cert, "unknown"},
		{"signed for another host", "@cert-authority " + lineOf("*", authority), "22", certificate(t, ca, a, "bix"), "unknown"},
		{"signed by an authority that is not known", lineOf("box", a), "22", cert, "known"},
		{"signed by another authority", "@cert-authority " + lineOf("box", b) + lineOf("box", a), "22", cert, "known"},
		{"signed for another host, with a known key", "@cert-authority " + lineOf("*", authority) + lineOf("box", a), "22", certificate(t, ca, a, "bix"), "known"},
		{"signed by another authority, with a changed key", lineOf("box", b), "22", cert, "changed"},
		{"signed key is revoked, by another authority", lineOf("box", a) + "@revoked " + lineOf("*", a), "22", cert, "revoked"},
		{"authority revoked", "@cert-authority " + lineOf("box", authority) + "@revoked " + lineOf("*", authority), "22", cert, "revoked"},
		{"signed key revoked", "@cert-authority " + lineOf("box", authority) + "@revoked " + lineOf("*", a), "22", cert, "revoked"},
		{"signed by means of SHA-1", "@cert-authority " + lineOf("box", sha1.PublicKey()), "22", certificate(t, sha1, a, "box"), "unknown"},
		{"signed by means of SHA-1, with a known key", "@cert-authority " + lineOf("box", sha1.PublicKey()) + lineOf("box", a), "22", certificate(t, sha1, a, "box"), "known"},
		{"signed by means of SHA-2", "@cert-authority " + lineOf("box", sha2.PublicKey()), "22", certificate(t, sha2, a, "box"), "known"},
		{"revoked by its certificate", "@revoked " + lineOf("*", cert) + lineOf("box", a), "22", a, "revoked"},
		{"not signed", "@cert-authority " + lineOf("box", authority), "22", a, "unknown"},
		{"known beside nonsense", "nonsense\nbox ssh-future AAAA\n|1|x|y ssh-ed25519 AAAA\n" + lineOf("box", a), "22", a, "known"},
		{"changed beside nonsense", "nonsense\n" + lineOf("box", a), "22", b, "line 2 of "},
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
				if cert, ok := c.key.(*ssh.Certificate); ok {
					c.key = cert.Key
				}
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

func TestKnows(t *testing.T) {
	one, ca := newSigner(t).PublicKey(), newSigner(t).PublicKey()
	for _, c := range []struct {
		file            string
		port            string
		host, authority bool
	}{
		{"", "24", false, false},
		{lineOf("box", one), "24", true, false},
		{lineOf("[box]:24", one), "22", false, false},
		{"@cert-authority " + lineOf("box", ca), "24", false, true},
		{"@cert-authority " + lineOf("bix", ca) + "@revoked " + lineOf("box", one), "22", false, false},
	} {
		name := filepath.Join(t.TempDir(), "known_hosts")
		if err := os.WriteFile(name, []byte(c.file), 0o600); err != nil {
			t.Fatal(err)
		}
		ch, err := NewChecker(Host{Name: "box", Port: c.port, Files: []string{name}})
		if err != nil {
			t.Fatal(err)
		}
		if host, authority := ch.KnowsType(ssh.KeyAlgoED25519), ch.KnowsAuthority(); host != c.host || authority != c.authority || ch.KnowsType(ssh.KeyAlgoRSA) {
			t.Errorf("%q: knows a key %v, an authority %v", c.file, host, authority)
		}
	}
}

func TestAdd(t *testing.T) {
	key, other := newSigner(t).PublicKey(), newSigner(t).PublicKey()
	for _, c := range []struct{ name, before, want string }{
		{"new file", "", lineOf("[box]:24", key)},
		{"last line without an end", "# comment", "# comment\n" + lineOf("[box]:24", key)},
		{"other hosts", lineOf("bix", other), lineOf("bix", other) + lineOf("[box]:24", key)},
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

func FuzzParseLines(f *testing.F) {
	f.Add([]byte("box ssh-ed25519 AAAA\n@revoked * ssh-rsa AAAA\n|1|a|b ssh-rsa AAAA"))
	f.Fuzz(func(_ *testing.T, text []byte) {
		for _, l := range parseLines("known_hosts", text) {
			l.isFor("[box]:24")
		}
	})
}
