package natsqueue

import (
	"bytes"
	"crypto/tls"
	"errors"
	"fmt"
	"os"

	"github.com/nats-io/nats.go"

	"psync/internal/queue"
	"psync/internal/queue/address"
)

// Dial connects to the server of a job. A connection that is lost is made again, however long that takes.
func Dial(a address.Address, s address.Security) (*nats.Conn, error) {
	if err := a.Check(s); err != nil {
		return nil, err
	}
	options := []nats.Option{nats.Name("psync"), nats.MaxReconnects(-1), nats.ErrorHandler(ignore)}
	if a.TLS || s.CA != "" { // a server without TLS is refused
		options = append(options, nats.Secure(&tls.Config{MinVersion: tls.VersionTLS12}))
	}
	if s.CA != "" {
		options = append(options, nats.RootCAs(s.CA))
	}
	if s.Credentials != "" {
		option, err := credentials(s.Credentials)
		if err != nil {
			return nil, err
		}
		options = append(options, option)
	}
	conn, err := nats.Connect(a.Server(), options...)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", a, err)
	}
	return conn, nil
}

// ignore does nothing with what the server says about a connection, which the client would print. Requests fail by that.
func ignore(*nats.Conn, *nats.Subscription, error) {}

// credentials has a connection use a file: a seed of an nkey, as psync-cluster keys makes, or what nsc of NATS makes.
func credentials(path string) (nats.Option, error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	if bytes.Contains(text, []byte("BEGIN NATS USER JWT")) {
		return nats.UserCredentials(path), nil
	}
	option, err := nats.NkeyOptionFromSeed(path)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return option, nil
}

// deniedOr returns the error for a request without an answer. The server says on the connection that it does not allow one.
func deniedOr(conn *nats.Conn, err error) error {
	if last := conn.LastError(); errors.Is(last, nats.ErrPermissionViolation) {
		return fmt.Errorf("%w: %w", queue.ErrDenied, last)
	}
	return err
}
