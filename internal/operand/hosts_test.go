package operand

import (
	"errors"
	"testing"

	"psync/internal/vfs"
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
			r, err := OpenRoots([]string{tt.source, tt.dest}, Options{Hosts: Hosts{Host{Host: hosts[0]}, Host{Host: hosts[i]}}})
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

// TestFilesOfTheDestinationAreNotRemoved names one directory on two hosts, which see one file system.
func TestFilesOfTheDestinationAreNotRemoved(t *testing.T) {
	m := memfs.New()
	one, two := memfs.NewHost(1, m), memfs.NewHost(2, m)
	d := m.Root()
	fstest.Fill(t, d, "a/f 644 text\na/b/ 755\nc/ 755")
	d.Close()
	for _, tt := range []struct {
		source, dest string
		keeps        bool
		want         error
	}{
		{"/a", "/a", false, ErrSame},
		{"/a/f", "/a/b/..", false, ErrSame},
		{"/a", "/c", false, nil},
		{"/a", "/new", false, nil},
		{"/a", "/a", true, nil},
	} {
		o := Options{Hosts: Hosts{Host{Host: one}, Host{Host: two, Prefix: "two:"}}, MakeDest: true, RemoveSource: !tt.keeps}
		r, err := OpenRoots([]string{tt.source, tt.dest}, o)
		if !errors.Is(err, tt.want) {
			t.Errorf("%s and %s: %v, want %v", tt.source, tt.dest, err, tt.want)
		}
		if err == nil {
			r.Close()
		}
	}
	for dir, want := range map[string]int{"/a": 2, "/a/b": 0, "/c": 0} {
		d, err := one.Open(dir, false)
		if err != nil {
			t.Fatal(err)
		}
		left := 0
		if err := d.ReadDir(func(entries []vfs.Entry) error { left += len(entries); return nil }); err != nil || left != want {
			t.Errorf("%s has %d entries, %v; want %d", dir, left, err, want)
		}
		d.Close()
	}
	if n := m.Open(); n != 0 {
		t.Errorf("%d handles stay open", n)
	}
}
