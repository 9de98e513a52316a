package localfs

import (
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"

	"golang.org/x/sys/unix"

	"psync/internal/sys"
	"psync/internal/vfs"
)

// numbered returns the entries called first to end-1.
func numbered(first, end int) (entries []vfs.Entry) {
	for i := range end - first {
		entries = append(entries, vfs.Entry{Name: strconv.Itoa(first + i)})
	}
	return entries
}

// makeNumbered makes links called 0 to n-1 in d.
func makeNumbered(t *testing.T, d *dir, n int) {
	t.Helper()
	for i := range n {
		if err := vfs.Symlink(d, "target", strconv.Itoa(i)); err != nil {
			t.Fatal(err)
		}
	}
}

// TestLooksAfterAPartOfAListing has entries that are not cached: those that do not exist.
func TestLooksAfterAPartOfAListing(t *testing.T) {
	d := openTemp(t).(*dir)
	makeNumbered(t, d, 100)
	if fd, err := sys.OpenCached(d.fd, "0"); err != nil {
		t.Skipf("the kernel opens nothing from its caches: %v", err)
	} else {
		unix.Close(fd)
	}
	for _, tt := range []struct {
		name    string
		entries []vfs.Entry
		want    int
	}{
		{"nothing", nil, 0},
		{"so few that the listing has ended", numbered(0, minForLooks-1), 0},
		{"as few as there may be if more come", numbered(0, minForLooks), looks},
		{"many", numbered(0, 100), looks},
		{"the last is not cached", numbered(0, 101), looks},
		{"one of the candidates is cached", numbered(0, 100+candidates-1), looks},
		{"none of them is", numbered(0, 100+candidates), 0},
		{"no entry is, as without READDIRPLUS", numbered(200, 300), 0},
	} {
		if got := keepAttrs(d.fd, tt.entries); got != tt.want {
			t.Errorf("%s: looked %d times, want %d", tt.name, got, tt.want)
		}
	}
}

func TestDevicesOfDirectories(t *testing.T) {
	d := openTemp(t).(*dir)
	var none, here, elsewhere deviceSet
	here.add(d.fd)
	elsewhere.devices.Store(^uint64(0), true)
	elsewhere.some.Store(true)
	for _, tt := range []struct {
		name string
		set  *deviceSet
		want bool
	}{{"empty", &none, false}, {"of the directory", &here, true}, {"of another", &elsewhere, false}} {
		if got := tt.set.has(d.fd); got != tt.want {
			t.Errorf("%s: %v, want %v", tt.name, got, tt.want)
		}
	}
}

// TestListingWithLooksYieldsAllEntries lists what counts as NFS.
func TestListingWithLooksYieldsAllEntries(t *testing.T) {
	const n = 2000
	d := openTemp(t).(*dir)
	makeNumbered(t, d, n)
	nfsDevices.add(d.fd)
	t.Cleanup(func() { nfsDevices.devices.Clear(); nfsDevices.some.Store(false) })
	var names []string
	if err := d.ReadDir(func(entries []vfs.Entry) error {
		for _, e := range entries {
			names = append(names, e.Name)
		}
		return nil
	}); err != nil {
		t.Fatal(err)
	}
	slices.Sort(names)
	if len(names) != n || len(slices.Compact(names)) != n {
		t.Errorf("%d names, or fewer without those that came twice; want %d", len(names), n)
	}
}

// TestNFSListsWithAttributes counts the requests with which an NFS 3 client lists a directory that has not been used
// before.
func TestNFSListsWithAttributes(t *testing.T) {
	d := openTemp(t).(*dir)
	if _, err := d.Statfs(); err != nil {
		t.Fatal(err)
	}
	if !nfsDevices.has(d.fd) {
		t.Skip("the directory for temporary files is not on NFS")
	}
	makeNumbered(t, d, 5000)
	before := nfsRequests(t, d)
	if err := d.ReadDir(func([]vfs.Entry) error { return nil }); err != nil {
		t.Fatal(err)
	}
	after := nfsRequests(t, d)
	without, with := after["READDIR:"]-before["READDIR:"], after["READDIRPLUS:"]-before["READDIRPLUS:"]
	if with == 0 {
		t.Skip("READDIRPLUS is not in use; NFS 4 has but one kind of request")
	}
	if without > 0 {
		t.Errorf("%d requests were READDIR, and %d READDIRPLUS", without, with)
	}
}

// nfsRequests returns how many requests of each kind clients of NFS 3 have sent.
func nfsRequests(t *testing.T, d *dir) map[string]int {
	t.Helper()
	b, err := os.ReadFile("/proc/self/mountstats")
	if err != nil {
		t.Skip(err)
	}
	requests := make(map[string]int)
	for line := range strings.Lines(string(b)) {
		if f := strings.Fields(line); len(f) > 1 && strings.HasSuffix(f[0], ":") {
			n, _ := strconv.Atoi(f[1])
			requests[f[0]] += n
		}
	}
	return requests
}
