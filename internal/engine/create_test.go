package engine

import (
	"errors"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"
	"testing/synctest"
	"time"

	"psync/internal/report"
	"psync/internal/vfs"
	"psync/internal/vfs/faultfs"
	"psync/internal/vfs/fstest"
	"psync/internal/vfs/memfs"
)

// A maker records how files were made.
type maker struct {
	mu   sync.Mutex // guards ways
	ways []string   // as "WAY NAME"; all temporaries are called temp
	// before, if not nil, is called with the name before a file is made.
	before func(way, name string) error
}

func (m *maker) creating(way, name string) error {
	if strings.HasPrefix(name, tempPrefix) {
		name = "temp"
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	m.ways = append(m.ways, way+" "+name)
	if m.before != nil {
		return m.before(way, name)
	}
	return nil
}

// newMaking returns a job whose destination, dest, is on a volume and records how files are made.
func newMaking(t *testing.T, dest *memfs.FS, v vfs.Volume, src, dst string) (*testbed, *maker) {
	t.Helper()
	b, m := newTestbed(t, src, ""), new(maker)
	root := dest.Root()
	t.Cleanup(func() { root.Close() })
	fstest.Fill(t, root, dst)
	creating := m.creating
	b.dst, b.job.Dest, b.job.DestIsNew = dest, located{root, v, &creating}, dst == ""
	b.job.Streams = 1 // so that new names are written to directly
	return b, m
}

// TestHowFilesAreMade uses the method that is cheaper on some volumes where no other process can have made the name,
// and only there.
func TestHowFilesAreMade(t *testing.T) {
	costs := vfs.Volume{SlowExclusive: true}
	refuse := func(way, _ string) error {
		if way == "open" {
			return errors.ErrUnsupported
		}
		return nil
	}
	tests := []struct {
		name     string
		volume   vfs.Volume
		new      func() *memfs.FS
		src, dst string
		set      func(*testbed, *maker)
		want     []string
	}{
		{"a new directory", costs, memfs.New, "d/f 644 x\n", "", nil, []string{"open f"}},
		{"it costs nothing", vfs.Volume{}, memfs.New, "d/f 644 x\n", "", nil, []string{"exclusive f"}},
		{"others can write there", costs, memfs.New, "d/ 777\nd/f 644 x\n", "", nil, []string{"exclusive f"}},
		{"the group can write there", costs, memfs.New, "d/ 775\nd/f 644 x\n", "", nil, []string{"exclusive f"}},
		{"a directory that was there", costs, memfs.New, "d/f 644 x\n", "d/ 755\n", nil, []string{"exclusive f"}},
		{"a temporary", costs, memfs.New, "d/f 644 x\n", "d/f 644 old\n", nil, []string{"open temp"}},
		{"a temporary where others can write", costs, memfs.New, "d/f 644 x\n", "d/ 777\nd/f 644 old\n", nil, []string{"exclusive temp"}},
		{"a directory of another user", costs, memfs.New, "d/f 644 x\n", "d/ 755 @owner=7:7\nd/f 644 old\n", nil, []string{"exclusive temp"}},
		{"a temporary elsewhere", costs, memfs.New, "d/f 644 x\n", "d/f 644 old\n", func(b *testbed, _ *maker) {
			b.job.TempDir = b.job.Dest
		}, []string{"exclusive temp"}},
		{"a name that is not ASCII", costs, memfs.New, "d/\u00e9 644 x\n", "", nil, []string{"exclusive \u00e9"}},
		{"a temporary for such a name", costs, memfs.New, "d/\u00e9 644 x\n", "d/\u00e9 644 old\n", nil, []string{"open temp"}},
		{"names of two cases are one", costs, memfs.NewFolding, "d/f 644 x\n", "", nil, []string{"exclusive f"}},
		{"the system cannot", costs, memfs.New, "d/f 644 x\n", "", func(_ *testbed, m *maker) { m.before = refuse }, []string{"open f", "exclusive f"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			b, m := newMaking(t, tt.new(), tt.volume, tt.src, tt.dst)
			if tt.set != nil {
				tt.set(b, m)
			}
			b.mustRun(t)
			// Whether names that differ in case are the same is determined by making a temporary.
			if tried := slices.Index(m.ways, "exclusive temp"); tried >= 0 && len(m.ways) > 1 {
				m.ways = slices.Delete(m.ways, tried, tried+1)
			}
			if !slices.Equal(m.ways, tt.want) {
				t.Errorf("made by %q, want %q", m.ways, tt.want)
			}
			if src, dst := b.trees(t); strings.Count(src, " x\n") != strings.Count(dst, " x\n") {
				t.Errorf("source:\n%s\ndestination:\n%s", src, dst)
			}
		})
	}
}

// TestWhatOthersMakeMeanwhileStays lets another process make an entry when a file of this name is about to be made in
// a directory that seems to be ours.
func TestWhatOthersMakeMeanwhileStays(t *testing.T) {
	tests := []struct {
		name string
		make func(t *testing.T, root vfs.Dir)
		want string
	}{
		{"a file", func(t *testing.T, root vfs.Dir) { fstest.Fill(t, root, "d/f 600 theirs\n") }, "d/f 600 theirs\n"},
		{"an empty file with another name", func(t *testing.T, root vfs.Dir) {
			fstest.Fill(t, root, "other 600\nd/f (= other)\n")
		}, "d/f 600\n"},
		{"a link to an empty file", func(t *testing.T, root vfs.Dir) { fstest.Fill(t, root, "other 600\nd/f -> ../other\n") }, "other 600\n"},
		{"a fifo", func(t *testing.T, root vfs.Dir) { fstest.Fill(t, root, "d/f 600 (fifo)\n") }, "d/f 600 (fifo)\n"},
		{"a directory", func(t *testing.T, root vfs.Dir) { fstest.Fill(t, root, "d/f/ 700\n") }, "d/f/ 700\n"},
	}
	for _, tt := range tests {
		for _, costs := range []bool{true, false} {
			t.Run(tt.name, func(t *testing.T) {
				b, m := newMaking(t, memfs.New(), vfs.Volume{SlowExclusive: costs}, "d/f 644 x\nd/g 644 y\n", "")
				m.before = func(_, name string) error {
					if name == "f" {
						root := b.dst.Root()
						defer root.Close()
						tt.make(t, root)
					}
					return nil
				}
				open := b.dst.Open()
				if err := b.run(t.Context()); err != nil {
					t.Fatal(err)
				}
				if now := b.dst.Open(); now != open {
					t.Errorf("%d handles stay open", now-open)
				}
				b.wantEvents(t, []string{"fail DST/d/f"}, report.Fail)
				if _, dst := b.trees(t); !strings.Contains(dst, tt.want) || !strings.Contains(dst, "d/g 644 y\n") {
					t.Errorf("destination:\n%s\nwant %q in it, and d/g", dst, tt.want)
				}
			})
		}
	}
}

// TestFilesThatCannotBeLookedAt makes the look at a new file fail, so it is unknown whether the file is new: a
// temporary is removed, and a file with the final name never looks current.
func TestFilesThatCannotBeLookedAt(t *testing.T) {
	for _, old := range []string{"", "d/f 644 old\n"} {
		b, _ := newMaking(t, memfs.New(), vfs.Volume{SlowExclusive: true}, "d/f 644"+stamp+"text\n", old)
		b.job.Threads = 1
		dest, failed := b.job.Dest, false
		b.job.Dest = faultfs.New(dest, func(op, name string) error {
			if made := name == "f" || strings.HasPrefix(name, tempPrefix); op == "stat" && made && !failed {
				failed = true
				return syscall.EIO
			}
			return nil
		})
		if err := b.run(t.Context()); err != nil {
			t.Fatal(err)
		}
		b.wantEvents(t, []string{"fail DST/d/f"}, report.Fail)
		if _, dst := b.trees(t); strings.Contains(dst, tempPrefix) {
			t.Errorf("there was %q, and now\n%s", old, dst)
		}
		b.job.Dest, b.job.DestIsNew, b.job.Policy.Sync = dest, false, true
		b.mustRun(t)
		b.wantSame(t)
	}
}

// TestNamesAreLookedUpBeforeManyAreMade checks directories in which several workers make files: when making names the
// system looks them up one at a time, unless it knows them.
func TestNamesAreLookedUpBeforeManyAreMade(t *testing.T) {
	for _, shared := range []bool{false, true} {
		shareAll(t, shared)
		synctest.Test(t, func(t *testing.T) { testLookingUp(t, shared) })
	}
}

func testLookingUp(t *testing.T, shared bool) {
	b, m := newMaking(t, memfs.New(), vfs.Volume{SlowExclusive: true, Network: true}, many("d", 50), "")
	// Looking at the source takes time, so other workers come to help.
	b.job.Sources[0].Dir = faultfs.NewLatency(b.job.Sources[0].Dir, time.Millisecond)
	if !shared {
		b.job.Threads = 1
	}
	var ops opCounter
	b.job.Dest = faultfs.New(b.job.Dest, func(op, name string) error {
		if strings.HasPrefix(name, "f") {
			return ops.hook(op, name)
		}
		return nil
	})
	b.mustRun(t)
	b.wantEqual(t)
	if slices.ContainsFunc(m.ways, func(s string) bool { return strings.HasPrefix(s, "exclusive f") }) {
		t.Errorf("made by %q", m.ways)
	}
	if looks := ops.n["lstat"]; shared != (looks > 0) || looks > 50 {
		t.Errorf("shared %v: looked %d times", shared, looks)
	}
}
