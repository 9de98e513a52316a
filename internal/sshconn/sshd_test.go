package sshconn

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"os/exec"
	"strings"
	"testing"

	"golang.org/x/crypto/ssh"
	"golang.org/x/crypto/ssh/agent"
)

func TestKnownHost(t *testing.T) {
	l := newLab(t)
	s := l.sshd()
	l.trust(s.port, s.host.PublicKey())
	l.configure(block("box", s.port))
	c, err := l.dial(l.options(), "box")
	l.works(c, err)
	if c.RTT() <= 0 {
		t.Errorf("got a round trip of %v", c.RTT())
	}
}

func TestUnknownHost(t *testing.T) {
	for _, c := range []struct {
		name     string
		checking string
		accept   bool
		answer   string // "" if the user is not asked
		added    bool
	}{
		{"no user to ask", "ask", false, "", false},
		{"yes", "ask", false, "yes", true},
		{"y is no yes", "ask", false, "y", false},
		{"no", "ask", false, "no", false},
		{"end of input", "ask", false, "^D", false},
		{"strict", "yes", false, "yes", false},
		{"accepted in advance", "ask", true, "", true},
		{"accepted by the configuration", "accept-new", false, "", true},
		{"not checked, says the configuration", "no", false, "", true},
	} {
		t.Run(c.name, func(t *testing.T) {
			l := newLab(t)
			s := l.sshd()
			l.configure(block("box", s.port, "StrictHostKeyChecking "+c.checking))
			o := l.options()
			o.AcceptNew = c.accept
			said := ""
			o.Notify = func(text string) { said += text }
			if c.answer != "" {
				o.Ask = func(context.Context, string) (string, error) {
					if c.answer == "^D" {
						return "", io.EOF
					}
					return c.answer, nil
				}
				o.AskSecret = o.Ask
			}
			client, err := l.dial(o, "box")
			if !c.added {
				l.fails(err, s.port, "box", ssh.FingerprintSHA256(s.host.PublicKey()), "ED25519", l.path("known_hosts"), "--ssh-accept-new")
				if l.read("known_hosts") != "" {
					t.Error("the key was added")
				}
				return
			}
			l.works(client, err)
			if want := fmt.Sprintf("[127.0.0.1]:%d %s", s.port, ssh.MarshalAuthorizedKey(s.host.PublicKey())); l.read("known_hosts") != want {
				t.Errorf("got %q, want %q", l.read("known_hosts"), want)
			}
			if !strings.Contains(said, "added") {
				t.Errorf("said %q", said)
			}
		})
	}
}

func TestHostsNotToBeTrusted(t *testing.T) {
	for _, c := range []struct {
		name, want string
		known      func(l *lab, s *sshd)
	}{
		{"changed", "has changed", func(l *lab, s *sshd) { l.trust(s.port, l.signer.PublicKey()) }},
		{"revoked", "is revoked", func(l *lab, s *sshd) {
			l.trust(s.port, s.host.PublicKey())
			l.write("known_hosts", l.read("known_hosts")+"@revoked * "+string(ssh.MarshalAuthorizedKey(s.host.PublicKey())))
		}},
	} {
		t.Run(c.name, func(t *testing.T) {
			l := newLab(t)
			s := l.sshd()
			c.known(l, s)
			l.configure(block("box", s.port, "StrictHostKeyChecking no", "NoHostAuthenticationForLocalhost yes"))
			o := l.options()
			o.AcceptNew = true
			o.Ask = func(context.Context, string) (string, error) { return "yes", nil }
			o.AskSecret = o.Ask
			for _, command := range [][]string{nil, {"ssh"}} {
				o.Command = command
				_, err := l.dial(o, "box")
				want := c.want
				if command != nil {
					want = "" // ssh says it in its own words
				}
				l.fails(err, s.port, want)
			}
		})
	}
}

func TestSignedHost(t *testing.T) {
	l := newLab(t)
	_, ca := newKey(t)
	s := l.sshd("HostCertificate " + l.path("cert"))
	cert := &ssh.Certificate{
		Key: s.host.PublicKey(), CertType: ssh.HostCert, ValidPrincipals: []string{"farm.example"}, ValidBefore: ssh.CertTimeInfinity,
	}
	if err := cert.SignCert(rand.Reader, ca); err != nil {
		t.Fatal(err)
	}
	l.write("cert", string(ssh.MarshalAuthorizedKey(cert)))
	l.write("known_hosts", "@cert-authority *.example "+string(ssh.MarshalAuthorizedKey(ca.PublicKey())))
	l.configure(block("box", s.port, "HostKeyAlias farm.example"), block("other", s.port, "HostKeyAlias yard.example"))
	l.works(l.dial(l.options(), "box"))
	_, err := l.dial(l.options(), "other")
	l.fails(err, s.port, "certificate")
}

func TestHostKeyAlias(t *testing.T) {
	l := newLab(t)
	s := l.sshd()
	l.write("known_hosts", "farm "+string(ssh.MarshalAuthorizedKey(s.host.PublicKey())))
	l.configure(block("box", s.port, "HostKeyAlias farm"))
	l.works(l.dial(l.options(), "box"))
}

func TestTwoHops(t *testing.T) {
	l := newLab(t)
	one, two, box := l.sshd(), l.sshd(), l.sshd()
	l.trust(one.port, one.host.PublicKey())
	l.trust(box.port, box.host.PublicKey())
	l.configure(block("one", one.port), block("two", two.port), block("box", box.port, "ProxyJump one,two"))
	_, err := l.dial(l.options(), "box")
	l.fails(err, two.port, "two", "not known")
	if box.connections() != 0 {
		t.Error("the last host was connected to by one that is not trusted")
	}
	l.trust(two.port, two.host.PublicKey())
	l.works(l.dial(l.options(), "box"))
	if one.connections() != 2 || two.connections() != 2 || box.connections() != 1 {
		t.Errorf("got %d, %d and %d connections", one.connections(), two.connections(), box.connections())
	}
}

// TestHopByTheSystemsSSH has a host on the way that only ssh can connect to, which has to go through the one before.
func TestHopByTheSystemsSSH(t *testing.T) {
	l := newLab(t)
	one, two, box := l.sshd(), l.sshd(), l.sshd()
	for _, s := range []*sshd{one, two, box} {
		l.trust(s.port, s.host.PublicKey())
	}
	l.configure(block("one", one.port), block("two", two.port, "KnownHostsCommand /bin/echo"), block("box", box.port, "ProxyJump one,two"))
	l.works(l.dial(l.options(), "box"))
	if one.connections() != 1 || two.connections() != 1 || box.connections() != 1 {
		t.Errorf("got %d, %d and %d connections", one.connections(), two.connections(), box.connections())
	}
}

func TestHopLoop(t *testing.T) {
	l := newLab(t)
	l.configure("Host a\n  ProxyJump b\nHost b\n  ProxyJump a")
	_, err := l.dial(l.options(), "a")
	l.fails(err, 22, "ProxyJump")
}

func TestProxyCommand(t *testing.T) {
	l := newLab(t)
	s := l.sshd()
	l.trust(s.port, s.host.PublicKey())
	proxy := fmt.Sprintf("ProxyCommand %q -test.run=TestHelperProxy -- %%h:%%p", os.Args[0])
	l.configure(block("box", s.port, proxy), block("bad", s.port, "ProxyCommand echo no way >&2; exit 3"))
	t.Setenv("PSYNC_TEST_PROXY", "1")
	l.works(l.dial(l.options(), "box"))
	_, err := l.dial(l.options(), "bad")
	l.fails(err, s.port, "no way")
}

// TestHelperProxy is no test but a ProxyCommand.
func TestHelperProxy(*testing.T) {
	if os.Getenv("PSYNC_TEST_PROXY") == "" {
		return
	}
	conn, err := net.Dial("tcp", os.Args[len(os.Args)-1])
	if err != nil {
		os.Exit(1)
	}
	go func() {
		_, _ = conn.(*net.TCPConn).ReadFrom(os.Stdin)
		os.Exit(0)
	}()
	_, _ = conn.(*net.TCPConn).WriteTo(os.Stdout)
	os.Exit(0)
}

func TestEncryptedKey(t *testing.T) {
	l := newLab(t)
	s := l.sshd()
	l.trust(s.port, s.host.PublicKey())
	l.configure(block("box", s.port))
	l.write("id", privateText(t, l.private, "secret"))
	_, err := l.dial(l.options(), "box")
	l.fails(err, s.port, l.path("id"), "passphrase", "ssh-add")

	for _, answers := range [][]string{{"wrong", "secret"}, {"wrong", "wrong", "wrong"}} {
		o := l.options()
		asked := 0
		o.Ask = func(context.Context, string) (string, error) { return "", errors.New("asked") }
		o.AskSecret = func(_ context.Context, prompt string) (string, error) {
			if !strings.Contains(prompt, l.path("id")) {
				t.Errorf("asked %q", prompt)
			}
			asked++
			return answers[asked-1], nil
		}
		d := NewDialer(o)
		for range 2 { // the second time it is known
			c, err := d.Dial(t.Context(), Target{Host: "box"})
			if answers[len(answers)-1] == "wrong" {
				l.fails(err, s.port, "wrong")
				continue
			}
			l.works(c, err)
			_ = c.Close()
		}
		if asked != len(answers) {
			t.Errorf("asked %d times, want %d", asked, len(answers))
		}
	}
}

// agentWith starts an agent that has keys, and returns its socket.
func (l *lab) agentWith(keys ...agent.AddedKey) string {
	l.Helper()
	ring := agent.NewKeyring()
	for _, k := range keys {
		if err := ring.Add(k); err != nil {
			l.Fatal(err)
		}
	}
	socket := os.Getenv("TMPDIR") + "/agent"
	listener, err := net.Listen("unix", socket)
	if err != nil {
		l.Fatal(err)
	}
	l.serve(listener, func(conn net.Conn) {
		_ = agent.ServeAgent(ring, conn)
		_ = conn.Close()
	})
	return socket
}

func TestAgent(t *testing.T) {
	l := newLab(t)
	s := l.sshd()
	l.trust(s.port, s.host.PublicKey())
	var keys []agent.AddedKey
	for range 7 { // more than a server lets one try
		other, _ := newKey(t)
		keys = append(keys, agent.AddedKey{PrivateKey: other})
	}
	socket := l.agentWith(append(keys, agent.AddedKey{PrivateKey: l.private})...)
	if err := os.Remove(l.path("id")); err != nil {
		t.Fatal(err)
	}
	l.configure(block("box", s.port, "IdentityAgent "+socket))
	_, err := l.dial(l.options(), "box")
	l.fails(err, s.port, "agent SHA256:", l.user)
	// That the key is configured puts it first.
	l.write("id.pub", string(ssh.MarshalAuthorizedKey(l.signer.PublicKey())))
	l.works(l.dial(l.options(), "box"))
	t.Setenv("SSH_AUTH_SOCK", socket)
	l.configure(block("box", s.port, "IdentitiesOnly yes"))
	l.works(l.dial(l.options(), "box"))
	l.configure(block("box", s.port, "IdentityAgent none"))
	_, err = l.dial(l.options(), "box")
	l.fails(err, s.port, "refused")
}

func TestCertificate(t *testing.T) {
	l := newLab(t)
	_, ca := newKey(t)
	s := l.sshd("TrustedUserCAKeys " + l.write("ca", string(ssh.MarshalAuthorizedKey(ca.PublicKey()))))
	l.trust(s.port, s.host.PublicKey())
	l.write("authorized_keys", "")
	l.configure(block("box", s.port), block("named", s.port, "CertificateFile "+l.path("cert")))
	_, err := l.dial(l.options(), "box")
	l.fails(err, s.port, "refused", l.path("id"))
	cert := &ssh.Certificate{
		Key: l.signer.PublicKey(), CertType: ssh.UserCert, ValidPrincipals: []string{l.user}, ValidBefore: ssh.CertTimeInfinity,
		Permissions: ssh.Permissions{Extensions: map[string]string{"permit-pty": ""}},
	}
	if err := cert.SignCert(rand.Reader, ca); err != nil {
		t.Fatal(err)
	}
	l.write("cert", string(ssh.MarshalAuthorizedKey(cert)))
	l.works(l.dial(l.options(), "named"))
	l.write("id-cert.pub", string(ssh.MarshalAuthorizedKey(cert)))
	l.works(l.dial(l.options(), "box"))
}

func TestControlMaster(t *testing.T) {
	l := newLab(t)
	s := l.sshd()
	l.trust(s.port, s.host.PublicKey())
	socket := os.Getenv("TMPDIR") + "/%r@%n"
	l.configure(block("box", s.port, "ControlPath "+socket))
	l.works(l.dial(l.options(), "box")) // no process listens yet
	master := exec.Command("ssh", "-F", l.path("config"), "-M", "-N", "-f", "-o", "ControlPersist=60", "box")
	if err := master.Run(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := exec.Command("ssh", "-F", l.path("config"), "-O", "exit", "box").Run(); err != nil {
			t.Error(err)
		}
	})
	before := s.connections()
	c, err := l.dial(l.options(), "box")
	l.works(c, err)
	l.works(c, nil)
	if n := s.connections() - before; n != 0 {
		t.Errorf("%d new connections", n)
	}
}

// TestSystemSSH has ssh connect, because the user or the configuration wants it.
func TestSystemSSH(t *testing.T) {
	for _, c := range []struct {
		name    string
		command []string
		lines   []string
	}{
		{"command", []string{"ssh", "-o", "HostKeyAlias=farm"}, nil},
		{"what only ssh can do", nil, []string{"HostKeyAlias farm", "KnownHostsCommand /bin/echo"}},
		{"no common algorithm", nil, []string{"HostKeyAlias farm", "KexAlgorithms sntrup761x25519-sha512@openssh.com"}},
		{"what would disturb", []string{"ssh"}, []string{"HostKeyAlias farm", "RemoteCommand exit 1", "LocalForward 127.0.0.1:1 127.0.0.1:1"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			if _, err := exec.LookPath("ssh"); err != nil {
				t.Skip(err)
			}
			l := newLab(t)
			s := l.sshd()
			l.write("known_hosts", "farm "+string(ssh.MarshalAuthorizedKey(s.host.PublicKey())))
			l.configure(block("box", s.port, c.lines...))
			o := l.options()
			o.Command = c.command
			client, err := l.dial(o, "box")
			l.works(client, err)
			l.works(client, nil)
			if err := client.Close(); err != nil {
				t.Error(err)
			}
			left, err := os.ReadDir(os.Getenv("TMPDIR"))
			if err != nil || len(left) > 0 {
				t.Errorf("left %v, %v", left, err)
			}
		})
	}
}

func TestMaxSessions(t *testing.T) {
	l := newLab(t)
	s := l.sshd("MaxSessions 1")
	l.trust(s.port, s.host.PublicKey())
	l.configure(block("box", s.port))
	c, err := l.dial(l.options(), "box")
	if err != nil {
		t.Fatal(err)
	}
	first, err := c.Subsystem(t.Context(), "sftp")
	if err != nil {
		t.Fatal(err)
	}
	_, err = c.Subsystem(t.Context(), "sftp")
	l.fails(err, s.port, "another channel")
	l.answers(first)
}

// TestDialSocket opens channels to a socket by a native connection and by a master.
func TestDialSocket(t *testing.T) {
	for _, tt := range []struct {
		name    string
		lines   []string
		command []string
		refuses bool
	}{
		{"native", nil, nil, false},
		{"master", nil, []string{"ssh"}, false},
		{"forwarding of sockets is off", []string{"AllowStreamLocalForwarding no"}, nil, true},
		{"all forwarding is off", []string{"DisableForwarding yes"}, nil, true},
		{"all forwarding is off, master", []string{"DisableForwarding yes"}, []string{"ssh"}, true},
	} {
		t.Run(tt.name, func(t *testing.T) {
			l := newLab(t)
			s := l.sshd(tt.lines...)
			l.trust(s.port, s.host.PublicKey())
			l.configure(block("box", s.port))
			listener, err := net.Listen("unix", l.path("socket"))
			if err != nil {
				t.Fatal(err)
			}
			l.serve(listener, func(conn net.Conn) {
				_, _ = io.Copy(conn, conn)
				_ = conn.Close()
			})
			o := l.options()
			o.Command = tt.command
			c, err := l.dial(o, "box")
			l.works(c, err)
			if _, err := c.DialSocket(l.path("missing")); err == nil {
				t.Error("a socket that is not there was opened")
			}
			ch, err := c.DialSocket(l.path("socket"))
			if (err != nil) != tt.refuses {
				t.Fatal(err)
			}
			if err == nil {
				got := make([]byte, 5)
				_, err = io.WriteString(ch, "hello")
				if err == nil {
					_, err = io.ReadFull(ch, got)
				}
				if err := errors.Join(err, ch.Close()); err != nil || string(got) != "hello" {
					t.Errorf("got %q, %v", got, err)
				}
			}
			l.works(c, nil)
		})
	}
}
