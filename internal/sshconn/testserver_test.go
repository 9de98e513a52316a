package sshconn

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"net"
	"strings"
	"sync/atomic"

	"psync/internal/sshconn/printable"

	"golang.org/x/crypto/ssh"
)

// A server is one in this process, for what sshd cannot do as an ordinary user.
type server struct {
	port   int
	signer ssh.Signer
	conns  atomic.Int32
	mute   bool          // it answers nothing once the user is authenticated
	cut    chan struct{} // closes a connection of a user who is authenticated
}

// server starts a server. Its key is trusted.
func (l *lab) server(config *ssh.ServerConfig) *server {
	l.Helper()
	_, signer := newKey(l.TB)
	config.AddHostKey(signer)
	listener := l.listen()
	s := &server{port: listener.Addr().(*net.TCPAddr).Port, signer: signer, cut: make(chan struct{})}
	l.trust(s.port, signer.PublicKey())
	l.serve(listener, func(conn net.Conn) {
		defer func() { _ = conn.Close() }()
		s.conns.Add(1)
		sc, chans, requests, err := ssh.NewServerConn(conn, config)
		if err != nil {
			return
		}
		if s.mute {
			_, _ = io.Copy(io.Discard, conn)
			return
		}
		go ssh.DiscardRequests(requests)
		ended := make(chan struct{})
		defer close(ended)
		go func() {
			select {
			case <-s.cut:
				_ = conn.Close()
			case <-ended:
			}
		}()
		for ch := range chans {
			go serveSession(ch)
		}
		_ = sc.Close()
	})
	return s
}

// serveSession runs a few commands: cat copies its input, and exit N ends with N and says so.
func serveSession(open ssh.NewChannel) {
	if open.ChannelType() != "session" {
		_ = open.Reject(ssh.UnknownChannelType, "no\x1b[31m")
		return
	}
	ch, requests, err := open.Accept()
	if err != nil {
		return
	}
	for r := range requests {
		var command struct{ Text string }
		_ = ssh.Unmarshal(r.Payload, &command)
		if command.Text == "hang up" {
			_ = ch.Close() // and do not answer
			continue
		}
		_ = r.Reply(r.Type == "exec", nil)
		if r.Type != "exec" {
			continue
		}
		go func() {
			var status uint32
			switch _, err := fmt.Sscanf(command.Text, "exit %d", &status); {
			case err == nil:
				_, _ = io.WriteString(ch.Stderr(), strings.Repeat("x", 2*printable.MaxLength)+"bell \a\n")
			case command.Text == "vanish":
				_ = ch.Close()
				return
			default:
				_, _ = io.Copy(ch, ch)
			}
			_, _ = ch.SendRequest("exit-status", false, ssh.Marshal(struct{ Status uint32 }{status}))
			_ = ch.Close()
		}()
	}
}

// anyone is the configuration of a server that lets all in who have the lab's key.
func (l *lab) anyone() *ssh.ServerConfig {
	return &ssh.ServerConfig{PublicKeyCallback: func(_ ssh.ConnMetadata, key ssh.PublicKey) (*ssh.Permissions, error) {
		if !bytes.Equal(key.Marshal(), l.signer.PublicKey().Marshal()) {
			return nil, errors.New("another key")
		}
		return nil, nil
	}}
}
