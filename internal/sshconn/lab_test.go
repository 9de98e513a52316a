package sshconn

import (
	"bytes"
	"context"
	"crypto/ed25519"
	"crypto/rand"
	"encoding/pem"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"os/exec"
	"os/user"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"psync/internal/sshconn/client"
	"psync/internal/sshconn/config"
	"psync/internal/sshconn/hosterror"

	"golang.org/x/crypto/ssh"
)

// A lab is a directory with a configuration, keys and known hosts, and servers that trust the keys.
// Nothing of the user's is read.
type lab struct {
	testing.TB
	dir     string
	user    string
	private ed25519.PrivateKey // of the client
	signer  ssh.Signer
}

func newLab(t testing.TB) *lab {
	t.Helper()
	dir := t.TempDir()
	for name, value := range map[string]string{
		"HOME": dir, "SSH_AUTH_SOCK": "", "SSH_ASKPASS": "", "SHELL": "/bin/sh", "DISPLAY": "", "TMPDIR": shortDir(t),
	} {
		setenv(t, name, value)
	}
	u, err := user.Current()
	if err != nil {
		t.Fatal(err)
	}
	l := &lab{TB: t, dir: dir, user: u.Username}
	l.private, l.signer = newKey(t)
	l.write("id", privateText(t, l.private, ""))
	l.write("authorized_keys", string(ssh.MarshalAuthorizedKey(l.signer.PublicKey())))
	return l
}

// shortDir returns a directory whose name is short enough for sockets.
func shortDir(t testing.TB) string {
	dir, err := os.MkdirTemp("/tmp", "psync-test-")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := os.RemoveAll(dir); err != nil {
			t.Error(err)
		}
	})
	return dir
}

func setenv(t testing.TB, name, value string) {
	if tt, ok := t.(*testing.T); ok {
		tt.Setenv(name, value)
	}
}

func newKey(t testing.TB) (ed25519.PrivateKey, ssh.Signer) {
	t.Helper()
	_, private, err := ed25519.GenerateKey(rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	signer, err := ssh.NewSignerFromSigner(private)
	if err != nil {
		t.Fatal(err)
	}
	return private, signer
}

// privateText returns the text of the file of a key, encrypted unless the passphrase is "".
func privateText(t testing.TB, key ed25519.PrivateKey, passphrase string) string {
	t.Helper()
	var block *pem.Block
	var err error
	if passphrase == "" {
		block, err = ssh.MarshalPrivateKey(key, "")
	} else {
		block, err = ssh.MarshalPrivateKeyWithPassphrase(key, "", []byte(passphrase))
	}
	if err != nil {
		t.Fatal(err)
	}
	return string(pem.EncodeToMemory(block))
}

func (l *lab) path(name string) string { return filepath.Join(l.dir, name) }

// write writes a file of the lab, and returns its path.
func (l *lab) write(name, text string) string {
	l.Helper()
	if err := os.WriteFile(l.path(name), []byte(text), 0o600); err != nil {
		l.Fatal(err)
	}
	return l.path(name)
}

func (l *lab) read(name string) string {
	l.Helper()
	text, err := os.ReadFile(l.path(name))
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		l.Fatal(err)
	}
	return string(text)
}

// configure writes the configuration: blocks of hosts, then what applies to all unless they say else.
func (l *lab) configure(blocks ...string) {
	l.write("config", strings.Join(blocks, "\n")+fmt.Sprintf(`
Host *
  HostName 127.0.0.1
  User %s
  IdentityFile %s
  UserKnownHostsFile %s
  GlobalKnownHostsFile /dev/null
  HashKnownHosts no
  GSSAPIAuthentication no
  ConnectTimeout 20
`, l.user, l.path("id"), l.path("known_hosts")))
}

// options returns the options of most tests, with which the user is not asked.
func (l *lab) options() Options {
	return Options{ConfigFile: l.path("config"), Notify: func(string) {}}
}

// trust has the known_hosts file know a key for a port.
func (l *lab) trust(port int, key ssh.PublicKey) {
	l.write("known_hosts", l.read("known_hosts")+fmt.Sprintf("[127.0.0.1]:%d %s", port, ssh.MarshalAuthorizedKey(key)))
}

func (l *lab) dial(o Options, host string) (*client.Client, error) {
	c, err := NewDialer(o).Dial(context.Background(), Target{Host: host})
	if err == nil {
		l.Cleanup(func() { _ = c.Close() })
	}
	return c, err
}

// lookup returns the configuration of a host, which the test may change.
func (l *lab) lookup(host string) *config.Host {
	l.Helper()
	s, err := config.Lookup(context.Background(), Target{Host: host}, []string{"ssh"}, l.path("config"))
	if err != nil {
		l.Fatal(err)
	}
	return s
}

// An sshd is a server of OpenSSH, of which one process is started for each connection.
type sshd struct {
	port   int
	host   ssh.Signer
	mu     sync.Mutex
	logged bytes.Buffer
	conns  int
}

// sshd starts a server with more lines of configuration.
func (l *lab) sshd(lines ...string) *sshd {
	l.Helper()
	const program = "/usr/sbin/sshd"
	if _, err := exec.LookPath(program); err != nil {
		l.Skip("openssh-server is not installed: ", err)
	}
	if _, err := os.Stat("/run/sshd"); os.Getuid() == 0 && err != nil {
		l.Skip("sshd has never been started, and lacks its directory: ", err)
	}
	private, signer := newKey(l.TB)
	s := &sshd{host: signer}
	listener := l.listen()
	s.port = listener.Addr().(*net.TCPAddr).Port
	key := l.write(fmt.Sprintf("host-%d", s.port), privateText(l.TB, private, ""))
	pam := "no"
	if os.Getuid() != 0 {
		pam = "yes" // sshd cannot read itself whether the account is locked.
	}
	config := l.write(fmt.Sprintf("sshd-%d", s.port), strings.Join(append(lines,
		"HostKey "+key, "AuthorizedKeysFile "+l.path("authorized_keys"), "StrictModes no", "UsePAM "+pam, "PidFile none",
		"PasswordAuthentication no", "KbdInteractiveAuthentication no", "PermitRootLogin yes", "Subsystem sftp internal-sftp",
		"LogLevel VERBOSE"), "\n")+"\n")
	l.Cleanup(func() {
		if l.Failed() {
			l.Log(s.logged.String())
		}
	})
	l.serve(listener, func(conn net.Conn) {
		f, err := conn.(*net.TCPConn).File()
		_ = conn.Close()
		if err != nil {
			return
		}
		s.mu.Lock()
		s.conns++
		s.mu.Unlock()
		cmd := exec.Command(program, "-i", "-e", "-f", config)
		var stderr bytes.Buffer
		cmd.Stdin, cmd.Stdout, cmd.Stderr = f, f, &stderr
		_ = cmd.Run()
		_ = f.Close()
		s.mu.Lock()
		s.logged.Write(stderr.Bytes())
		s.mu.Unlock()
	})
	return s
}

func (s *sshd) connections() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.conns
}

func (l *lab) listen() net.Listener {
	l.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		l.Fatal(err)
	}
	return listener
}

// serve serves connections until the test ends, and waits for all of them.
func (l *lab) serve(listener net.Listener, serve func(net.Conn)) {
	var wg sync.WaitGroup
	wg.Go(func() {
		for {
			conn, err := listener.Accept()
			if err != nil {
				return
			}
			wg.Go(func() { serve(conn) })
		}
	})
	l.Cleanup(func() {
		_ = listener.Close()
		wg.Wait()
	})
}

// block returns the configuration of a host.
func block(host string, port int, lines ...string) string {
	return fmt.Sprintf("Host %s\n  Port %d\n  %s\n", host, port, strings.Join(lines, "\n  "))
}

// works checks that a connection has a subsystem that answers. Commands are no good for that: users
// that tests run as may have a shell that runs none.
func (l *lab) works(c *client.Client, err error) {
	l.Helper()
	if err != nil {
		l.Fatal(err)
	}
	ch, err := c.Subsystem(context.Background(), "sftp")
	if err != nil {
		l.Fatal(err)
	}
	l.answers(ch)
	if err := ch.Close(); err != nil && !errors.Is(err, io.EOF) {
		l.Error(err)
	}
}

// answers checks that a channel is one of SFTP.
func (l *lab) answers(ch *client.Channel) {
	l.Helper()
	hello := []byte{0, 0, 0, 5, 1, 0, 0, 0, 3}
	if _, err := ch.Write(hello); err != nil {
		l.Fatal(err)
	}
	answer := make([]byte, len(hello))
	if _, err := io.ReadFull(ch, answer); err != nil {
		l.Fatalf("%v; it says %s", err, ch.Stderr())
	}
	if answer[4] != 2 || answer[8] != 3 {
		l.Errorf("got %v, want a version of SFTP", answer)
	}
}

// fails checks that there was no connection, and why.
func (l *lab) fails(err error, port int, want ...string) {
	l.Helper()
	var e *hosterror.Error
	if !errors.As(err, &e) {
		l.Fatalf("got %v, want an *Error", err)
	}
	if e.Port != port {
		l.Errorf("got port %d, want %d", e.Port, port)
	}
	for _, w := range want {
		if !strings.Contains(err.Error()+"\n"+e.Remedy, w) {
			l.Errorf("%q (%s) lacks %q", err, e.Remedy, w)
		}
	}
}
