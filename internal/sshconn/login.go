package sshconn

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"strconv"

	"golang.org/x/crypto/ssh"

	"psync/internal/sshconn/auth"
	"psync/internal/sshconn/client"
	"psync/internal/sshconn/config"
	"psync/internal/sshconn/hosterror"
	"psync/internal/sshconn/hostkey"
	"psync/internal/sshconn/printable"
	"psync/internal/sshconn/process"
)

// login is the handshake with one host.
type login struct {
	d         *Dialer
	ctx       context.Context // of the call of Dial
	s         *config.Host
	auth      *auth.Authentication
	countdown countdown
	keyErr    error // why the host's key was not accepted
}

// config returns the configuration of the handshake. It sets the login's authentication.
func (l *login) config() (*ssh.ClientConfig, error) {
	algorithms, err := algorithms(l.s)
	if err != nil {
		return nil, err
	}
	keys, err := l.hostKeys()
	if err != nil {
		return nil, err
	}
	order, err := hostKeyOrder(l.s, keys)
	if err != nil {
		return nil, err
	}
	ask := l.ask
	if l.s.BatchMode || l.d.options.AskSecret == nil || l.d.options.Ask == nil {
		ask = nil
	}
	if l.auth, err = auth.Open(l.ctx, l.s, &l.d.secrets, ask, l.countdown.pause); err != nil {
		return nil, err
	}
	return &ssh.ClientConfig{
		Config: algorithms, User: l.s.User, HostKeyAlgorithms: order, AuthCallback: l.auth.Next,
		HostKeyCallback: func(_ string, _ net.Addr, key ssh.PublicKey) error {
			l.keyErr = keys.Check(key)
			return l.keyErr
		},
	}, nil
}

// hostKeys returns the checker for the keys of the host.
func (l *login) hostKeys() (*hostkey.Checker, error) {
	h := hostkey.Host{
		Name: l.s.HostName, Port: strconv.Itoa(l.s.Port), Files: l.s.KnownHosts, Add: l.s.UserKnownHosts, Hash: l.s.HashKnownHosts,
		Signatures: l.s.CASignatures, Accept: l.confirm, Notify: l.d.notify,
	}
	if l.s.HostKeyAlias != "" {
		h.Name, h.Port = l.s.HostKeyAlias, "22"
	}
	return hostkey.NewChecker(h)
}

// ask asks the user a question while the host waits.
func (l *login) ask(prompt string, secret bool) (string, error) {
	defer l.countdown.pause()()
	return l.d.ask(l.ctx, prompt, secret)
}

// confirm asks the user whether to trust an unknown host. Only "yes" means yes.
func (l *login) confirm(question string) (bool, error) {
	switch {
	case l.d.options.AcceptNew || l.s.KeyChecking == "accept-new":
		return true, nil
	case l.s.KeyChecking == "yes" || l.s.BatchMode || l.d.options.Ask == nil:
		return false, nil
	}
	answer, err := l.ask(question, false)
	if errors.Is(err, io.EOF) {
		return false, nil // The user has closed the input.
	}
	return answer == "yes", err
}

// handshake performs the SSH handshake and authenticates the user.
func (l *login) handshake(way net.Conn, config *ssh.ClientConfig, hop *client.Client) (*client.Client, error) {
	conn := &promptConn{Conn: way}
	l.countdown.start(l.s.ConnectTimeout, conn)
	stop := context.AfterFunc(l.ctx, func() { _ = conn.Close() }) // The handshake returns the error.
	address := net.JoinHostPort(l.s.HostName, strconv.Itoa(l.s.Port))
	sc, chans, requests, err := ssh.NewClientConn(conn, address, config)
	stop()
	expired := l.countdown.stop()
	if err != nil {
		if conn.ended.Load() && !expired && l.keyErr == nil && l.auth.Started() {
			err = io.EOF // what package ssh takes for a refusal
		}
		return nil, l.explain(err, way, expired)
	}
	l.auth.Succeeded()
	below := []io.Closer{conn}
	if hop != nil {
		below = append(below, hop)
	}
	c := client.New(l.s, sc, chans, requests, below...)
	conn.answerFirst(func() {
		_, _, _ = sc.SendRequest("keepalive@openssh.com", false, nil) // other calls report a lost connection
	})
	go c.KeepAlive(l.s.AliveInterval, l.s.AliveCountMax)
	return c, nil
}

// explain returns the cause of a failed handshake.
func (l *login) explain(err error, conn net.Conn, expired bool) error {
	_ = conn.Close() // This ends a process.
	var negotiation *ssh.AlgorithmNegotiationError
	var needs *hosterror.NeedsSSHError
	var refused *hosterror.RemediedError
	switch {
	case expired:
		return hosterror.TimeoutError(l.s.ConnectTimeout)
	case errors.As(err, &needs):
		return needs
	case errors.As(err, &negotiation):
		return &hosterror.NeedsSSHError{What: fmt.Sprintf("the algorithms of the host (%s: %s)", negotiation.What, printable.Text(fmt.Sprint(negotiation.RequestedAlgorithms)))}
	case l.keyErr != nil:
		return l.keyErr
	case errors.As(err, &refused):
		return refused
	case l.auth.Started() && err != io.EOF:
		return l.auth.Refused(nil)
	}
	if p, ok := conn.(*process.Process); ok && p.Stderr() != "" {
		return fmt.Errorf("the ProxyCommand says: %s", printable.LastLine(p.Stderr()))
	}
	if errors.Is(err, io.EOF) {
		return errors.New("the connection was closed before the handshake was complete")
	}
	return errors.New(printable.Text(err.Error()))
}
