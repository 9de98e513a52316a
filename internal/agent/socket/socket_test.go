package socket

import (
	"net"
	"os"
	"path/filepath"
	"testing"

	"psync/internal/wire"
)

// TestOnlySilenceMeansTheEnd ends servers that cannot be connected to. One that may be alive is not taken for one that has ended.
func TestOnlySilenceMeansTheEnd(t *testing.T) {
	for _, tt := range []struct {
		name  string
		leave func(t *testing.T, path string)
		fails bool
	}{
		{"its socket is gone", func(*testing.T, string) {}, false},
		{"no one listens", func(t *testing.T, path string) {
			l, err := net.ListenUnix("unix", &net.UnixAddr{Name: path, Net: "unix"})
			if err != nil {
				t.Fatal(err)
			}
			l.SetUnlinkOnClose(false)
			if err := l.Close(); err != nil {
				t.Fatal(err)
			}
		}, false},
		{"the system refuses for another reason", func(t *testing.T, path string) {
			c, err := net.ListenUnixgram("unixgram", &net.UnixAddr{Name: path, Net: "unixgram"})
			if err != nil {
				t.Fatal(err)
			}
			t.Cleanup(func() { _ = c.Close() })
		}, true},
	} {
		t.Run(tt.name, func(t *testing.T) {
			dir, err := os.MkdirTemp("", dirPrefix)
			if err != nil {
				t.Fatal(err)
			}
			defer os.RemoveAll(dir)
			tt.leave(t, filepath.Join(dir, fileName))
			if err := End(&wire.Replace{Session: filepath.Base(dir)}); (err != nil) != tt.fails {
				t.Errorf("got error %v", err)
			}
		})
	}
}
