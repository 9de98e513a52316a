package sshconn

import (
	"context"
	"crypto/subtle"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"strings"
	"sync"
	"testing"
	"time"

	"psync/internal/sshconn/client"
	"psync/internal/sshconn/printable"

	"golang.org/x/crypto/ssh"
)

func TestExec(t *testing.T) {
	l := newLab(t)
	s := l.server(l.anyone())
	l.configure(block("box", s.port))
	c, err := l.dial(l.options(), "box")
	if err != nil {
		t.Fatal(err)
	}
	ch, err := c.Exec(t.Context(), "cat")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := io.WriteString(ch, "hello"); err != nil {
		t.Fatal(err)
	}
	if err := ch.CloseWrite(); err != nil {
		t.Fatal(err)
	}
	if text, err := io.ReadAll(ch); err != nil || string(text) != "hello" {
		t.Errorf("got %q, %v", text, err)
	}
	if err := ch.Wait(); err != nil {
		t.Error(err)
	}

	if ch, err = c.Exec(t.Context(), "exit 3"); err != nil {
		t.Fatal(err)
	}
	var exit *client.ExitError
	if err := ch.Wait(); !errors.As(err, &exit) || exit.Status != 3 || !strings.HasSuffix(exit.Stderr, "xbell ?") || len(exit.Stderr) > printable.MaxLength+1 {
		t.Errorf("got %v", err)
	}
	if ch, err = c.Exec(t.Context(), "vanish"); err != nil {
		t.Fatal(err)
	}
	if err := ch.Wait(); err == nil || errors.As(err, &exit) {
		t.Errorf("a command that did not end: got %v", err)
	}
	_, err = c.Exec(t.Context(), "hang up")
	l.fails(err, s.port, "the channel was closed before the command ended")
	if strings.Contains(err.Error(), "\n") {
		t.Errorf("got several lines: %v", err)
	}
	_, err = c.Subsystem(t.Context(), "sftp\a")
	l.fails(err, s.port, "the subsystem sftp?")
}

func TestLostConnection(t *testing.T) {
	l := newLab(t)
	s := l.server(l.anyone())
	l.configure(block("box", s.port))
	c, err := l.dial(l.options(), "box")
	if err != nil {
		t.Fatal(err)
	}
	ch, err := c.Exec(t.Context(), "cat")
	if err != nil {
		t.Fatal(err)
	}
	s.cut <- struct{}{}
	l.fails(ch.Wait(), s.port, "the connection was")
	_, err = c.Exec(t.Context(), "cat")
	l.fails(err, s.port, "the connection was")
	l.fails(c.Err(), s.port, "the connection was")
}

// passwords is the configuration of a server that knows a password.
func passwords(password string) *ssh.ServerConfig {
	same := func(given string) error {
		if subtle.ConstantTimeCompare([]byte(given), []byte(password)) != 1 {
			return errors.New("wrong")
		}
		return nil
	}
	return &ssh.ServerConfig{
		MaxAuthTries: 10,
		PasswordCallback: func(_ ssh.ConnMetadata, given []byte) (*ssh.Permissions, error) {
			return nil, same(string(given))
		},
	}
}

func interactive(password string) *ssh.ServerConfig {
	return &ssh.ServerConfig{
		MaxAuthTries: 10,
		KeyboardInteractiveCallback: func(_ ssh.ConnMetadata, ask ssh.KeyboardInteractiveChallenge) (*ssh.Permissions, error) {
			answers, err := ask("", "Welcome\a", []string{"Password: ", "Colour? "}, []bool{false, true})
			if err != nil || answers[0] != password || answers[1] != "blue" {
				return nil, errors.New("wrong")
			}
			return nil, nil
		},
	}
}

func TestPassword(t *testing.T) {
	for _, c := range []struct {
		name   string
		config func(string) *ssh.ServerConfig
		tried  string
	}{{"password", passwords, "password"}, {"keyboard-interactive", interactive, "keyboard-interactive"}} {
		for _, answers := range [][]string{{"secret"}, {"wrong", "wrong", "secret"}, {"wrong", "wrong", "wrong"}} {
			t.Run(fmt.Sprint(c.name, len(answers), answers[len(answers)-1]), func(t *testing.T) {
				l := newLab(t)
				s := l.server(c.config("secret"))
				l.configure(block("box", s.port))
				asked := 0
				o := l.options()
				o.Ask = func(_ context.Context, prompt string) (string, error) {
					if !strings.Contains(prompt, "Colour?") {
						t.Errorf("asked %q", prompt)
					}
					return "blue", nil
				}
				o.AskSecret = func(_ context.Context, prompt string) (string, error) {
					if !strings.Contains(prompt, l.user+"@box") || strings.Contains(prompt, "\a") {
						t.Errorf("asked %q", prompt)
					}
					asked++
					return answers[asked-1], nil
				}
				d := NewDialer(o)
				for range 2 { // the second time it is known
					client, err := d.Dial(t.Context(), Target{Host: "box"})
					if answers[len(answers)-1] == "wrong" {
						l.fails(err, s.port, "refused", c.tried, l.user)
						continue
					}
					if err != nil {
						t.Fatal(err)
					}
					_ = client.Close()
				}
				if asked != len(answers) {
					t.Errorf("asked %d times, want %d", asked, len(answers))
				}
				want := int32(2)
				if answers[len(answers)-1] == "wrong" {
					want = 1 // a refusal is final
				}
				if s.conns.Load() != want {
					t.Errorf("%d connections, want %d", s.conns.Load(), want)
				}
			})
		}
	}
}

// TestConnectionClosedDuringAuthentication has the connection end while the host is asked whether it accepts a password: that
// is no refusal, so it is worth trying again.
func TestConnectionClosedDuringAuthentication(t *testing.T) {
	l := newLab(t)
	_, signer := newKey(t)
	listener := l.listen()
	port := listener.Addr().(*net.TCPAddr).Port
	l.trust(port, signer.PublicKey())
	l.serve(listener, func(conn net.Conn) {
		config := &ssh.ServerConfig{PasswordCallback: func(ssh.ConnMetadata, []byte) (*ssh.Permissions, error) {
			return nil, conn.Close()
		}}
		config.AddHostKey(signer)
		_, _, _, _ = ssh.NewServerConn(conn, config)
	})
	l.configure(block("box", port))
	o := l.options()
	o.AskSecret = func(context.Context, string) (string, error) { return "secret", nil }
	o.Ask = o.AskSecret
	_, err := l.dial(o, "box")
	l.fails(err, port, "closed before the handshake was complete")
	if IsFinal(err) {
		t.Errorf("%v is final", err)
	}
}

// TestPasswordOfAnotherPort has two servers on one machine. One must not receive the password of the other.
func TestPasswordOfAnotherPort(t *testing.T) {
	l := newLab(t)
	s, other := l.server(passwords("secret")), l.server(passwords("other"))
	l.configure(block("box", s.port))
	answers := []string{"secret", "other"}
	o := l.options()
	o.AskSecret = func(context.Context, string) (string, error) {
		answer := answers[0]
		answers = answers[1:]
		return answer, nil
	}
	o.Ask = o.AskSecret
	d := NewDialer(o)
	for _, port := range []int{s.port, other.port} {
		client, err := d.Dial(t.Context(), Target{Host: "box", Port: port})
		if err != nil {
			t.Fatal(err)
		}
		_ = client.Close()
	}
	if len(answers) != 0 {
		t.Errorf("not asked for %q", answers)
	}
}

func TestWithoutUserToAsk(t *testing.T) {
	l := newLab(t)
	s := l.server(passwords("secret"))
	l.configure(block("box", s.port), block("batch", s.port, "BatchMode yes"))
	_, err := l.dial(l.options(), "box")
	l.fails(err, s.port, "refused", "password", "-e ssh")
	o := l.options()
	o.Ask = func(context.Context, string) (string, error) { t.Error("asked"); return "", nil }
	o.AskSecret = o.Ask
	_, err = l.dial(o, "batch")
	l.fails(err, s.port, "refused")
}

func TestTwoFactors(t *testing.T) {
	l := newLab(t)
	config := l.anyone()
	key := config.PublicKeyCallback
	config.PublicKeyCallback = func(m ssh.ConnMetadata, k ssh.PublicKey) (*ssh.Permissions, error) {
		if _, err := key(m, k); err != nil {
			return nil, err
		}
		return nil, &ssh.PartialSuccessError{Next: ssh.ServerAuthCallbacks{PasswordCallback: passwords("secret").PasswordCallback}}
	}
	s := l.server(config)
	l.configure(block("box", s.port))
	o := l.options()
	o.Ask = func(context.Context, string) (string, error) { return "", errors.New("asked") }
	o.AskSecret = func(context.Context, string) (string, error) { return "secret", nil }
	if _, err := l.dial(o, "box"); err != nil {
		t.Error(err)
	}
}

func TestNoConnection(t *testing.T) {
	l := newLab(t)
	closed := l.listen()
	port := closed.Addr().(*net.TCPAddr).Port
	if err := closed.Close(); err != nil {
		t.Fatal(err)
	}
	noise := l.listen()
	l.serve(noise, func(conn net.Conn) {
		_, _ = io.WriteString(conn, "HTTP/1.0 400 \x1b[31mno\r\n\r\n")
		_ = conn.Close()
	})
	noisy := noise.Addr().(*net.TCPAddr).Port
	l.configure(block("closed", port), block("nowhere", 24, "HostName nowhere.invalid"), block("noise", noisy))
	_, err := l.dial(l.options(), "closed")
	l.fails(err, port, "closed", "refused")
	_, err = l.dial(l.options(), "noise")
	l.fails(err, noisy, "noise")
	if strings.Contains(err.Error(), "\x1b") {
		t.Errorf("%q is not escaped", err)
	}
	_, err = l.dial(l.options(), "nowhere")
	l.fails(err, 24, "nowhere", "host")
	_, err = l.dial(l.options(), "-oProxyCommand=x")
	l.fails(err, 0, "no name of a host")
}

// TestSilence has a host that accepts connections and says nothing.
func TestSilence(t *testing.T) {
	l := newLab(t)
	listener := l.listen()
	l.serve(listener, func(conn net.Conn) {
		_, _ = io.Copy(io.Discard, conn)
		_ = conn.Close()
	})
	l.configure(block("box", listener.Addr().(*net.TCPAddr).Port))
	d := NewDialer(l.options())
	s := l.lookup("box")
	s.ConnectTimeout = 20 * time.Millisecond
	if _, err := d.native(t.Context(), s, nil, 0); err == nil || !strings.Contains(err.Error(), "no answer within 20ms") {
		t.Errorf("got %v", err)
	}
}

func TestCancel(t *testing.T) {
	l := newLab(t)
	ctx, cancel := context.WithCancelCause(t.Context())
	enough := errors.New("enough")
	listener := l.listen()
	l.serve(listener, func(conn net.Conn) {
		cancel(enough)
		_, _ = io.Copy(io.Discard, conn)
		_ = conn.Close()
	})
	l.configure(block("box", listener.Addr().(*net.TCPAddr).Port))
	if _, err := NewDialer(l.options()).Dial(ctx, Target{Host: "box"}); !errors.Is(err, enough) {
		t.Errorf("got %v", err)
	}
}

// TestCancelWhileTheAgentIsSilent has an agent that never answers.
func TestCancelWhileTheAgentIsSilent(t *testing.T) {
	l := newLab(t)
	ctx, cancel := context.WithCancelCause(t.Context())
	enough := errors.New("enough")
	socket := os.Getenv("TMPDIR") + "/agent"
	listener, err := net.Listen("unix", socket)
	if err != nil {
		t.Fatal(err)
	}
	l.serve(listener, func(conn net.Conn) {
		cancel(enough)
		_, _ = io.Copy(io.Discard, conn)
		_ = conn.Close()
	})
	l.configure(block("box", 22, "IdentityAgent "+socket))
	if _, err := NewDialer(l.options()).Dial(ctx, Target{Host: "box"}); !errors.Is(err, enough) {
		t.Errorf("got %v", err)
	}
}

func TestKeepAlive(t *testing.T) {
	l := newLab(t)
	s := l.server(l.anyone())
	s.mute = true
	l.configure(block("box", s.port))
	c, err := l.dial(l.options(), "box")
	if err != nil {
		t.Fatal(err)
	}
	go c.KeepAlive(20*time.Millisecond, 3)
	if _, err := c.Exec(t.Context(), "cat"); err == nil {
		t.Fatal("a channel to a host that does not answer")
	}
	l.fails(c.Err(), s.port, "no answer within 60ms")
}

func TestHandshakesAtOnce(t *testing.T) {
	l := newLab(t)
	arrived, release := make(chan struct{}, 16), make(chan struct{})
	config := l.anyone()
	key := config.PublicKeyCallback
	var mu sync.Mutex
	live, most := 0, 0 // clients that wait for the callback, so that their handshakes are certainly under way
	config.PublicKeyCallback = func(m ssh.ConnMetadata, k ssh.PublicKey) (*ssh.Permissions, error) {
		mu.Lock()
		live++
		most = max(most, live)
		mu.Unlock()
		defer func() {
			mu.Lock()
			defer mu.Unlock()
			live--
		}()
		arrived <- struct{}{}
		<-release
		return key(m, k)
	}
	s := l.server(config)
	l.configure(block("box", s.port))
	d := NewDialer(l.options())
	done := make(chan error)
	for range 2 * maxHandshakes {
		go func() {
			c, err := d.Dial(context.Background(), Target{Host: "box"})
			if err == nil {
				err = c.Close()
			}
			done <- err
		}()
	}
	for range maxHandshakes {
		<-arrived
	}
	close(release)
	for range 2 * maxHandshakes {
		if err := <-done; err != nil {
			t.Error(err)
		}
	}
	if most > maxHandshakes {
		t.Errorf("%d handshakes at once", most)
	}
}

func TestOtherCommand(t *testing.T) {
	l := newLab(t)
	rsh := l.write("rsh", "#!/bin/sh\necho \"$#: $*\" >&2\nshift 3\neval \"$*\"\n")
	o := l.options()
	o.Command = []string{"/bin/sh", rsh}
	d := NewDialer(o)
	c, err := d.Dial(t.Context(), Target{User: "joe", Host: "box"})
	if err != nil {
		t.Fatal(err)
	}
	ch, err := c.Exec(t.Context(), "cat; exit 4")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := c.Exec(t.Context(), "cat"); err == nil {
		t.Error("there is a second channel")
	}
	if _, err := c.Subsystem(t.Context(), "sftp"); err == nil {
		t.Error("there is a subsystem")
	}
	if _, err := io.WriteString(ch, "hello"); err != nil {
		t.Fatal(err)
	}
	if err := ch.CloseWrite(); err != nil {
		t.Fatal(err)
	}
	if text, err := io.ReadAll(ch); err != nil || string(text) != "hello" {
		t.Errorf("got %q, %v", text, err)
	}
	var exit *client.ExitError
	if err := ch.Wait(); !errors.As(err, &exit) || exit.Status != 4 || exit.Stderr != "6: -l joe box cat; exit 4" {
		t.Errorf("got %v", err)
	}
	if err := c.Close(); err != nil {
		t.Error(err)
	}
}
