// Package farhost simulates a distant host: an SSH server on this machine, behind a proxy that adds latency.
package farhost

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"
)

// Name is the name of the host in the configuration of ssh.
const Name = "far"

// A Host is an SSH server on the loopback interface, for the user who started it.
type Host struct {
	dir    string
	server *exec.Cmd
	proxy  *proxy
}

// Start starts a server, which keeps its files in a new directory below dir. It requires sshd(8) and
// ssh-keygen(1); if they are missing, the error matches [exec.ErrNotFound].
func Start(ctx context.Context, dir string) (h *Host, err error) {
	sshd, err := lookSSHD()
	if err != nil {
		return nil, err
	}
	h = &Host{}
	defer func() {
		if err != nil {
			err = errors.Join(err, h.Close())
		}
	}()
	if h.dir, err = os.MkdirTemp(dir, "ssh-"); err != nil {
		return h, err
	}
	if err := h.makeKeys(ctx); err != nil {
		return h, err
	}
	port, err := freePort(ctx)
	if err != nil {
		return h, err
	}
	if h.proxy, err = listen(ctx, fmt.Sprintf("127.0.0.1:%d", port)); err != nil {
		return h, err
	}
	if err := h.configure(port); err != nil {
		return h, err
	}
	h.server = exec.Command(sshd, "-D", "-f", h.in("sshd_config")) // Close ends it
	if err := h.server.Start(); err != nil {
		h.server = nil
		return h, err
	}
	return h, h.await(ctx, port)
}

// lookSSHD returns the path of sshd, which must be absolute, and is often in no directory of PATH.
func lookSSHD() (string, error) {
	path, err := exec.LookPath("sshd")
	if err != nil {
		path, err = exec.LookPath("/usr/sbin/sshd")
	}
	if errors.Is(err, os.ErrNotExist) {
		err = fmt.Errorf("sshd: %w", exec.ErrNotFound)
	}
	return path, err
}

func (h *Host) in(name string) string { return filepath.Join(h.dir, name) }

// Config returns the path of a configuration file for ssh(1) in which the host is called [Name].
func (h *Host) Config() string { return h.in("config") }

// SetRoundTrip sets the round-trip time of connections made from now on.
func (h *Host) SetRoundTrip(d time.Duration) { h.proxy.roundTrip.Store(int64(d)) }

func (h *Host) makeKeys(ctx context.Context) error {
	for _, name := range []string{"host_key", "id_ed25519"} {
		keygen := exec.CommandContext(ctx, "ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-C", name, "-f", h.in(name))
		if out, err := keygen.CombinedOutput(); err != nil {
			return fmt.Errorf("ssh-keygen: %w: %s", err, out)
		}
	}
	return nil
}

// configure writes the configuration files of the server, which listens on port, and of the clients, which connect to
// the proxy.
func (h *Host) configure(port int) error {
	hostKey, err := os.ReadFile(h.in("host_key.pub"))
	if err != nil {
		return err
	}
	_, proxyPort, err := net.SplitHostPort(h.proxy.Addr().String())
	if err != nil {
		return err
	}
	usePAM := "no"
	if os.Geteuid() != 0 {
		usePAM = "yes" // otherwise sshd cannot read the password, and considers the account locked
	}
	return errors.Join(
		h.write("sshd_config",
			fmt.Sprintf("ListenAddress 127.0.0.1:%d", port),
			"HostKey "+h.in("host_key"),
			"AuthorizedKeysFile "+h.in("id_ed25519.pub"),
			"StrictModes no",
			"UsePAM "+usePAM,
			"PermitRootLogin yes",
			"PidFile none",
			"PrintMotd no",
			"LogLevel QUIET",
			"SetEnv SHLVL=1", // so that bash does not read ~/.bashrc, which may take longer than the measured command
			"Subsystem sftp internal-sftp"),
		h.write("config",
			"Host "+Name,
			"HostName 127.0.0.1",
			"HostKeyAlias "+Name,
			"Port "+proxyPort,
			"IdentityFile "+h.in("id_ed25519"),
			"IdentitiesOnly yes",
			"UserKnownHostsFile "+h.in("known_hosts"),
			"GlobalKnownHostsFile /dev/null",
			"BatchMode yes"),
		h.write("known_hosts", Name+" "+strings.TrimSpace(string(hostKey))))
}

func (h *Host) write(name string, lines ...string) error {
	return os.WriteFile(h.in(name), []byte(strings.Join(lines, "\n")+"\n"), 0o600)
}

// freePort returns an unused port of the loopback interface.
func freePort(ctx context.Context) (int, error) {
	l, err := new(net.ListenConfig).Listen(ctx, "tcp", "127.0.0.1:0")
	if err != nil {
		return 0, err
	}
	port := l.Addr().(*net.TCPAddr).Port
	return port, l.Close()
}

// await waits until the server listens. It returns an error after ten seconds.
func (h *Host) await(ctx context.Context, port int) error {
	ctx, cancel := context.WithTimeout(ctx, 10*time.Second)
	defer cancel()
	for {
		c, err := new(net.Dialer).DialContext(ctx, "tcp", fmt.Sprintf("127.0.0.1:%d", port))
		if err == nil {
			return c.Close()
		}
		select {
		case <-ctx.Done():
			return fmt.Errorf("sshd does not listen: %w", cmp.Or(err, context.Cause(ctx)))
		case <-time.After(10 * time.Millisecond):
		}
	}
}

// Close stops the server, ends all connections and removes the files.
func (h *Host) Close() error {
	var errs []error
	if h.proxy != nil {
		errs = append(errs, h.proxy.Close())
	}
	if h.server != nil {
		errs = append(errs, h.server.Process.Kill())
		_ = h.server.Wait() // it says that the server was killed
	}
	if h.dir != "" {
		errs = append(errs, os.RemoveAll(h.dir))
	}
	return errors.Join(errs...)
}
