// Package server runs a server of NATS in this process, which keeps what hosts that share a job write.
package server

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net"
	"net/url"
	"os"
	"path/filepath"
	"strconv"
	"sync"
	"syscall"
	"time"

	"github.com/nats-io/nats-server/v2/server"

	"psync/internal/queue/address"
)

// ConfigName is the file in the directory of a server that configures it, if there is one. A stock nats-server reads it, too.
const ConfigName = "nats-server.conf"

// ErrOpen is the error for a server that would trust anyone who reaches it.
var ErrOpen = errors.New("hosts are let in by TLS and credentials only")

// Options say how a server runs.
type Options struct {
	Dir          string        // of everything that it keeps
	Listen       string        // HOST:PORT; "": that of the configuration, or the port of NATS on this host only
	SyncInterval time.Duration // between writes to the disk of what was acknowledged; 0: before it is
	Insecure     bool          // let anyone in
	Log          io.Writer     // for warnings
}

// A Server is one that runs.
type Server struct {
	server *server.Server
	lock   *os.File
}

// Start starts a server.
func Start(o Options) (*Server, error) {
	config, err := configure(o)
	if err != nil {
		return nil, err
	}
	lock, err := lock(o.Dir)
	if err != nil {
		return nil, err
	}
	s, err := server.NewServer(config)
	if err != nil {
		return nil, errors.Join(err, lock.Close())
	}
	log := &logger{to: o.Log}
	s.SetLogger(log, false, false)
	s.Start() // returns when it listens, or has failed
	if err := log.fatal(); err != nil {
		s.Shutdown()
		return nil, errors.Join(err, lock.Close())
	}
	return &Server{s, lock}, nil
}

// lock makes sure that no other server keeps anything in a directory, which it makes if need be.
func lock(dir string) (*os.File, error) {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return nil, err
	}
	f, err := os.OpenFile(filepath.Join(dir, "lock"), os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		return nil, err
	}
	if err := syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB); err != nil {
		return nil, errors.Join(fmt.Errorf("another server keeps jobs in %s: %w", dir, err), f.Close())
	}
	return f, nil
}

// configure returns the configuration of a server.
func configure(o Options) (*server.Options, error) {
	path := filepath.Join(o.Dir, ConfigName)
	c, err := server.ProcessConfigFile(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		c = &server.Options{
			Host: "127.0.0.1", Port: server.DEFAULT_PORT, JetStream: true, StoreDir: filepath.Join(o.Dir, "jetstream"),
			SyncAlways: o.SyncInterval == 0, SyncInterval: o.SyncInterval,
		}
	case err != nil:
		return nil, fmt.Errorf("%s: %w", path, err)
	case o.SyncInterval > 0:
		return nil, fmt.Errorf("%s says when to write to the disk: change its sync_interval", path)
	}
	c.NoSigs = true
	if o.Listen != "" {
		host, port, err := net.SplitHostPort(o.Listen)
		if err != nil {
			return nil, err
		}
		if c.Port, err = strconv.Atoi(port); err != nil || c.Port < 0 || c.Port > 65535 {
			return nil, fmt.Errorf("%s: %q is not a port", o.Listen, port)
		}
		if c.Host = host; host == "" {
			c.Host = "0.0.0.0"
		}
	}
	if c.Port == 0 {
		c.Port = server.RANDOM_PORT
	}
	isSafe := c.TLSConfig != nil && (len(c.Nkeys) > 0 || len(c.Users) > 0 || len(c.TrustedOperators) > 0)
	if !isSafe && !o.Insecure && !address.IsLoopback(c.Host) {
		return nil, fmt.Errorf("%s can be reached from other hosts: %w", net.JoinHostPort(c.Host, strconv.Itoa(c.Port)), ErrOpen)
	}
	return c, nil
}

// URL returns what clients connect to, with the name of this host if the server can be reached by all of its addresses.
func (s *Server) URL() string {
	u, err := url.Parse(s.server.ClientURL())
	if err != nil {
		return s.server.ClientURL()
	}
	name, err := os.Hostname()
	if ip := net.ParseIP(u.Hostname()); err == nil && ip != nil && ip.IsUnspecified() {
		u.Host = net.JoinHostPort(name, u.Port())
	}
	return u.String()
}

// Stop ends the server, when everything is on the disk.
func (s *Server) Stop() {
	s.server.Shutdown()
	s.server.WaitForShutdown()
	_ = s.lock.Close() // nothing was written
}

// A logger passes on what is wrong.
type logger struct {
	to io.Writer

	mu   sync.Mutex // guards what follows
	last error      // that ended the server
}

func (l *logger) print(format string, v []any) {
	l.mu.Lock()
	defer l.mu.Unlock()
	fmt.Fprintf(l.to, "psync-cluster: nats-server: "+format+"\n", v...)
}

func (l *logger) Errorf(format string, v ...any) { l.print(format, v) }
func (l *logger) Warnf(format string, v ...any)  { l.print(format, v) }
func (*logger) Noticef(string, ...any)           {}
func (*logger) Debugf(string, ...any)            {}
func (*logger) Tracef(string, ...any)            {}

// Fatalf does not end the process: Start returns the error.
func (l *logger) Fatalf(format string, v ...any) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.last = fmt.Errorf(format, v...)
}

func (l *logger) fatal() error {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.last
}
