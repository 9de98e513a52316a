package retry_test

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math/rand/v2"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"
	"testing/synctest"
	"time"

	"psync/internal/campaign"
	"psync/internal/engine"
	"psync/internal/engine/enginetest"
	"psync/internal/manifest"
	"psync/internal/manifest/check"
	"psync/internal/metadata"
	"psync/internal/vfs"
	"psync/internal/vfs/fstest"
	"psync/internal/vfs/memfs"
	"psync/internal/vfs/retry"
	"psync/internal/walk"
)

// A farHost has a server that sessions reach by connections. Handles of a session are stale once its connection is lost.
type farHost struct {
	*server
	volume atomic.Uint64 // that its root is on

	// What follows is guarded by the mutex of the server.
	cuts    func(op string, made bool) bool // whether the connection is lost before a call is made, or after that
	refuses error                           // why the host cannot be connected to; nil: it can
	again   bool                            // trying again may help
	dials   int
}

// A session is one with a farHost.
type session struct {
	*farHost
	export int
}

var errCut = errors.New("cut off")

func newFarHost(t testing.TB, tree string) *farHost {
	h := &farHost{server: newServer(t, tree)}
	h.stale = &vfs.LostError{Host: "box", Err: errCut}
	lose := func(made bool) func(op, _ string) error {
		return func(op, _ string) error {
			if h.cuts != nil && h.cuts(op, made) {
				h.export++
				return h.stale
			}
			return nil
		}
	}
	h.fails, h.silent = lose(false), lose(true)
	return h
}

func (h *farHost) dial(context.Context) (retry.Session, bool, error) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.dials++
	if h.refuses != nil {
		return nil, h.again, h.refuses
	}
	return session{h, h.export}, false, nil
}

func (s session) Err() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.export != s.server.export {
		return s.stale
	}
	return nil
}

func (s session) Open(path string, o vfs.OpenOptions) (vfs.Dir, error) {
	if err := s.Err(); err != nil {
		return nil, err
	}
	d, err := s.server.Open(path, o)
	if err != nil {
		return nil, err
	}
	return farDir{d, s, path}, nil
}

// A farDir is the root of a tree of a session.
type farDir struct {
	vfs.Dir
	s    session
	path string
}

func (d farDir) Unwrap() vfs.Dir { return d.Dir }

func (d farDir) Place() (string, vfs.ID, error) { return d.path, vfs.ID{Dev: d.s.volume.Load()}, nil }

// reach returns the root of a host, and the log of what is reported.
func reach(t testing.TB, ctx context.Context, h *farHost) (vfs.Dir, *log) {
	t.Helper()
	l := new(log)
	l.volumes = retry.NewVolumes(retry.Options{HostTimeout: retry.DefaultHostTimeout})
	t.Cleanup(l.volumes.Start(ctx, l))
	first, _, err := h.dial(ctx)
	must(t, err)
	host := l.volumes.RemoteHost(ctx, first, retry.Redialer{Name: "box", Redial: h.dial}, &l.volumes.DestCalls)
	d, err := host.Open("/", vfs.OpenOptions{})
	must(t, err)
	t.Cleanup(func() { _ = d.Close() })
	return d, l
}

// TestConnectionIsMadeAgain loses the connection while directories and files are open.
func TestConnectionIsMadeAgain(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := newFarHost(t, "a/b/f 644 contents\n")
		root, l := reach(t, t.Context(), h)
		a := opened(t)(root.OpenDir("a", vfs.NoFollow))
		b := opened(t)(a.OpenDir("b", vfs.NoFollow))
		f, err := b.OpenFile("f", vfs.ReadOnly, 0)
		must(t, err)
		defer f.Close()
		_, err = vfs.Stat(f)
		must(t, err)
		w, err := a.OpenFile("new", vfs.Create, 0o644)
		must(t, err)
		h.reexport()
		start := time.Now()
		if got, err := io.ReadAll(io.NewSectionReader(f, 0, 100)); err != nil || string(got) != "contents" {
			t.Errorf("read %q, %v", got, err)
		}
		if _, err := w.WriteAt([]byte("x"), 0); !errors.As(err, new(*vfs.OutageError)) {
			t.Errorf("writing: %v", err)
		}
		_ = w.Close()
		must(t, a.Remove("new", nil))
		if _, err := vfs.Lstat(root, "a"); err != nil {
			t.Error(err)
		}
		if h.dials != 2 || time.Since(start) > time.Second {
			t.Errorf("%d connections in %v", h.dials, time.Since(start))
		}
		want := "box: the connection is lost; psync tries for two minutes to connect again|box: connected again"
		if got := strings.Join(l.lines(), "|"); got != want {
			t.Errorf("reported %q, want %q", got, want)
		}
	})
}

// TestFileIsReadAgain loses the connection more often than a file begins anew for outages of a volume, while a file is read whose
// attributes no one has asked for. Each loss must be known for one.
func TestFileIsReadAgain(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := newFarHost(t, "f 644 contents\n")
		root, _ := reach(t, t.Context(), h)
		f, err := root.OpenFile("f", vfs.ReadOnly, 0)
		must(t, err)
		defer f.Close()
		buf := make([]byte, 8)
		_, err = f.ReadAt(buf, 0)
		must(t, err)
		h.reexport()
		_, err = f.ReadAt(buf, 0)
		if outage, ok := errors.AsType[*vfs.OutageError](err); !ok || !outage.Lost {
			t.Errorf("got %#v", err)
		}
	})
}

// TestHostIsGivenUp cannot connect again: the connection stays lost after two minutes, or at once if the error is final.
func TestHostIsGivenUp(t *testing.T) {
	for _, again := range []bool{true, false} {
		synctest.Test(t, func(t *testing.T) {
			h := newFarHost(t, "f 644 x\n")
			d, _ := reach(t, t.Context(), h)
			h.refuses, h.again = syscall.ECONNREFUSED, again
			h.reexport()
			start := time.Now()
			_, err := vfs.Lstat(d, "f")
			if !errors.As(err, new(*vfs.LostError)) || !errors.Is(err, errCut) || !errors.Is(err, syscall.ECONNREFUSED) {
				t.Errorf("got %v", err)
			}
			h.refuses = nil
			if _, err := vfs.Lstat(d, "f"); !errors.As(err, new(*vfs.LostError)) {
				t.Errorf("once it was given up: %v", err)
			}
			if took := time.Since(start).Truncate(time.Second); again && took != 2*time.Minute || !again && took != 0 {
				t.Errorf("given up after %v", took)
			}
		})
	}
}

// TestHostWasGivenUp expects no attempt to connect to a host that was given up because it does not answer.
func TestHostWasGivenUp(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := newFarHost(t, "f 644 x\n")
		d, l := reach(t, t.Context(), h)
		h.stale = &vfs.LostError{Host: "box", Err: errCut, Final: true}
		h.reexport()
		if _, err := vfs.Lstat(d, "f"); err == nil || err.Error() != "lstat f: "+h.stale.Error() && err.Error() != h.stale.Error() {
			t.Errorf("got %v", err)
		}
		if h.dials != 1 || len(l.lines()) > 0 {
			t.Errorf("%d connections, and it is reported that %q", h.dials, l.lines())
		}
	})
}

// TestConnectionThatBreaksAtOnce never has a call answered.
func TestConnectionThatBreaksAtOnce(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := newFarHost(t, "f 644 x\n")
		d, _ := reach(t, t.Context(), h)
		h.cuts = func(op string, _ bool) bool { return op == "remove" }
		if err := d.Remove("f", nil); !errors.As(err, new(*vfs.LostError)) {
			t.Errorf("got %v", err)
		}
		if h.dials < 10 || h.dials > 100 {
			t.Errorf("%d connections", h.dials)
		}
	})
}

// TestInterruptEndsWaitingForAHost interrupts a run while it tries to connect.
func TestInterruptEndsWaitingForAHost(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		h := newFarHost(t, "f 644 x\n")
		d, _ := reach(t, ctx, h)
		h.refuses, h.again = syscall.ECONNREFUSED, true
		h.reexport()
		start := time.Now()
		time.AfterFunc(5*time.Second, cancel)
		if _, err := vfs.Lstat(d, "f"); !errors.As(err, new(*vfs.LostError)) {
			t.Errorf("got %v", err)
		}
		if took := time.Since(start); took != 5*time.Second {
			t.Errorf("waited for %v", took)
		}
	})
}

// TestRootOnAnotherVolume has the volume of a root not be mounted when the host is back. Nothing is written until it is.
func TestRootOnAnotherVolume(t *testing.T) {
	for _, returns := range []bool{true, false} {
		synctest.Test(t, func(t *testing.T) {
			h := newFarHost(t, "")
			direct := h.FS.TestRoot(t)
			d, _ := reach(t, t.Context(), h)
			h.reexport()
			h.volume.Store(7)
			if returns {
				time.AfterFunc(time.Minute, func() { h.volume.Store(0) })
			}
			start := time.Now()
			err := vfs.Mkdir(d, "new", 0o755)
			switch took := time.Since(start); {
			case returns && (err != nil || took < time.Minute):
				t.Errorf("got %v after %v", err, took)
			case !returns && (!errors.As(err, new(*vfs.LostError)) || fstest.Tree(t, direct) != ""):
				t.Errorf("got %v, and there is %s", err, fstest.Tree(t, direct))
			}
		})
	}
}

// TestLateDirectories loses the connection while directories are being made, of which some were.
func TestLateDirectories(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := newFarHost(t, "")
		direct := h.FS.TestRoot(t)
		d, _ := reach(t, t.Context(), h)
		for _, name := range []string{"a", "b", "c"} {
			must(t, d.Make(name, vfs.Spec{Mode: fs.ModeDir | 0o750, Async: true}))
		}
		opened(t)(d.OpenDir("c", vfs.NoFollow))
		must(t, vfs.Chmod(vfs.In(direct, "a"), 0o700)) // the mode was not set
		must(t, direct.Rmdir("b"))                     // it was not made
		h.reexport()
		_, err := vfs.Lstat(d, ".")
		must(t, err)
		for _, name := range []string{"a", "b"} {
			attr, err := vfs.Lstat(opened(t)(d.OpenDir(name, vfs.NoFollow)), ".")
			if err != nil || attr.Mode.Perm() != 0o750 {
				t.Errorf("%s has mode %v, %v", name, attr.Mode, err)
			}
		}
	})
}

// TestLateDirectoriesExist loses the connection after directories were made asynchronously, and the one that they are in has its time.
func TestLateDirectoriesExist(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := newFarHost(t, "")
		d, _ := reach(t, t.Context(), h)
		must(t, d.Make("a", vfs.Spec{Mode: fs.ModeDir | 0o750, Async: true}))
		want := time.Unix(1e9, 0)
		must(t, vfs.Chtimes(vfs.In(d, "."), want, want))
		h.reexport()
		opened(t)(d.OpenDir("a", vfs.NoFollow))
		if attr, err := vfs.Lstat(d, "."); err != nil || !attr.Mtime.Equal(want) {
			t.Errorf("the time is %v, %v", attr.Mtime, err)
		}
	})
}

// TestCuts copies and syncs between two hosts while connections are lost at random, before a call is made or after that. No
// entry fails, and the trees are equal in the end.
func TestCuts(t *testing.T) {
	var names strings.Builder
	for i := range 40 {
		fmt.Fprintf(&names, "names/file%d 644 @2006-01-01T00:00:00Z contents%d\n", i, i)
	}
	tree := sourceTree + names.String() + "names/ 755 @2006-01-01T00:00:00Z\n"
	for _, seed := range campaign.Seeds("CUTS", 20, 200) {
		t.Run(fmt.Sprintf("seed=%d", seed), func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) { syncDespiteCuts(t, tree, seed) })
		})
	}
}

func syncDespiteCuts(t *testing.T, tree string, seed uint64) {
	from, to := newFarHost(t, tree), newFarHost(t, destTree)
	src, _ := reach(t, t.Context(), from)
	dst, _ := reach(t, t.Context(), to)
	for i, h := range []*farHost{from, to} {
		random := rand.New(rand.NewPCG(seed, uint64(i)))
		h.cuts = func(_ string, made bool) bool { return made && random.IntN(10) == 0 || random.IntN(100) == 0 }
	}
	o := engine.Options{
		Threads: 1 + int(seed%4)*5, HardLinks: seed%2 == 0, Fsync: seed%5 == 0,
		Keep: metadata.Keep{Modes: true, Perms: true, Mtime: true, Owner: true, Group: true},
	}
	o.InPlace, o.Checksum, o.DelayUpdates, o.Verify = seed%3 == 1, seed%3 == 2, seed%7 == 3, seed%4 == 1
	o.Delete.On = seed%2 == 1
	events := new(enginetest.Events)
	enginetest.Run(t, enginetest.NewJob(src, dst, o, events), events)
	if from.dials+to.dials < 3 {
		t.Errorf("%d and %d connections", from.dials, to.dials)
	}
	from.calm()
	to.calm()
	want := fstest.Tree(t, src, fstest.WithMtimes, fstest.WithLinks)
	if got := fstest.Tree(t, dst, fstest.WithMtimes, fstest.WithLinks); got != want {
		t.Errorf("the destination is\n%s\nwant\n%s", got, want)
	}
}

// TestBackupsDespiteCuts loses connections while files with backups are replaced, rewritten or continued, and others are made: there
// is one backup of each file that was there before, and of no other.
func TestBackupsDespiteCuts(t *testing.T) {
	const old, current = "@2000-01-01T00:00:00Z \"0123456789\"*2000", "@2006-01-01T00:00:00Z \"0123456789\"*4000"
	var from, to, want strings.Builder
	for i := range 20 {
		fmt.Fprintf(&from, "f%02d 644 %s\nn%02d 644 %s\n", i, current, i, current)
		fmt.Fprintf(&to, "f%02d 644 %s\n", i, old)
		fmt.Fprintf(&want, "f%02d 644 %s\nf%02d~ 644 %s\nn%02d 644 %s\n", i, current, i, old, i, current)
	}
	ways := map[string]func(*engine.Options){
		"replace": func(*engine.Options) {},
		"rewrite": func(o *engine.Options) { o.InPlace = true },
		"append":  func(o *engine.Options) { o.InPlace, o.Append = true, true },
		"verify":  func(o *engine.Options) { o.InPlace, o.Append, o.AppendVerify = true, true, true },
	}
	for _, seed := range campaign.Seeds("CUTS", 10, 100) {
		for name, way := range ways {
			t.Run(fmt.Sprintf("%s/seed=%d", name, seed), func(t *testing.T) {
				synctest.Test(t, func(t *testing.T) {
					h := newFarHost(t, to.String())
					dst, _ := reach(t, t.Context(), h)
					random := rand.New(rand.NewPCG(seed, 0))
					h.cuts = func(string, bool) bool { return random.IntN(40) == 0 }
					o := engine.Options{Threads: 1 + int(seed%4)*5, Keep: metadata.Keep{Modes: true, Perms: true, Mtime: true, Xattrs: true}}
					way(&o)
					o.Backup.On, o.Backup.Suffix, o.Policy.BacksUp = true, "~", true
					events := new(enginetest.Events)
					src := memfs.New().TestRoot(t)
					fstest.Fill(t, src, from.String())
					enginetest.Run(t, enginetest.NewJob(src, dst, o, events), events)
					h.calm()
					there := memfs.New().TestRoot(t)
					fstest.Fill(t, there, want.String())
					if got, want := entriesOf(t, dst), entriesOf(t, there); got != want {
						t.Errorf("the destination is\n%s\nwant\n%s", got, want)
					}
				})
			})
		}
	}
}

// entriesOf describes the entries of a tree, but not the tree itself.
func entriesOf(t *testing.T, d vfs.Dir) string {
	t.Helper()
	_, rest, _ := strings.Cut("\n"+fstest.Tree(t, d, fstest.WithMtimes), "\nf")
	return "f" + rest
}

// TestChecksumsAreCheckedDespiteCuts loses the connection while each file of a manifest is read.
func TestChecksumsAreCheckedDespiteCuts(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := newFarHost(t, "a/small 644 contents\nlarge 644 \"0123456789\"*200000\n")
		d, _ := reach(t, t.Context(), h)
		cuts := 0
		h.cuts = func(op string, made bool) bool {
			cut := op == "read" && !made && cuts < 2
			if cut {
				cuts++
			}
			return cut
		}
		j := check.Job{Dir: d, Workers: walk.NewSize(1, 1), List: map[string]manifest.Sum{
			"a/small": sha256.Sum256([]byte("contents")),
			"large":   sha256.Sum256([]byte(strings.Repeat("0123456789", 200000))),
		}}
		j.Found = func(f check.Finding) { t.Errorf("%s: %v", f.Path, f.Err) }
		must(t, check.Run(t.Context(), j))
		if cuts != 2 {
			t.Errorf("the connection was lost %d times", cuts)
		}
	})
}
