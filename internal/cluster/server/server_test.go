package server

import (
	"errors"
	"net"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"
)

// TestConfigure says who is let in.
func TestConfigure(t *testing.T) {
	const tls = "authorization { user: a, password: b }\n"
	for _, tt := range []struct {
		name    string
		config  string // the file, if there is one
		options Options
		want    string // the address, or an error
	}{
		{"by default", "", Options{}, "127.0.0.1:4222"},
		{"another port", "", Options{Listen: "127.0.0.1:5222"}, "127.0.0.1:5222"},
		{"any port", "", Options{Listen: "[::1]:0"}, "[::1]:-1"},
		{"by name", "", Options{Listen: "localhost:5222"}, "localhost:5222"},
		{"all addresses", "", Options{Listen: ":4222"}, "0.0.0.0:4222 can be reached from other hosts"},
		{"one of them", "", Options{Listen: "10.0.0.1:4222"}, "10.0.0.1:4222 can be reached from other hosts"},
		{"by name from afar", "", Options{Listen: "mover1:4222"}, "mover1:4222 can be reached from other hosts"},
		{"insecure", "", Options{Listen: ":4222", Insecure: true}, "0.0.0.0:4222"},
		{"without TLS", tls + `listen: "0.0.0.0:4222"`, Options{}, "0.0.0.0:4222 can be reached from other hosts"},
		{"no port", "", Options{Listen: "127.0.0.1"}, "missing port"},
		{"a bad port", "", Options{Listen: "127.0.0.1:x"}, `"x" is not a port`},
		{"a large port", "", Options{Listen: "127.0.0.1:65536"}, `"65536" is not a port`},
		{"a bad file", "listen {", Options{}, "nats-server.conf"},
		{"two intervals", "port: 1", Options{SyncInterval: time.Second}, "change its sync_interval"},
	} {
		tt.options.Dir = t.TempDir()
		if tt.config != "" {
			if err := os.WriteFile(filepath.Join(tt.options.Dir, ConfigName), []byte(tt.config), 0o600); err != nil {
				t.Fatal(err)
			}
		}
		got := ""
		c, err := configure(tt.options)
		if err != nil {
			got = err.Error()
		} else {
			got = net.JoinHostPort(c.Host, strconv.Itoa(c.Port))
		}
		if !strings.Contains(got, tt.want) {
			t.Errorf("%s: %s, want %s", tt.name, got, tt.want)
		}
		if isOpen := strings.Contains(tt.want, "can be reached"); errors.Is(err, ErrOpen) != isOpen {
			t.Errorf("%s: %v", tt.name, err)
		}
	}
}

// TestPortInUse starts a server where there is one.
func TestPortInUse(t *testing.T) {
	s, err := Start(Options{Dir: t.TempDir(), Listen: "127.0.0.1:0", Log: t.Output()})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Stop()
	address := strings.TrimPrefix(s.URL(), "nats://")
	if second, err := Start(Options{Dir: t.TempDir(), Listen: address, Log: t.Output()}); err == nil || !strings.Contains(err.Error(), "in use") {
		t.Errorf("started again: %v", err)
		if err == nil {
			second.Stop()
		}
	}
}

// TestDirInUse starts a second server in a directory, and another one when the first has ended.
func TestDirInUse(t *testing.T) {
	o := Options{Dir: t.TempDir(), Listen: "127.0.0.1:0", Log: t.Output()}
	s, err := Start(o)
	if err != nil {
		t.Fatal(err)
	}
	if second, err := Start(o); err == nil || !strings.Contains(err.Error(), "another server keeps jobs in "+o.Dir) {
		t.Errorf("started again: %v", err)
		if err == nil {
			second.Stop()
		}
	}
	s.Stop()
	if s, err = Start(o); err != nil {
		t.Fatal(err)
	}
	s.Stop()
}
