package cluster_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"psync/internal/cluster"
	"psync/internal/engine"
	"psync/internal/engine/source"
	"psync/internal/journal"
	"psync/internal/localfs"
	"psync/internal/metadata"
	"psync/internal/queue"
	"psync/internal/queue/memqueue"
	"psync/internal/queue/protocol"
	"psync/internal/report"
	"psync/internal/tempname"
	"psync/internal/vfs"
	"psync/internal/vfs/fstest"
)

// local is a job on directories of this system.
type local struct {
	src, dst string
	threads  int
	deletes  bool
	links    bool
}

func openLocal(t testing.TB, path string) vfs.Dir {
	t.Helper()
	d, err := localfs.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	return d
}

// run has hosts do the job, or one run without a queue if there are none.
func (l local) run(t testing.TB, hosts int) {
	t.Helper()
	name := filepath.Join(t.TempDir(), "journal")
	w, err := journal.Create(os.OpenFile, name, journal.Job{Roots: []string{l.src}}, journal.Session{})
	if err != nil {
		t.Fatal(err)
	}
	defer func() {
		if err := w.Close(journal.End{}); err != nil {
			t.Error(err)
		}
	}()
	if hosts == 0 {
		l.engine(t, 0, func(ctx context.Context, j engine.Job) error {
			j.Journal = w
			return engine.Run(ctx, j)
		})
		return
	}
	q := memqueue.New(protocol.Lease, time.Now)
	var running sync.WaitGroup
	for i := range hosts {
		running.Go(func() {
			h := &cluster.Host{Queue: q, Member: queue.Member{Name: fmt.Sprint("host", i)}}
			l.engine(t, i, h.Run)
		})
	}
	k := &cluster.Keeper{Queue: q, Name: name, Journal: w}
	if status, err := k.Run(t.Context()); status != 0 || err != nil {
		t.Errorf("keeper: %d, %v", status, err)
	}
	running.Wait()
}

// engine opens the directories as a host does, and calls run.
func (l local) engine(t testing.TB, i int, run func(context.Context, engine.Job) error) {
	from, to := openLocal(t, l.src), openLocal(t, l.dst)
	defer from.Close()
	defer to.Close()
	j := engine.Job{
		Options: engine.Options{Threads: l.threads, Keep: metadata.Keep{Modes: true, Perms: true, Mtime: true}},
		Sources: []source.Tree{{Dir: from, Label: "SRC"}},
		Dest:    to, DestLabel: "DST",
		Stats: new(report.Stats), Sink: failures{t},
		Process: func() tempname.Process {
			return tempname.Process{Host: 1, Boot: 1, PID: i + 1, Run: 3, Alive: func(int, uint64) bool { return true }}
		},
	}
	j.Policy.Sync, j.Delete.On, j.HardLinks = true, l.deletes, l.links
	if err := run(t.Context(), j); err != nil {
		t.Error(err)
	}
}

// failures fails a test with those of a run.
type failures struct{ t testing.TB }

func (f failures) Event(e report.Event) {
	if e.Kind == report.Fail || e.Kind == report.Vanish {
		f.t.Errorf("%s: %v", e.Path(), e.Err)
	}
}

// TestDirectoriesOfThisSystem compares what hosts make of real directories with their source, and with what rsync makes of them.
func TestDirectoriesOfThisSystem(t *testing.T) {
	for seed := range uint64(4) {
		r := rand.New(rand.NewPCG(seed, 6))
		src, dst := trees(r, 60)
		top := t.TempDir()
		l := local{filepath.Join(top, "src"), filepath.Join(top, "dst"), 2, true, seed%2 == 1}
		if l.links {
			src, dst = withLinks(r, src, "x"), withLinks(r, dst, "x")
		}
		for _, path := range []string{l.src, l.dst, l.dst + "rsync"} {
			if err := os.Mkdir(path, 0o755); err != nil {
				t.Fatal(err)
			}
		}
		for path, text := range map[string]string{l.src: src, l.dst: dst} {
			d := openLocal(t, path)
			fstest.Fill(t, d, text)
			d.Close()
		}
		l.run(t, 1+r.IntN(3))
		want, got := localTree(t, l.src), localTree(t, l.dst)
		if got != want {
			t.Errorf("seed %d: source:\n%s\ndestination:\n%s", seed, want, got)
		}
		if rsync, err := exec.LookPath("rsync"); err == nil {
			if out, err := exec.Command(rsync, "-aH", l.src+"/", l.dst+"rsync").CombinedOutput(); err != nil {
				t.Fatalf("%v: %s", err, out)
			}
			if want := localTree(t, l.dst+"rsync"); got != want {
				t.Errorf("seed %d: rsync makes:\n%s\npsync makes:\n%s", seed, want, got)
			}
		}
	}
}

func localTree(t testing.TB, path string) string {
	t.Helper()
	d := openLocal(t, path)
	defer d.Close()
	return fstest.Tree(t, d, sameTimes...)
}

// BenchmarkHosts copies 20,000 small files in 2,000 directories, and then finds that nothing is left to do. hosts=0 stands for a
// run without a queue. All runs have as many threads together.
func BenchmarkHosts(b *testing.B) {
	top := b.TempDir()
	src := filepath.Join(top, "src")
	for i := range 2000 {
		dir := filepath.Join(src, fmt.Sprint(i%10), fmt.Sprint(i/10%20), fmt.Sprint(i))
		if err := os.MkdirAll(dir, 0o755); err != nil {
			b.Fatal(err)
		}
		for k := range 10 {
			if err := os.WriteFile(filepath.Join(dir, fmt.Sprint(k)), []byte("contents"), 0o644); err != nil {
				b.Fatal(err)
			}
		}
	}
	for _, what := range []string{"copy", "again"} {
		for hosts := range 4 {
			b.Run(fmt.Sprintf("%s/hosts=%d", what, hosts), func(b *testing.B) {
				l := local{src, filepath.Join(top, "dst"), max(1, 4/max(1, hosts)), false, false}
				for b.Loop() {
					b.StopTimer()
					if what == "copy" {
						if err := os.RemoveAll(l.dst); err != nil {
							b.Fatal(err)
						}
					}
					if err := os.MkdirAll(l.dst, 0o755); err != nil {
						b.Fatal(err)
					}
					b.StartTimer()
					l.run(b, hosts)
				}
			})
		}
	}
}
