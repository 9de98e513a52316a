package engine

import (
	"fmt"
	"os"
	"strings"
	"sync"
	"testing"

	"psync/internal/campaign"
	"psync/internal/engine/pairs"
	"psync/internal/engine/source"
	"psync/internal/metadata"
	"psync/internal/plan"
	"psync/internal/report"
	"psync/internal/vfs"
	"psync/internal/vfs/faultfs"
	"psync/internal/vfs/fstest"
	"psync/internal/vfs/memfs"
	"psync/internal/walk"
)

// A swapbed is a tree in which a directory is replaced with a link to another one, called victim, right before an
// operation of a run. victim holds what the directory holds.
type swapbed struct {
	mem  *memfs.FS
	root vfs.Dir

	mu   sync.Mutex // guards the fields below
	seen int        // operations
}

const swapTree = `
	src/stay/f 644 new
	src/stay/keep/f 644 new
	src/stay/keep/h 600 new
	src/stay/new/f 644 new
	src/locked/ 555
	src/locked/keep/f 444 new
	src/locked/more/ 555
	src/locked/more/keep/f 444 new
	dst/stay/f 644 old
	dst/stay/keep/f 644 older
	dst/stay/keep/gone/f 644 x
	dst/stay/gone/a/f 644 x
	dst/stay/gone/b/d/f 644 x
	dst/gone/a/f 644 x
	dst/gone/a/d/f 644 x
	dst/gone/b/f 644 x
	dst/gone/b/d/e/f 644 x
	dst/gone/c/f 644 x
	dst/locked/keep/f 644 older
	dst/locked/more/keep/f 644 older
	backup/ 755
`

// newSwap returns a new tree in which victim has the contents of the directory called at.
func newSwap(t testing.TB, at string) *swapbed {
	t.Helper()
	s := &swapbed{mem: memfs.New()}
	s.root = s.mem.Root()
	t.Cleanup(func() { s.root.Close() })
	tree := flush(swapTree)
	fstest.Fill(t, s.root, tree)
	for line := range strings.Lines(tree) {
		if rest, ok := strings.CutPrefix(line, at+"/"); ok {
			fstest.Fill(t, s.root, "victim/"+rest)
		}
	}
	fstest.Fill(t, s.root, "victim/precious 600 x\n")
	return s
}

// open opens a directory of the tree; before the nth operation through it, the directory at becomes a link to victim.
func (s *swapbed) open(t testing.TB, path, at string, n int) vfs.Dir {
	t.Helper()
	raw, err := pairs.Below(s.root, path, false)
	if err != nil {
		t.Fatal(err)
	}
	d := faultfs.New(raw, func(string, string) error {
		s.mu.Lock()
		s.seen++
		now := s.seen == n
		s.mu.Unlock()
		if now {
			s.swap(at)
		}
		return nil
	})
	t.Cleanup(func() { d.Close() })
	return d
}

func (s *swapbed) swap(at string) {
	dir, name := parent(at)
	up, err := pairs.Below(s.root, dir, false)
	if err != nil {
		return // it is gone
	}
	if dir != "" {
		defer up.Close()
	}
	if up.Rename(name, nil, name+".moved", nil) == nil {
		_ = vfs.Symlink(up, strings.Repeat("../", strings.Count(at, "/"))+"victim", name)
	}
}

func (s *swapbed) victim(t testing.TB) string {
	t.Helper()
	d, err := s.root.OpenDir("victim", vfs.NoFollow)
	if err != nil {
		t.Fatal(err)
	}
	defer d.Close()
	return fstest.Tree(t, d, fstest.WithMtimes, fstest.WithRoot)
}

// stepOfSwaps is the distance between the operations at which swaps are tried: 1 if SWAPS is set in the environment.
func stepOfSwaps() int {
	switch {
	case os.Getenv("SWAPS") != "":
		return 1
	case campaign.Thorough():
		return 5
	}
	return 29
}

// TestSwappedDirectories replaces each directory of a tree, at each operation of a run, with a link to another tree:
// nothing there is changed, whatever the run does.
func TestSwappedDirectories(t *testing.T) {
	gone := []string{"dst/gone", "dst/gone/a", "dst/gone/b", "dst/gone/b/d", "dst/stay/gone", "dst/stay/gone/b"}
	step := stepOfSwaps()
	all := append([]string{"dst/stay", "dst/stay/keep", "dst/locked", "dst/locked/more", "src/stay", "src/stay/keep"}, gone...)
	for _, tt := range []struct {
		name string
		dirs []string
		set  func(o *Options, s *swapbed, t testing.TB)
	}{
		{"sync", all, func(o *Options, _ *swapbed, _ testing.TB) { o.Delete.On = false }},
		{"sync and delete", all, nil},
		{"in place", all, func(o *Options, _ *swapbed, _ testing.TB) { o.InPlace = true }},
		{"with a limit", all, func(o *Options, _ *swapbed, _ testing.TB) { o.Delete.Max = &plan.Limit{N: 100} }},
		{"with backups", append([]string{"backup/stay"}, all...), func(o *Options, s *swapbed, t testing.TB) {
			o.Backup.On = true
			o.Backup.Dir, _ = s.root.OpenDir("backup", vfs.NoFollow)
			t.Cleanup(func() { o.Backup.Dir.Close() })
		}},
		// In this case an entry that is not removed may be a link.
		{"keeping links", gone, func(o *Options, _ *swapbed, _ testing.TB) { o.Links.KeepDirlinks = true }},
		{"keeping links, with a limit", gone, func(o *Options, _ *swapbed, _ testing.TB) {
			o.Links.KeepDirlinks = true
			o.Delete.Max = &plan.Limit{N: 100}
		}},
		{"removal", gone, nil},
	} {
		t.Run(tt.name, func(t *testing.T) {
			for _, at := range tt.dirs {
				for _, threads := range []int{1, 4} {
					for n := 1; ; n += step {
						s := newSwap(t, at)
						before := s.victim(t)
						if tt.name == "removal" {
							s.remove(t, at, n, threads)
						} else {
							s.sync(t, at, n, threads, tt.set)
						}
						if after := s.victim(t); after != before {
							t.Fatalf("%s, a link from operation %d on, %d threads: victim was\n%s\nis\n%s", at, n, threads, before, after)
						}
						if s.seen < n {
							break
						}
					}
				}
			}
		})
	}
}

func (s *swapbed) sync(t testing.TB, at string, n, threads int, set func(*Options, *swapbed, testing.TB)) {
	j := Job{
		Options: Options{
			Threads: threads, OpenDirs: 1, User: vfs.User{UID: 1000},
			Keep: metadata.Keep{Modes: true, Mtime: true, Perms: true}, Policy: plan.Policy{Delete: plan.Delete{On: true}},
		},
		Dest: s.open(t, "dst", at, n), Sources: []source.Tree{{Dir: s.open(t, "src", at, n), Label: "src"}},
		Sink: new(record), Stats: new(report.Stats),
		Process: thisProcess,
	}
	j.Policy.Sync = true
	if set != nil {
		set(&j.Options, s, t)
	}
	if err := Run(t.Context(), j); err != nil {
		t.Log(fmt.Sprint(at, " ", n, " ", err))
	}
}

func (s *swapbed) remove(t testing.TB, at string, n, threads int) {
	_ = RemoveTrees(t.Context(), Job{
		Options: Options{OpenDirs: 1}, Workers: walk.NewSize(threads, threads),
		Sources: []source.Tree{{Dir: s.open(t, "dst", at, n), Names: []string{"gone", "stay"}}},
		Sink:    new(record), Stats: new(report.Stats),
	})
}
