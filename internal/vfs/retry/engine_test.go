package retry_test

import (
	"fmt"
	"io/fs"
	"math/rand/v2"
	"strings"
	"sync"
	"syscall"
	"testing"
	"testing/synctest"
	"time"

	"psync/internal/campaign"
	"psync/internal/engine"
	"psync/internal/engine/enginetest"
	"psync/internal/engine/source"
	"psync/internal/metadata"
	"psync/internal/report"
	"psync/internal/vfs"
	"psync/internal/vfs/fstest"
	"psync/internal/walk"
)

const (
	sourceTree = `
		./ 755 @2001-02-03T04:05:06.7Z
		a/ 750 @2002-02-03T04:05:06.000000007Z
		a/f 644 @2001-01-01T00:00:00Z "hello"*100000
		a/empty 600 @2010-01-01T00:00:00Z
		a/link @2005-01-01T00:00:00Z -> b/c
		a/b/ 755 @2003-01-01T00:00:00Z
		a/b/c/ 755 @2003-01-01T00:00:00Z
		a/b/c/d/ 700 @2003-01-01T00:00:00Z
		a/b/c/d/f 755 @2004-01-01T00:00:00Z x
		changed 644 @2006-01-01T00:00:00Z new
		kind/ 755 @2006-01-01T00:00:00Z
		kind/f 644 @2006-01-01T00:00:00Z y
		names/ 755 @2006-01-01T00:00:00Z
	`
	destTree = `
		changed 600 @2000-01-01T00:00:00Z old
		kind 644 "was a file"
		a/b/extraneous/deep/f 644 x
		a/b/extraneous/g 644 x
		extraneous 644 x
		gone/link -> nowhere
	`
)

// weather makes calls of a server fail at random: single calls, of which perhaps only the answer is lost, and all calls
// for a while, during which everything may be refused. Now and then all handles become stale. For a second after an
// outage, entries may seem not to exist.
func weather(s *server, seed uint64) {
	r := rand.New(rand.NewPCG(seed, 0))
	var mu sync.Mutex
	var until, last time.Time // ends of the current outage, and of the last one that made a call fail
	refuses := false
	errs := []syscall.Errno{syscall.EIO, syscall.ETIMEDOUT, syscall.EHOSTDOWN, syscall.EAGAIN, syscall.ECONNRESET, syscall.ECONNABORTED, syscall.ESTALE}
	s.from(func(op, _ string) error {
		mu.Lock()
		defer mu.Unlock()
		switch n := r.IntN(500); {
		case time.Now().Before(until):
			last = until
			if refuses {
				return syscall.EACCES
			}
			return errs[n%len(errs)]
		case time.Now().Before(last.Add(time.Second)) && (op == "opendir" || op == "open" || op == "lstat") && n%2 == 0:
			return syscall.ENOENT
		case n == 0:
			until = time.Now().Add(time.Duration(r.Int64N(int64(30 * time.Second))))
			if refuses = r.IntN(3) == 0; refuses {
				return syscall.EACCES
			}
			return errs[0]
		case n < 5:
			return errs[r.IntN(len(errs))]
		case n < 7:
			s.export++ // the lock is held
			return syscall.ESTALE
		}
		return nil
	})
	s.silent = func(string, string) error {
		mu.Lock()
		defer mu.Unlock()
		if r.IntN(50) == 0 {
			return syscall.EIO
		}
		return nil
	}
}

// TestWeather copies, syncs and deletes while both sides fail at random. No entry fails, and the trees are equal in the
// end.
func TestWeather(t *testing.T) {
	var names strings.Builder
	for i := range 40 {
		fmt.Fprintf(&names, "names/file%d 644 @2006-01-01T00:00:00Z contents%d\n", i, i)
	}
	for _, seed := range campaign.Seeds("WEATHERS", 12, 60) {
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				syncInWeather(t, sourceTree+names.String()+"names/ 755 @2006-01-01T00:00:00Z\n", seed)
			})
		})
	}
}

func syncInWeather(t *testing.T, tree string, seed uint64) {
	from, to := newServer(t, tree), newServer(t, destTree)
	direct := from.FS.TestRoot(t)
	must(t, vfs.Mknod(direct, "fifo", fs.ModeNamedPipe|0o600, 0))
	src, _ := mount(t, from)
	dst, _ := mount(t, to)
	weather(from, seed)
	weather(to, seed+1000)
	o := engine.Options{
		Threads: 1 + int(seed%4)*5, HardLinks: seed%2 == 0, Fsync: seed%5 == 0,
		Keep: metadata.Keep{Modes: true, Perms: true, Mtime: true, Owner: true, Group: true},
	}
	o.Policy.Specials = true
	o.InPlace, o.Checksum, o.DelayUpdates, o.Verify = seed%3 == 1, seed%3 == 2, seed%7 == 3, seed%4 == 1
	events := new(enginetest.Events)
	enginetest.Run(t, enginetest.NewJob(src, dst, o, events), events)
	from.calm()
	to.calm()
	want := fstest.Tree(t, src, fstest.WithMtimes, fstest.WithLinks)
	if got := fstest.Tree(t, dst, fstest.WithMtimes, fstest.WithLinks); got != want {
		t.Errorf("the destination is\n%s\nwant\n%s", got, want)
	}

	weather(to, seed+2000)
	removed := new(enginetest.Events)
	err := engine.RemoveTrees(t.Context(), engine.Job{
		Workers: walk.NewSize(o.Threads, o.Threads), Sources: []source.Tree{{Dir: dst, Label: "DST", Names: []string{"a", "names", "kind", "changed", "fifo"}}},
		Sink: removed, Stats: new(report.Stats),
	})
	to.calm()
	if failed := removed.Failed(); err != nil || failed != nil {
		t.Errorf("removing: %v, %q", err, failed)
	}
	if left := strings.TrimSpace(fstest.Tree(t, dst)); left != "" {
		t.Errorf("left: %s", left)
	}
}

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// calm makes a server answer all calls.
func (s *server) calm() {
	s.from(nil)
	s.mu.Lock()
	defer s.mu.Unlock()
	s.silent = nil
}
