package engine

import (
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"psync/internal/report"
	"psync/internal/vfs"
	"psync/internal/vfs/faultfs"
	"psync/internal/vfs/fstest"
	"psync/internal/walk"
)

// A meeting holds up operations of one kind until the wanted number of them is in progress at once. It is for tests
// in a bubble: an operation fails after waiting for the others for a minute of the bubble's time.
type meeting struct {
	op   string
	want int
	// early is how many operations precede those that are counted, so that all other workers are idle by then.
	early int

	mu     sync.Mutex // guards the fields below
	came   int
	now    int
	most   int
	paths  []string
	enough chan struct{}
}

func newMeeting(op string, early, want int) *meeting {
	return &meeting{op: op, early: early, want: want, enough: make(chan struct{})}
}

func (m *meeting) hook(op, name string) error {
	if op != m.op || name == "." || name == "d" {
		return nil
	}
	m.mu.Lock()
	m.came++
	m.paths = append(m.paths, name)
	early := m.came <= m.early
	m.now++
	m.most = max(m.most, m.now)
	if m.now == m.want && !early {
		select {
		case <-m.enough:
		default:
			close(m.enough)
		}
	}
	m.mu.Unlock()
	defer func() {
		m.mu.Lock()
		defer m.mu.Unlock()
		m.now--
	}()
	time.Sleep(time.Millisecond) // until all other workers are idle
	if early {
		return nil
	}
	select {
	case <-m.enough:
		return nil
	case <-time.After(time.Minute):
		return errors.New("no other worker came")
	}
}

// TestEntriesOfOneDirectoryGoToAllWorkers makes the operation on each entry of a flat directory wait for the same
// operation on others.
func TestEntriesOfOneDirectoryGoToAllWorkers(t *testing.T) {
	links := strings.ReplaceAll(many("d", 60), " 644 @2001-01-01T00:00:00Z x", " -> x")
	other := strings.ReplaceAll(many("d", 60), " x\n", " other\n")
	tests := []struct {
		name, src, dst, op string
		set                func(*Options)
	}{
		{"files are copied", many("d", 60), "", "create", nil},
		{"links are copied", links, "", "symlink", nil},
		{"files are replaced", many("d", 60), other, "rename", nil},
		{"files are compared", many("d", 60), many("d", 60), "lstat", func(o *Options) { o.Compare, o.DryRun = true, true }},
		{"attributes are set", many("d", 60), strings.ReplaceAll(many("d", 60), "644", "600"), "chmod", nil},
		{"files are removed", "d/f 644 x\n", many("d", 60), "remove", func(o *Options) { o.Delete.On = true }},
		{"links are removed", "d/f 644 x\n", links, "remove", func(o *Options) { o.Delete.On = true }},
		{"files go with their directory", "f 644 x\n", many("d", 60), "remove", func(o *Options) { o.Delete.On = true }},
	}
	sizes := []struct {
		threads, want int
		network       bool
	}{
		{2, 2, false},
		{4, 4, false},
		{16, 1 + maxLocal, false},
		{16, 16, true},
	}
	for _, tt := range tests {
		for _, size := range sizes {
			t.Run(fmt.Sprintf("%s, %d workers, network %v", tt.name, size.threads, size.network), func(t *testing.T) {
				synctest.Test(t, func(t *testing.T) {
					b := newSync(t, tt.src, tt.dst)
					if tt.set != nil {
						tt.set(&b.job.Options)
					}
					b.job.Threads = size.threads
					m := newMeeting(tt.op, 2, size.want) // one of which may concern the root
					b.job.Dest = faultfs.New(onVolume(b.job.Dest, vfs.Volume{Network: size.network}), m.hook)
					b.mustRun(t)
					if m.most > size.want && !alwaysShare {
						t.Errorf("%d at once, want %d", m.most, size.want)
					}
				})
			})
		}
	}
}

// TestNoWorkerWaitsForALongFile holds up writing a long file, the first of its directory, until all others exist. When
// it starts, no worker is idle. The number of workers may change.
func TestNoWorkerWaitsForALongFile(t *testing.T) {
	if alwaysShare {
		t.Skip("everything is shared before the long file is reached")
	}
	tests := []struct{ threads, later int }{
		{2, 2},
		{16, 16},
		{8, 3}, // all workers that are to stop may be busy with it
	}
	for _, tt := range tests {
		synctest.Test(t, func(t *testing.T) {
			const others = 40
			b := newTestbed(t, many("a", others)+"b/f 644 x\n", "")
			fstest.Fill(t, b.job.Sources[0].Dir, fmt.Sprintf("a/long 644 %q*%d\n", "x", 1<<20))
			b.job.Workers = walk.NewSize(tt.threads, tt.threads)
			var mu sync.Mutex
			left := others
			busy, long, rest := make(chan struct{}), make(chan struct{}), make(chan struct{})
			wait := func(c chan struct{}) error {
				select {
				case <-c:
					return nil
				case <-time.After(time.Minute):
					return errors.New("waited for too long")
				}
			}
			var once sync.Once
			b.job.Sources[0].Dir = faultfs.New(b.job.Sources[0].Dir, func(op, name string) error {
				switch op + " " + name {
				case "opendir a":
					return wait(busy)
				case "open f":
					close(busy)
					return wait(long)
				}
				return nil
			})
			b.job.Dest = faultfs.New(b.job.Dest, func(op, name string) error {
				switch {
				case op == "write" && name == "long":
					once.Do(func() { close(long) })
					return wait(rest)
				case op == "fclose" && name != "f":
					mu.Lock()
					defer mu.Unlock()
					switch left--; left {
					case others - 12:
						b.job.Workers.Set(tt.later)
					case 0:
						close(rest)
					}
				}
				return nil
			})
			b.mustRun(t)
			b.wantEqual(t)
		})
	}
}

// TestRangesOfOneFileGoToSeveralWorkers holds up writing or reading a large file until the expected number of workers
// is doing it.
func TestRangesOfOneFileGoToSeveralWorkers(t *testing.T) {
	const size = 33 << 20 // four ranges, and the last bytes
	tests := []struct {
		name            string
		streams         int
		far, network    bool
		cutoff          int64
		compare, hidden bool
		want            int
	}{
		{"several", 4, false, false, size, false, true, 4},
		{"two", 2, false, false, 1, false, true, 2},
		{"one", 1, false, false, 1, false, false, 1},
		{"too small a file", 4, false, false, size + 1, false, false, 1},
		{"far, on a network", 4, true, true, size, false, true, 4},
		{"far, but here", 4, true, false, size, false, false, 1},
		{"compared", 4, false, false, size, true, false, 4},
		{"compared, far, but here", 4, true, false, size, true, false, 1},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if alwaysShare && tt.streams > 1 && tt.want == 1 {
				t.Skip("all ranges are shared")
			}
			synctest.Test(t, func(t *testing.T) {
				large := fmt.Sprintf("large 644 @2001-01-01T00:00:00Z %q*%d\n", "x", size)
				op, dst := "write", ""
				if tt.compare {
					op, dst = "read", large
				}
				b := newSync(t, large, dst)
				b.job.Threads, b.job.Streams, b.job.StreamsFar, b.job.Cutoff = 8, tt.streams, tt.far, tt.cutoff
				b.job.Policy.Checksum = tt.compare
				m, made := newMeeting(op, 0, tt.want), newMeeting("create", 1<<30, 0)
				b.job.Dest = faultfs.New(onVolume(b.job.Dest, vfs.Volume{Network: tt.network}), func(op, name string) error {
					return errors.Join(m.hook(op, name), made.hook(op, name))
				})
				b.mustRun(t)
				b.wantEqual(t)
				if m.most != tt.want {
					t.Errorf("%d at once, want %d", m.most, tt.want)
				}
				for _, name := range made.paths {
					if hidden := strings.HasPrefix(name, tempPrefix); hidden != tt.hidden {
						t.Errorf("it is made as %q", name)
					}
				}
				if !tt.compare && b.job.Stats.Totals()[report.BytesCopied] != size {
					t.Errorf("%d bytes counted, want %d", b.job.Stats.Totals()[report.BytesCopied], size)
				}
			})
		})
	}
}
