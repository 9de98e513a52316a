package sshconn

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	"golang.org/x/crypto/ssh"

	"psync/internal/sshconn/client"
	"psync/internal/sshconn/config"
	"psync/internal/sshconn/hosterror"
	"psync/internal/sshconn/printable"
)

// isSSH reports whether a command is ssh, which can be a master (ControlMaster).
func isSSH(command string) bool { return filepath.Base(command) == "ssh" }

// dialMaster connects to an ssh that listens on a socket, or returns nil if there is none. below is closed with the
// connection.
func dialMaster(ctx context.Context, s *config.Host, socket string, below ...io.Closer) *client.Client {
	if socket == "" {
		return nil
	}
	conn, err := new(net.Dialer).DialContext(ctx, "unix", socket)
	if err != nil {
		return nil
	}
	defer context.AfterFunc(ctx, func() { _ = conn.Close() })()            // The handshake returns the error.
	timer := time.AfterFunc(s.ConnectTimeout, func() { _ = conn.Close() }) // As above.
	defer timer.Stop()
	sc, chans, requests, err := ssh.NewControlClientConn(conn)
	if err != nil {
		_ = conn.Close() // The caller tries another way.
		return nil
	}
	// There is no keepalive: ssh does not forward it, and has its own.
	return client.New(s, sc, chans, requests, append([]io.Closer{conn}, below...)...)
}

// A master is an ssh process that was started as ControlMaster.
type master struct {
	program string
	socket  string
}

// startMaster starts ssh as ControlMaster, through the hosts via, or as configured if there are none. It listens on
// a socket in a private directory.
func (d *Dialer) startMaster(ctx context.Context, t Target, s *config.Host, via []Target, words []string) (*client.Client, error) {
	dir, err := os.MkdirTemp("", "psync-ssh-")
	if err != nil {
		return nil, err
	}
	m := &master{words[0], filepath.Join(dir, "s")}
	options := d.masterOptions(s, m.socket)
	if len(via) > 0 {
		options = append(options, "-J", config.JumpValue(via))
	}
	args := append(config.Args(t, append(words[:1:1], options...), d.options.ConfigFile), words[1:]...)
	running := ctx
	if limit := d.options.ConnectTimeout; limit > 0 {
		// ssh's own ConnectTimeout does not include authentication.
		var cancel context.CancelFunc
		running, cancel = context.WithTimeoutCause(ctx, limit, hosterror.TimeoutError(limit))
		defer cancel()
	}
	if err := runMaster(running, append(args, "--", t.Host), filepath.Join(dir, "stderr")); err != nil {
		if running.Err() != nil {
			err = context.Cause(running)
		}
		return nil, errors.Join(err, os.RemoveAll(dir))
	}
	c := dialMaster(ctx, s, m.socket, m)
	if c == nil {
		return nil, errors.Join(errors.New("the ssh that was started does not answer"), m.Close())
	}
	return c, nil
}

// masterOptions make ssh a master that runs nothing and forwards nothing, whatever else is configured. If
// this process is killed, the master ends by itself when it is no longer in use.
func (d *Dialer) masterOptions(s *config.Host, socket string) []string {
	checking := s.KeyChecking
	if d.options.AcceptNew {
		checking = "accept-new"
	}
	options := []string{"-M", "-N", "-f", "-T", "-S", strings.ReplaceAll(socket, "%", "%%")}
	for _, o := range []string{
		"ControlPersist=60", "ClearAllForwardings=yes", "ForwardAgent=no", "ForwardX11=no", "PermitLocalCommand=no",
		"RemoteCommand=none", "Tunnel=no", "StrictHostKeyChecking=" + checking,
		"NoHostAuthenticationForLocalhost=no",
		fmt.Sprintf("ConnectTimeout=%d", int(max(s.ConnectTimeout, time.Second)/time.Second)),
		fmt.Sprintf("ServerAliveInterval=%d", int(max(s.AliveInterval, time.Second)/time.Second)),
		fmt.Sprintf("ServerAliveCountMax=%d", s.AliveCountMax),
	} {
		options = append(options, "-o", o)
	}
	if d.options.Ask == nil || d.options.AskSecret == nil {
		options = append(options, "-o", "BatchMode=yes")
	}
	return options
}

// runMaster starts the master and waits until it is connected. The master then goes to the background, so its
// standard error is a file rather than a pipe, which would stay open.
func runMaster(ctx context.Context, args []string, stderr string) error {
	f, err := os.OpenFile(stderr, os.O_RDWR|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return err
	}
	cmd := exec.CommandContext(ctx, args[0], args[1:]...)
	cmd.Stderr = f
	err = cmd.Run()
	_ = f.Close() // Only ssh writes to it.
	if err == nil {
		return nil
	}
	if _, exited := errors.AsType[*exec.ExitError](err); !exited {
		return err
	}
	return fmt.Errorf("%s cannot connect: %s", printable.Text(args[0]), said(stderr))
}

// said returns the end of ssh's output in a file.
func said(file string) string {
	text, err := os.ReadFile(file)
	if err != nil || len(strings.TrimSpace(string(text))) == 0 {
		return "it does not say why"
	}
	return printable.Text(string(text[max(0, len(text)-printable.MaxLength):]))
}

// Close stops the master.
func (m *master) Close() error {
	err := exec.Command(m.program, "-F", "/dev/null", "-S", m.socket, "-O", "exit", "--", "psync").Run()
	return errors.Join(err, os.RemoveAll(filepath.Dir(m.socket)))
}

var _ io.Closer = (*master)(nil)
