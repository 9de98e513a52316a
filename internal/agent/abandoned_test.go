package agent

import (
	"net"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"
)

// socketName is the name of the socket of a server in its directory.
const socketName = "s"

// shortTemp returns a directory for temporary files whose name is short enough for sockets, which the server uses.
func shortTemp(t *testing.T) string {
	t.Helper()
	dir, err := os.MkdirTemp("/tmp", "agent")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := os.RemoveAll(dir); err != nil {
			t.Error(err)
		}
	})
	t.Setenv("TMPDIR", dir)
	return dir
}

// makeSocketDir makes the directory of a socket, which has no listener any more when the one that is returned is closed.
func makeSocketDir(t *testing.T, dir string) *net.UnixListener {
	t.Helper()
	if err := os.Mkdir(dir, 0o700); err != nil {
		t.Fatal(err)
	}
	l, err := net.ListenUnix("unix", &net.UnixAddr{Name: filepath.Join(dir, socketName)})
	if err != nil {
		t.Fatal(err)
	}
	l.SetUnlinkOnClose(false)
	t.Cleanup(func() { _ = l.Close() })
	return l
}

// TestAbandonedSocketsAreRemoved starts a server where others have been killed, and where much else looks so.
func TestAbandonedSocketsAreRemoved(t *testing.T) {
	temp := shortTemp(t)
	in := func(names ...string) string { return filepath.Join(append([]string{temp}, names...)...) }
	elsewhere := t.TempDir()
	for _, tt := range []struct {
		name  string
		spoil func(l *net.UnixListener) error // nil: it is removed
	}{
		{"psync-1", nil},
		{"psync-20", nil},
		{"psync-3", func(*net.UnixListener) error { return os.Chmod(in("psync-3"), 0o755) }},
		{"psync-4", func(*net.UnixListener) error { return os.WriteFile(in("psync-4", "file"), nil, 0o600) }},
		{"psync-5", func(*net.UnixListener) error { return os.Rename(in("psync-5", socketName), in("psync-5", "t")) }},
		{"psync-6", func(*net.UnixListener) error { return os.Remove(in("psync-6", socketName)) }},
		{"psync-7", func(*net.UnixListener) error {
			_ = os.Remove(in("psync-7", socketName)) // writing fails if it is still there
			return os.WriteFile(in("psync-7", socketName), nil, 0o600)
		}},
		{"psync-8", func(*net.UnixListener) error {
			if err := os.Rename(in("psync-8"), filepath.Join(elsewhere, "dir")); err != nil {
				return err
			}
			return os.Symlink(filepath.Join(elsewhere, "dir"), in("psync-8"))
		}},
		{"psync-9", func(*net.UnixListener) error {
			if os.Getuid() != 0 {
				return os.Chmod(in("psync-9"), 0o701) // an ordinary user cannot give it away
			}
			return os.Chown(in("psync-9"), 1, 1)
		}},
		{"psync-", func(*net.UnixListener) error { return nil }},
		{"psync-x1", func(*net.UnixListener) error { return nil }},
		{"other-1", func(*net.UnixListener) error { return nil }},
	} {
		l := makeSocketDir(t, in(tt.name))
		_ = l.Close()
		if tt.spoil != nil {
			if err := tt.spoil(l); err != nil {
				t.Fatal(err)
			}
		}
	}
	makeSocketDir(t, in("psync-10")) // the server lives
	_ = makeSocketDir(t, in("psync-11")).Close()
	old := time.Now().Add(-2 * time.Hour)
	for _, e := range namesIn(t, temp) {
		if e == "psync-11" {
			continue // it may be about to listen
		}
		if err := os.Chtimes(in(e), old, old); err != nil {
			t.Fatal(err)
		}
	}
	want := slices.DeleteFunc(namesIn(t, temp), func(name string) bool { return name == "psync-1" || name == "psync-20" })

	c := connect(t, Options{Socket: true})
	if err := c.end(); err != nil {
		t.Error(err)
	}
	if got := namesIn(t, temp); !slices.Equal(got, want) {
		t.Errorf("%q are there, want %q", got, want)
	}
	for _, dir := range []string{in("psync-3"), in("psync-4"), in("psync-10"), filepath.Join(elsewhere, "dir")} {
		if _, err := os.Lstat(filepath.Join(dir, socketName)); err != nil {
			t.Error(err)
		}
	}
}

// namesIn returns the names in a directory.
func namesIn(t *testing.T, dir string) (names []string) {
	t.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		names = append(names, e.Name())
	}
	return names
}
