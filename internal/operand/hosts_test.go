package operand

import (
	"errors"
	"fmt"
	"io/fs"
	"strings"
	"syscall"
	"testing"

	"psync/internal/filter"
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
		fstest.Fill(t, d, "a/b/f 644 text\na/b/b/ 755")
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
			r, err := OpenRoots([]string{tt.source, tt.dest}, Options{Hosts: Hosts{Host{hosts[0], "host 1:"}, Host{hosts[i], fmt.Sprintf("host %d:", i+1)}}})
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
		d, err := one.Open(dir, vfs.OpenOptions{})
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

// account is a host of a running system, which numbers devices like every other host, and may hide a directory.
type account struct {
	*memfs.Host
	number uint8
	hidden string
}

func (account) Info() vfs.HostInfo { return vfs.HostInfo{System: "linux", BootID: "b"} }

func (a account) Stat(path string, how vfs.Resolve) (vfs.Attr, error) {
	if a.hidden != "" && strings.HasPrefix(path, a.hidden) {
		return vfs.Attr{}, &fs.PathError{Op: "stat", Path: path, Err: syscall.EACCES}
	}
	attr, err := a.Host.Stat(path, how)
	attr.Dev = vfs.HostDev(a.number, attr.Dev)
	return attr, err
}

// TestAccountsOfOneSystemOverlap names directories of a running system by two accounts, of which the one of the
// source may not see everything.
func TestAccountsOfOneSystemOverlap(t *testing.T) {
	m := memfs.New()
	d := m.Root()
	fstest.Fill(t, d, "a/b/f 644 text\na/b/b/ 755\na/x/ 755\nc/ 755\nlink -> a/b")
	d.Close()
	overlap := errors.New("an overlap")
	for _, tt := range []struct {
		source, dest, hidden, exclude string
		want                          error
	}{
		{"/a", "/a", "", "", ErrSame},
		{"/a", "/c/../a/", "", "", ErrSame},
		{"/a/b", "/link", "", "", ErrSame},
		{"/a/b/f", "/link", "", "", ErrSame},
		{"/a/b/f", "/a/x", "", "", nil},
		{"/a", "/a/b/new", "", "", overlap},
		{"/a", "/a/b", "", "", overlap},
		{"/a", "/a/b", "", "/b", nil},
		{"/a/b", "/a", "", "", ErrSourceInDest},
		{"/a", "/c", "", "", nil},
		{"/a", "/a/x", "/a/x", "", overlap},
		{"/a", "/a/x/new", "/a/x", "/x", overlap},
		{"/a", "/c", "/c", "", nil},
	} {
		from := Host{Host: account{memfs.NewHost(0, m), 0, tt.hidden}, Prefix: "one:"}
		to := Host{Host: account{from.Host.(account).Host, 2, ""}, Prefix: "two:"}
		o := Options{Hosts: Hosts{from, to}, MakeDest: true}
		if tt.exclude != "" {
			var b filter.Builder
			if err := b.Exclude(tt.exclude); err != nil {
				t.Fatal(err)
			}
			o.Rules = b.Rules(false)
		}
		r, err := OpenRoots([]string{tt.source, tt.dest}, o)
		_, overlaps := errors.AsType[*OverlapError](err)
		if tt.want == overlap && !overlaps || tt.want != overlap && !errors.Is(err, tt.want) {
			t.Errorf("%s and %s, %q hidden, %q excluded: %v, want %v", tt.source, tt.dest, tt.hidden, tt.exclude, err, tt.want)
		}
		if err == nil {
			r.Close()
		}
	}
}
