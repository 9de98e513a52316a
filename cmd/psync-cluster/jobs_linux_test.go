package main

import (
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"psync/internal/queue"
)

// A bed has trees that several processes make alike.
type bed struct {
	*testing.T
	*server
	src, dst, journal string
	movers            []*process
}

func newBed(t *testing.T, dirs int) *bed { return newSeededBed(t, dirs, 1) }

func newSeededBed(t *testing.T, dirs int, seed uint64) *bed {
	t.Helper()
	t.Parallel()
	in := t.TempDir()
	b := &bed{T: t, server: serve(t), src: filepath.Join(in, "src"), dst: filepath.Join(in, "dst"), journal: filepath.Join(in, "journal")}
	r := rand.New(rand.NewPCG(seed, 1))
	fill(t, b.src, r, dirs)
	fill(t, b.dst, r, 10)
	t.Cleanup(func() {
		if t.Failed() {
			for i, p := range b.movers {
				t.Logf("mover %d: %s", i, p.said())
			}
		}
	})
	return b
}

// fill makes directories with some small files each, of which some have more names in other directories.
func fill(t *testing.T, root string, r *rand.Rand, dirs int) {
	t.Helper()
	paths := []string{root}
	at := time.Date(2020, 1, 1, 0, 0, r.IntN(100), 0, time.UTC)
	for i := range dirs {
		dir := filepath.Join(paths[max(0, len(paths)-1-r.IntN(8))], fmt.Sprint("d", i))
		if strings.Count(dir[len(root):], "/") > 9 {
			dir = filepath.Join(root, fmt.Sprint("d", i))
		}
		paths = append(paths, dir)
	}
	for i := len(paths) - 1; i >= 0; i-- {
		if err := os.MkdirAll(paths[i], 0o755); err != nil {
			t.Fatal(err)
		}
		for k := range 3 {
			name := filepath.Join(paths[i], fmt.Sprint("f", k))
			if i+1 < len(paths) && r.IntN(10) == 0 {
				if err := os.Link(filepath.Join(paths[i+1+r.IntN(len(paths)-i-1)], "f0"), name); err != nil {
					t.Fatal(err)
				}
				continue
			}
			if err := os.WriteFile(name, []byte(strings.Repeat(name[len(root):], 1+r.IntN(100))), 0o644); err != nil {
				t.Fatal(err)
			}
			if err := os.Chtimes(name, at, at); err != nil {
				t.Fatal(err)
			}
		}
	}
	for i := len(paths) - 1; i >= 0; i-- {
		if err := os.Chtimes(paths[i], at, at); err != nil {
			t.Fatal(err)
		}
	}
}

// mover starts the command that all hosts run, with more flags for this one.
func (b *bed) mover(flags ...string) *process {
	b.Helper()
	args := append([]string{"sync", "-avH", "-j", "2", "--delete", "--bwlimit=400K", b.queue("home")}, flags...)
	p := start(b.T, append(args, b.src, b.dst)...)
	b.movers = append(b.movers, p)
	return p
}

func (b *bed) keeper(flags ...string) *process {
	b.Helper()
	return b.mover(append(flags, "--journal="+b.journal)...)
}

// awaitWork waits until n movers work on bundles of the job.
func (b *bed) awaitWork(n int) {
	b.Helper()
	b.await(func(s queue.State) bool { return working(s) >= n })
}

// await waits for a state of the job, or its end. It looks at the present one, and after each change.
func (b *bed) await(is func(queue.State) bool) {
	b.Helper()
	q, end := b.follow()
	defer end()
	changes, err := q.Watch(b.Context(), queue.Work)
	if err != nil {
		b.Fatal(err)
	}
	for range changes {
		s, err := q.State(b.Context())
		if err != nil {
			b.Fatal(err)
		}
		if s.Closed || is(s) {
			return
		}
	}
}

// working returns how many members work, at most.
func working(s queue.State) (n int) {
	for _, m := range s.Members {
		if !m.Hungry && m.Finished < s.Round.N {
			n++
		}
	}
	return min(n, s.Held)
}

// status wants the exit status of psync status for the job.
func (b *bed) status(want int, words ...string) {
	b.Helper()
	p := start(b.T, "status", b.queue("home"))
	p.want(want)
	for _, word := range words {
		if !strings.Contains(p.output(), word) {
			b.Errorf("the status has no %q: %s", word, p.output())
		}
	}
}

// equal wants the trees to be equal.
func (b *bed) equal() {
	b.Helper()
	src, dst := describe(b.T, b.src), describe(b.T, b.dst)
	for path, want := range src {
		if got, is := dst[path]; !is {
			b.Errorf("%s is missing", path)
		} else if got != want {
			b.Errorf("%s: %.200s, want %.200s", path, got, want)
		}
		delete(dst, path)
	}
	for path := range dst {
		b.Errorf("%s is too much", path)
	}
}

// describe returns what is to be equal of entries, by their paths.
func describe(t *testing.T, root string) map[string]string {
	t.Helper()
	entries, first := make(map[string]string), make(map[uint64]string)
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		info, err := d.Info()
		if err != nil {
			return err
		}
		text := fmt.Sprint(info.Mode(), info.ModTime().UnixNano())
		if info.Mode().IsRegular() {
			data, err := os.ReadFile(path)
			if err != nil {
				return err
			}
			ino := info.Sys().(*syscall.Stat_t).Ino
			if first[ino] == "" {
				first[ino] = path[len(root):]
			}
			text += " = " + first[ino] + " " + string(data)
		}
		entries[path[len(root):]] = text
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return entries
}

// wantComplete wants all movers to end with 0, the trees to be equal, and the job to be complete.
func (b *bed) wantComplete(movers ...*process) {
	b.Helper()
	for _, p := range movers {
		p.want(0)
	}
	b.equal()
	b.status(0, "ended with exit status 0", b.allDone())
	start(b.T, "status", b.journal).want(0)
}

// allDone returns what the status says of the directories of a job that is complete.
func (b *bed) allDone() string {
	b.Helper()
	n := 0
	for _, text := range describe(b.T, b.src) {
		if strings.HasPrefix(text, "d") {
			n++
		}
	}
	return fmt.Sprintf("\n%d of %d directories done\n", n, n)
}

// TestLateMover has a mover join when another one is at work. Both copy something.
func TestLateMover(t *testing.T) {
	b := newBed(t, 300)
	first := b.keeper()
	b.awaitWork(1)
	late := b.mover()
	b.wantComplete(first, late)
	if late.output() == "" {
		t.Error("the second mover had nothing to do")
	}
	// Another job of the same name has nothing left to do.
	b.journal += "2"
	waiting := b.mover()
	waiting.awaitStderr("waiting for the host with --journal")
	again := b.keeper()
	b.wantComplete(waiting, again)
}

// TestInterruptedMover has a mover leave.
func TestInterruptedMover(t *testing.T) {
	b := newBed(t, 300)
	stays, leaves := b.keeper(), b.mover()
	b.awaitWork(2)
	leaves.signal(os.Interrupt)
	leaves.want(20)
	b.wantComplete(stays)
}

// TestInterruptedWaiting has movers be interrupted that wait for a job, some of them while they ask the server.
func TestInterruptedWaiting(t *testing.T) {
	b := newBed(t, 1)
	for range 10 {
		b.mover()
	}
	for _, p := range b.movers {
		p.awaitStderr("waiting for the host with --journal")
		p.signal(os.Interrupt)
		p.want(20)
	}
}

// TestKilledMover has a mover and its supervisor be killed. Another one takes its directories when its lease has lapsed.
func TestKilledMover(t *testing.T) {
	b := newBed(t, 300)
	stays, dies := b.keeper(), b.mover()
	b.awaitWork(2)
	dies.kill()
	b.wantComplete(stays)
}

// TestKilledWorker has the process be killed that works for a supervisor, as the fence does. Another one goes on.
func TestKilledWorker(t *testing.T) {
	b := newBed(t, 300)
	stays, dies := b.mover(), b.keeper()
	b.awaitWork(2)
	dies.signalWorker(syscall.SIGKILL)
	b.wantComplete(stays, dies)
}

// TestKilledKeeper has the host be killed that keeps the journal, and started again with it.
func TestKilledKeeper(t *testing.T) {
	b := newBed(t, 300)
	stays, dies := b.mover(), b.keeper()
	b.awaitWork(2)
	dies.kill()
	refused := b.mover("--journal=" + b.journal + "2")
	refused.want(1)
	if said := refused.said(); !strings.Contains(said, "this job has another journal, and has not ended") || !strings.Contains(said, "--resume") {
		t.Errorf("another journal: %s", said)
	}
	b.wantComplete(stays, b.keeper("--resume"))
	// It says the same again once the job has ended.
	b.keeper("--resume").want(0)
}

// TestKilledServer has the server be killed, and started again.
func TestKilledServer(t *testing.T) {
	b := newBed(t, 300)
	movers := []*process{b.keeper(), b.mover()}
	b.awaitWork(2)
	b.server.kill()
	b.server.start()
	b.wantComplete(movers...)
}

// TestRefusedMovers has commands that cannot take part. They say why, and change nothing.
func TestRefusedMovers(t *testing.T) {
	b := newBed(t, 100)
	other := filepath.Join(t.TempDir(), "other")
	if err := os.Mkdir(other, 0o755); err != nil {
		t.Fatal(err)
	}
	first := b.keeper()
	b.awaitWork(1)
	for _, tt := range []struct {
		name   string
		args   []string
		status int
		want   string
	}{
		{"another flag", []string{"sync", "-aH", "-j", "2", "--bwlimit=400K", b.queue("home"), b.src, b.dst}, 1, "--delete is given at "},
		{"another tree", []string{"sync", "-aH", "-j", "2", "--delete", "--bwlimit=400K", b.queue("home"), b.src, other}, 1, "the tree at "},
		{"a flag that cannot be shared", []string{"sync", "-a", "--inplace", b.queue("home"), b.src, b.dst}, 1, "--inplace cannot be used with --queue"},
		{"no address", []string{"sync", "-a", "--queue=home", b.src, b.dst}, 1, "not nats://HOST[:PORT]/JOB"},
		{"no server", []string{"sync", "-a", "--queue=nats://127.0.0.1:1/home", b.src, b.dst}, 12, "psync cluster serve"},
		{"a server without TLS", []string{"sync", "-a", "--queue=nats://192.0.2.1/home", b.src, b.dst}, 1, "without TLS"},
		{"no job", []string{"status", b.queue("other")}, 3, "there is no such job"},
	} {
		p := start(t, tt.args...)
		p.want(tt.status)
		if said := p.said(); !strings.Contains(said, tt.want) {
			t.Errorf("%s: %s", tt.name, said)
		}
	}
	if entries, err := os.ReadDir(other); err != nil || len(entries) > 0 {
		t.Errorf("another destination has %v, %v", entries, err)
	}
	b.wantComplete(first)
}
