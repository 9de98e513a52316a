package operand

import (
	"errors"
	"testing"

	"psync/internal/vfs/fstest"
	"psync/internal/vfs/memfs"
)

// TestPathsOfTwoHostsDoNotOverlap opens a path on two hosts, where it has the same device and inode numbers,
// and twice on one host.
func TestPathsOfTwoHostsDoNotOverlap(t *testing.T) {
	var hosts []*memfs.Host
	for number := range uint8(2) {
		h := memfs.NewHost(number+1, memfs.New())
		d := h.FS.Root()
		fstest.Fill(t, d, "a/b/f 644 text")
		d.Close()
		hosts = append(hosts, h)
	}
	for _, tt := range []struct {
		source, dest string
		same         error // on one host
	}{
		{"/a", "/a", ErrSame},
		{"/a/b", "/a/b/", ErrSame},
		{"/a/b/f", "/a/b", ErrSame},
		{"/a/b", "/a", ErrSourceInDest},
	} {
		for i, want := range []error{tt.same, nil} {
			r, err := Open([]string{tt.source, tt.dest}, Options{Hosts: Hosts{Host{Host: hosts[0]}, Host{Host: hosts[i]}}})
			if !errors.Is(err, want) {
				t.Errorf("%s and %s on host %d: %v, want %v", tt.source, tt.dest, i+1, err, want)
			}
			if err == nil {
				r.Close()
			}
		}
	}
	for _, h := range hosts {
		if n := h.FS.Open(); n != 0 {
			t.Errorf("%d handles stay open", n)
		}
	}
}
