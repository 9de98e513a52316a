package sshconn

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/rsa"
	"encoding/pem"
	"fmt"
	"net"
	"os/exec"
	"strings"
	"testing"

	"golang.org/x/crypto/ssh"
)

// hostKeys writes further keys of a server, and returns their lines of its configuration, by type.
func (l *lab) hostKeys() (lines []string, keys map[string]ssh.PublicKey) {
	l.Helper()
	keys = make(map[string]ssh.PublicKey)
	ec, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		l.Fatal(err)
	}
	r, err := rsa.GenerateKey(rand.Reader, 2048)
	if err != nil {
		l.Fatal(err)
	}
	for name, private := range map[string]any{"ecdsa": ec, "rsa": r} {
		block, err := ssh.MarshalPrivateKey(private, "")
		if err != nil {
			l.Fatal(err)
		}
		signer, err := ssh.NewSignerFromKey(private)
		if err != nil {
			l.Fatal(err)
		}
		lines = append(lines, "HostKey "+l.write("host-"+name, string(pem.EncodeToMemory(block))))
		keys[name] = signer.PublicKey()
	}
	return lines, keys
}

// hostCertificate writes a certificate of a host's key, and returns its line of the configuration.
func (l *lab) hostCertificate(ca ssh.Signer, key ssh.PublicKey, host, file string) string {
	l.Helper()
	cert := &ssh.Certificate{Key: key, CertType: ssh.HostCert, ValidPrincipals: []string{host}, ValidBefore: ssh.CertTimeInfinity}
	if err := cert.SignCert(rand.Reader, ca); err != nil {
		l.Fatal(err)
	}
	return "HostCertificate " + l.write(file, string(ssh.MarshalAuthorizedKey(cert)))
}

// brokenAuthority returns an authority that signs by means of SHA-1.
func (l *lab) brokenAuthority() ssh.Signer {
	l.Helper()
	private, err := rsa.GenerateKey(rand.Reader, 2048)
	if err != nil {
		l.Fatal(err)
	}
	signer, err := ssh.NewSignerFromKey(private)
	if err != nil {
		l.Fatal(err)
	}
	broken, err := ssh.NewSignerWithAlgorithms(signer.(ssh.AlgorithmSigner), []string{ssh.KeyAlgoRSA})
	if err != nil {
		l.Fatal(err)
	}
	return broken
}

// TestHostKeysAsSSH connects to a host by ssh and by psync, each with the same files, which both accept or not, and
// which have the same lines afterwards.
func TestHostKeysAsSSH(t *testing.T) {
	if _, err := exec.LookPath("ssh"); err != nil {
		t.Skip(err)
	}
	l := newLab(t)
	more, keys := l.hostKeys()
	_, ca := newKey(t)
	_, other := newKey(t)
	certLine := l.hostCertificate(ca, keys["rsa"], "127.0.0.1", "cert-rsa")
	broken := l.brokenAuthority()
	s := l.sshd(append(more, certLine)...)
	weak := l.sshd(append(more, l.hostCertificate(broken, keys["rsa"], "127.0.0.1", "cert-weak"))...)
	plain := l.sshd(more...)
	keys["ed25519"] = s.host.PublicKey()
	line := func(names string, key ssh.PublicKey) string {
		return names + " " + string(ssh.MarshalAuthorizedKey(key))
	}
	at := func(host string, s *sshd) string {
		return strings.NewReplacer("PORT", fmt.Sprint(s.port)).Replace(host)
	}
	for _, c := range []struct {
		name    string
		server  *sshd
		known   string
		options []string
		works   bool
	}{
		{"unknown", plain, "", nil, true},
		{"unknown, signed", s, "", nil, true},
		{"unknown, other order", plain, "", []string{"HostKeyAlgorithms rsa-sha2-512,ssh-ed25519"}, true},
		{"unknown, RSA preferred", plain, "", []string{"HostKeyAlgorithms ^rsa-sha2-256"}, true},
		{"unknown, ECDSA before", plain, "", []string{"HostKeyAlgorithms -ssh-ed25519"}, true},
		{"known by another type", plain, line(at("[127.0.0.1]:PORT", plain), keys["rsa"]), nil, true},
		{"known for all ports", plain, line("127.0.0.1", plain.host.PublicKey()), nil, true},
		{"known by a pattern of ports", plain, line("[127.0.0.1]:*", plain.host.PublicKey()), nil, true},
		{"known by a pattern of hosts and ports", plain, line("[127.*", plain.host.PublicKey()), nil, true},
		{"changed by a pattern of ports", plain, line("[127.0.0.1]:*", other.PublicKey()), nil, false},
		{"other for all ports", plain, line("127.0.0.1", other.PublicKey()), nil, true},
		{"exception", plain, line("[127.0.0.1]:*,![127.*", other.PublicKey()), nil, true},
		{"changed and known for all ports", plain, line(at("[127.0.0.1]:PORT", plain), other.PublicKey()) + line("127.0.0.1", plain.host.PublicKey()), nil, false},
		{"signed", s, "@cert-authority " + line("127.0.0.1", ca.PublicKey()), nil, true},
		{"signed, by a pattern of ports", s, "@cert-authority " + line("[127.0.0.1]:*", ca.PublicKey()), nil, true},
		{"signed by another authority", s, "@cert-authority " + line("*", other.PublicKey()), nil, true},
		{"signed by another authority, and known", s, "@cert-authority " + line("*", other.PublicKey()) + line("*", keys["rsa"]), nil, true},
		{"signed by another authority, and changed", s, "@cert-authority " + line("*", other.PublicKey()) + line("*", other.PublicKey()), nil, false},
		{"signed by a revoked authority", s, "@revoked " + line("*", ca.PublicKey()) + "@cert-authority " + line("*", ca.PublicKey()), nil, false},
		{"signed for another name", s, "@cert-authority " + line("*", ca.PublicKey()), []string{"HostKeyAlias farm"}, true},
		{"strict, signed", s, "@cert-authority " + line("*", ca.PublicKey()), []string{"StrictHostKeyChecking yes"}, true},
		{"strict, signed by means that are not allowed", s, "@cert-authority " + line("*", ca.PublicKey()), []string{"StrictHostKeyChecking yes", "CASignatureAlgorithms rsa-sha2-512"}, false},
		{"strict, signed by means of SHA-1", weak, "@cert-authority " + line("*", broken.PublicKey()), []string{"StrictHostKeyChecking yes"}, false},
		{"strict, signed by means of SHA-1, which is allowed", weak, "@cert-authority " + line("*", broken.PublicKey()), []string{"StrictHostKeyChecking yes", "CASignatureAlgorithms +ssh-rsa"}, true},
		{"strict, signed by another authority", s, "@cert-authority " + line("*", other.PublicKey()), []string{"StrictHostKeyChecking yes"}, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			l.configure(block("box", c.server.port, append(c.options, "StrictHostKeyChecking accept-new", "UpdateHostKeys no")...))
			l.write("known_hosts", c.known)
			out, err := exec.Command("ssh", "-F", l.path("config"), "-o", "BatchMode=yes", "-s", "box", "sftp").CombinedOutput()
			if (err == nil) != c.works {
				t.Fatalf("ssh: %v: %s", err, out)
			}
			want := l.read("known_hosts")
			l.write("known_hosts", c.known)
			client, err := l.dial(l.options(), "box")
			if (err == nil) != c.works {
				t.Fatalf("got %v", err)
			}
			if got := l.read("known_hosts"); got != want {
				t.Errorf("the file became\n%s, with ssh\n%s", got, want)
			}
			if err == nil {
				_ = client.Close()
			}
		})
	}
}

// TestKnownHostsFileWithSpaces has a new key added to a file whose name has spaces.
func TestKnownHostsFileWithSpaces(t *testing.T) {
	l := newLab(t)
	s := l.sshd()
	name := l.write("known hosts", "")
	l.configure(block("box", s.port, fmt.Sprintf("UserKnownHostsFile %q %s", name, l.path("two")), "StrictHostKeyChecking accept-new"))
	l.works(l.dial(l.options(), "box"))
	if want := fmt.Sprintf("[127.0.0.1]:%d %s", s.port, ssh.MarshalAuthorizedKey(s.host.PublicKey())); l.read("known hosts") != want {
		t.Errorf("got %q, want %q", l.read("known hosts"), want)
	}
	l.configure(block("box", s.port, fmt.Sprintf("UserKnownHostsFile %s %q", l.path("two"), name), "StrictHostKeyChecking yes"))
	l.works(l.dial(l.options(), "box"))
}

// TestAddressFamily has an address of the other kind than the configuration allows.
func TestAddressFamily(t *testing.T) {
	l := newLab(t)
	listener := l.listen()
	t.Cleanup(func() { _ = listener.Close() })
	port := listener.Addr().(*net.TCPAddr).Port
	l.configure(block("six", port, "AddressFamily inet6"), block("four", port, "AddressFamily inet", "HostName ::1"))
	_, err := l.dial(l.options(), "six")
	l.fails(err, port, "no IPv6 address", "AddressFamily inet6")
	_, err = l.dial(l.options(), "four")
	l.fails(err, port, "no IPv4 address", "AddressFamily inet")
}
