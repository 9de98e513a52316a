package sshhost

import (
	"bytes"
	"context"
	"crypto/ed25519"
	"crypto/rand"
	"fmt"
	"io"
	"net"
	"regexp"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/pkg/sftp"
	"golang.org/x/crypto/ssh"

	"psync/internal/operand/location"
	"psync/internal/sshconn"
	"psync/internal/sshconn/client"
	"psync/internal/sshconn/config"
	"psync/internal/wire"
)

var box = location.Account{Host: "box"}

// A buffered connection is written to without waiting, as one of a network.
type buffered struct {
	net.Conn
	writes chan []byte
	closed context.Context
	cancel context.CancelFunc
}

func newBuffered(c net.Conn) buffered {
	closed, cancel := context.WithCancel(context.Background())
	b := buffered{c, make(chan []byte, 1000), closed, cancel}
	go func() {
		for {
			select {
			case text := <-b.writes:
				_, _ = c.Write(text)
			case <-closed.Done():
				return
			}
		}
	}()
	return b
}

func (b buffered) Close() error {
	b.cancel()
	return b.Conn.Close()
}

func (b buffered) Write(text []byte) (int, error) {
	select {
	case b.writes <- bytes.Clone(text):
		return len(text), nil
	case <-b.closed.Done():
		return 0, net.ErrClosed
	}
}

// connectTo returns a connection to a server in this process, where each command says some words and goes on for ever,
// and so does SFTP unless it serves.
func connectTo(t *testing.T, says string, servesSFTP bool) *client.Client {
	t.Helper()
	_, private, err := ed25519.GenerateKey(rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	signer, err := ssh.NewSignerFromKey(private)
	if err != nil {
		t.Fatal(err)
	}
	hereEnd, thereEnd := net.Pipe()
	here, there := newBuffered(hereEnd), newBuffered(thereEnd)
	go func() {
		c := &ssh.ServerConfig{NoClientAuth: true}
		c.AddHostKey(signer)
		conn, chans, requests, err := ssh.NewServerConn(there, c)
		if err != nil {
			return
		}
		go ssh.DiscardRequests(requests)
		for open := range chans {
			go serve(open, says, servesSFTP)
		}
		_ = conn.Close()
	}()
	conn, chans, requests, err := ssh.NewClientConn(here, "box", &ssh.ClientConfig{HostKeyCallback: ssh.InsecureIgnoreHostKey()})
	if err != nil {
		t.Fatal(err)
	}
	return client.New(&config.Host{Alias: "box", HostName: "box", Port: 22}, conn, chans, requests, here, there)
}

const (
	missing = "not found" // a server says that has no psync
	stuck   = "stuck"     // likewise, and scripts begin there, but do nothing until they fail
)

// mark finds the word that a script says when it begins.
var mark = regexp.MustCompile(`echo (\w)""(\w+);`)

func serve(open ssh.NewChannel, says string, servesSFTP bool) {
	channel, requests, err := open.Accept()
	if err != nil {
		return
	}
	for r := range requests {
		_ = r.Reply(true, nil)
		switch {
		case r.Type == "exec" && (says == missing || says == stuck) && bytes.Contains(r.Payload, []byte("serve")):
			endCommand(channel, 127)
		case r.Type == "exec" && says == stuck:
			word := mark.FindSubmatch(r.Payload)
			_, _ = fmt.Fprintf(channel, "%s%s\n", word[1], word[2])
			time.AfterFunc(40*time.Second, func() { endCommand(channel, 1) })
		case r.Type == "exec":
			_, _ = io.WriteString(channel, says)
		case servesSFTP:
			go func() {
				if server, err := sftp.NewServer(channel); err == nil {
					_ = server.Serve()
				}
			}()
		}
	}
}

// endCommand ends a command.
func endCommand(channel ssh.Channel, status uint32) {
	_, _ = channel.SendRequest("exit-status", false, ssh.Marshal(struct{ Status uint32 }{status}))
	_ = channel.Close()
}

// TestHostThatHangs opens hosts where what is started does not answer, and looks how long that takes, by a clock of the
// test.
func TestHostThatHangs(t *testing.T) {
	magic := string(wire.Magic[:])
	for _, c := range []struct {
		name    string
		says    string // to a command
		sftp    bool   // SFTP answers
		options Options
		account location.Account
		after   time.Duration
		warned  string
		want    string // the error, or "SFTP"
	}{
		{"a shell", "", true, Options{}, box, 30 * time.Second, "box: no answer within 30s; SFTP is tried", "SFTP"},
		{"a shell after its greeting", "Welcome\r\n", true, Options{}, box, 30 * time.Second, "box: no answer within 30s; SFTP is tried", "SFTP"},
		{"a shell that prints much", strings.Repeat("noise\n", maxNoise), true, Options{}, box, 30 * time.Second, "box: no answer within 30s; SFTP is tried", "SFTP"},
		{"a shell, and SFTP", "", false, Options{}, box, time.Minute, "box: no answer within 30s; SFTP is tried", "box: no answer within 30s, and no SFTP: no answer within 30s"},
		{"a psync that says hello and no more", magic, true, Options{}, box, 30 * time.Second, "box: no answer within 30s; SFTP is tried", "SFTP"},
		{"a psync, and SFTP", magic, false, Options{}, box, time.Minute, "box: no answer within 30s; SFTP is tried", "box: no answer within 30s, and no SFTP: no answer within 30s"},
		{"SFTP that was asked for", "", false, Options{}, location.Account{Host: "box", SFTP: true}, 30 * time.Second, "", "box: no SFTP: no answer within 30s"},
		{"a psync by its path", magic, true, Options{Program: "/opt/psync"}, box, 30 * time.Second, "", "box: --remote-psync=/opt/psync: no answer within 30s"},
		{"one that is to be put there", "", true, Options{Bootstrap: true}, box, 30 * time.Second, "box: no answer within 30s; SFTP is tried", "SFTP"},
		{"the next shell", missing, true, Options{Bootstrap: true}, box, 30 * time.Second, "box: no answer within 30s; SFTP is tried", "SFTP"},
		{"a script that puts it there", stuck, true, Options{Bootstrap: true}, box, 40 * time.Second, "box: no answer for 30s", "SFTP"},
		{"a script, with a limit of silence", stuck, true, Options{Bootstrap: true, Timeout: 7 * time.Second}, box, 7 * time.Second, "box: no answer within 7s (--timeout); SFTP is tried", "SFTP"},
		{"with a limit", "", false, Options{Options: sshconn.Options{ConnectTimeout: 5 * time.Second}}, box, 10 * time.Second, "box: no answer within 5s; SFTP is tried", "box: no answer within 5s, and no SFTP: no answer within 5s"},
		{"with a long limit", "", true, Options{Options: sshconn.Options{ConnectTimeout: time.Minute}}, box, time.Minute, "box: no answer for 30s; box: no answer within 1m0s; SFTP is tried", "SFTP"},
		{"with a limit of silence", "", true, Options{Timeout: 7 * time.Second}, box, 7 * time.Second, "box: no answer within 7s; SFTP is tried", "SFTP"},
		{"with a long limit of silence", "", true, Options{Timeout: time.Hour}, box, 30 * time.Second, "box: no answer within 30s; SFTP is tried", "SFTP"},
	} {
		t.Run(c.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				var mu sync.Mutex // guards warned
				var warned []string
				c.options.Notify = func(text string) {
					mu.Lock()
					defer mu.Unlock()
					warned = append(warned, text)
				}
				d := NewDialer(c.options)
				conn := connectTo(t, c.says, c.sftp)
				begin := time.Now()
				h, err := d.open(context.Background(), conn, c.account, nil, nil)
				if took := time.Since(begin); took != c.after {
					t.Errorf("took %v, want %v", took, c.after)
				}
				if got := strings.Join(warned, "; "); got != c.warned {
					t.Errorf("warned %q, want %q", got, c.warned)
				}
				switch {
				case err != nil:
					if err.Error() != c.want {
						t.Errorf("got %v, want %s", err, c.want)
					}
				case c.want != "SFTP" || !h.IsSFTP():
					t.Errorf("got a session, want %s", c.want)
				default:
					h.silence.stop()
					_ = h.session.Close()
				}
				_ = conn.Close()
			})
		})
	}
}
