package engine

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"
	"testing"

	"psync/internal/metadata"
	"psync/internal/vfs"
	"psync/internal/vfs/faultfs"
	"psync/internal/vfs/fstest"
	"psync/internal/vfs/memfs"
)

// TestMacCallsPerFile says which calls a file takes on macOS, in addition to those for its directory. To get and to close a
// Node, named node and nclose here, takes no system call there as long as it is only asked for names of attributes.
func TestMacCallsPerFile(t *testing.T) {
	const (
		made   = "dst create, dst fchtimes, dst fclose, dst write"
		copied = "src open, src rclose, src read, 2 src stat"
	)
	sides := func(ops ...string) string {
		var both []string
		for _, side := range []string{"dst", "src"} {
			for _, op := range ops {
				both = append(both, side+" "+op)
			}
		}
		return strings.Join(both, ", ")
	}
	for _, tt := range []struct {
		name         string
		keep         metadata.Keep
		new, current string
	}{
		{
			"without attributes",
			metadata.Keep{Mtime: true},
			made + ", " + copied + ", src xattr, src xattrs",
			sides("lstat"),
		},
		{
			"plain",
			metadata.Keep{Mtime: true, Xattrs: true},
			made + ", " + copied + ", src xattr, src xattrs",
			sides("lstat", "nclose", "node", "xattrs"),
		},
		{
			"-a",
			metadata.Keep{Modes: true, Perms: true, Mtime: true, Owner: true, Group: true, Xattrs: true, ACLs: true, Btime: true, Flags: true, ImpliedACLs: true},
			"dst create, dst fchtimes, dst fclose, dst setbtime, dst stat, dst write, dst xattrs, " + copied + ", src xattrs",
			sides("lstat", "nclose", "node", "xattrs"),
		},
	} {
		if got := macCallsPerFile(t, tt.keep, false); got != tt.new {
			t.Errorf("%s, a new file:\ngot  %s\nwant %s", tt.name, got, tt.new)
		}
		if got := macCallsPerFile(t, tt.keep, true); got != tt.current {
			t.Errorf("%s, a current file:\ngot  %s\nwant %s", tt.name, got, tt.current)
		}
	}
}

// macCallsPerFile returns the calls that a file takes if it is new, or has been copied before.
func macCallsPerFile(t *testing.T, keep metadata.Keep, current bool) string {
	t.Helper()
	const few, many = 10, 30
	calls, fewer := macCalls(t, keep, current, many), macCalls(t, keep, current, few)
	var all []string
	for _, op := range slices.Sorted(maps.Keys(calls)) {
		switch n := calls[op] - fewer[op]; n {
		case 0:
		case many - few:
			all = append(all, op)
		default:
			all = append(all, fmt.Sprintf("%d %s", n/(many-few), op))
		}
	}
	return strings.Join(all, ", ")
}

// macCalls returns how many calls of each kind a directory of so many files takes.
func macCalls(t *testing.T, keep metadata.Keep, current bool, files int) map[string]int {
	t.Helper()
	var mu sync.Mutex // guards calls
	calls := make(map[string]int)
	b, plant := newMac(t, memfs.Mac{UID: 501, GID: 20}, false)
	for i := range files {
		fstest.Fill(t, plant[0], fmt.Sprintf("d/f%d 644 x\n", i))
	}
	own(t, plant[0], 501, 20)
	b.job.Threads, b.job.HardLinks, b.job.Keep, b.job.Policy.Sync = 1, false, keep, true
	if current {
		b.mustRun(t)
		b.job.DestIsNew = false
	}
	counted := func(d vfs.Dir, side string) vfs.Dir {
		return faultfs.New(d, func(op, _ string) error {
			mu.Lock()
			defer mu.Unlock()
			calls[side+op]++
			return nil
		})
	}
	b.job.Sources[0].Dir, b.job.Dest = counted(b.job.Sources[0].Dir, "src "), counted(b.job.Dest, "dst ")
	b.mustRun(t)
	return calls
}
