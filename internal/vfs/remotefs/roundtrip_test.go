package remotefs

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"psync/internal/agent"
	"psync/internal/engine"
	"psync/internal/engine/enginetest"
	"psync/internal/localfs"
	"psync/internal/metadata"
	"psync/internal/operand"
	"psync/internal/vfs"
	"psync/internal/vfs/fstest"
	"psync/internal/wire"
)

// roundTrip is that of the channels of [slowPipe], by the clock of a bubble.
const roundTrip = time.Second

// A slowWay carries bytes in one direction. They arrive half a round trip after they were written.
type slowWay struct {
	sent   chan slowBytes
	closed chan struct{}
	left   []byte
}

type slowBytes struct {
	b   []byte
	due time.Time
}

func (w *slowWay) Read(p []byte) (int, error) {
	if len(w.left) == 0 {
		select {
		case s := <-w.sent:
			time.Sleep(time.Until(s.due))
			w.left = s.b
		case <-w.closed:
			return 0, io.EOF
		}
	}
	n := copy(p, w.left)
	w.left = w.left[n:]
	return n, nil
}

func (w *slowWay) Write(p []byte) (int, error) {
	select {
	case w.sent <- slowBytes{append([]byte(nil), p...), time.Now().Add(roundTrip / 2)}:
		return len(p), nil
	case <-w.closed:
		return 0, io.ErrClosedPipe
	}
}

// A slowEnd is one end of a slow channel.
type slowEnd struct {
	io.Reader
	io.Writer
	close func()
}

func (e slowEnd) Close() error {
	e.close()
	return nil
}

// slowPipe returns the ends of a channel on which an answer takes roundTrip.
func slowPipe() (near, far slowEnd) {
	closed := make(chan struct{})
	end := sync.OnceFunc(func() { close(closed) })
	way := func() *slowWay { return &slowWay{sent: make(chan slowBytes, 1<<16), closed: closed} }
	there, back := way(), way()
	return slowEnd{back, there, end}, slowEnd{there, back, end}
}

// farHost is a Host that does not show that it is on this machine.
type farHost struct {
	vfs.Host
	io.Closer
}

func (h farHost) Info() vfs.HostInfo {
	info := h.Host.Info()
	info.BootID = "another"
	return info
}

// newFarHost returns a server of this process, behind a slow channel.
func newFarHost(t *testing.T, q *vfs.Questions) farHost {
	t.Helper()
	near, far := slowPipe()
	return serveOn(t, near, far, Options{Number: 1, Host: "box", Questions: q})
}

// serveOn returns a server of this process, of which near and far are the ends of the channel.
func serveOn(t *testing.T, near, far io.ReadWriteCloser, o Options) farHost {
	t.Helper()
	h, err := Dial(t.Context(), func(first []byte) (io.ReadWriteCloser, error) {
		served := make(chan struct{})
		go func() {
			defer close(served)
			time.Sleep(roundTrip / 2)                                               // it is started by a message
			_ = agent.Serve(context.Background(), far, agent.Options{First: first}) // the channel drops what is under way when it is closed
		}()
		t.Cleanup(func() { <-served })
		var magic [len(wire.Magic)]byte
		_, err := io.ReadFull(near, magic[:])
		if magic != wire.HeardMagic {
			t.Errorf("%q", magic)
		}
		return near, err
	}, o)
	must(t, err)
	return farHost{waiting(t, h, nil), h}
}

// TestRoundTrips counts the round trips that a run waits for, one after the other.
func TestRoundTrips(t *testing.T) {
	const tree = `a/ 755 @2001-01-01T00:00:00Z
		a/f 644 @2001-01-01T00:00:00Z one
		a/b/ 755 @2001-01-01T00:00:00Z
		a/b/f 644 @2001-01-01T00:00:00Z two
		a/b/c/ 755 @2001-01-01T00:00:00Z
		a/b/c/f 644 @2001-01-01T00:00:00Z three
		f 644 @2001-01-01T00:00:00Z four`
	now := time.Now()
	for _, tt := range []struct {
		name       string
		far        int // the operand on the far host: 0 is the source
		exists     bool
		same       bool // the destination is like the source
		roots, run int  // round trips for opening the operands, and for all that follows
	}{
		{"push", 1, false, false, 1, 4},
		{"push into a directory", 1, true, false, 0, 6},
		{"nothing to push", 1, true, true, 0, 0},
		{"pull", 0, false, false, 0, 1},
		{"nothing to pull", 0, true, true, 0, 0},
	} {
		t.Run(tt.name, func(t *testing.T) {
			paths := []string{filepath.Join(realDir(t), "src"), filepath.Join(realDir(t), "dst")}
			for i, there := range []bool{true, tt.exists} {
				if !there {
					continue
				}
				must(t, os.Mkdir(paths[i], 0o755))
				if i == 0 || tt.same {
					d := openDir(t, localfs.Host{}, paths[i])
					fstest.Fill(t, d, tree)
					must(t, os.Chtimes(paths[i], now, now))
				}
			}
			synctest.Test(t, func(t *testing.T) {
				time.Sleep(time.Until(now) + time.Minute) // files are old, by the clock of the file system
				o := operand.Options{MakeDest: true}
				var near vfs.Host = localfs.Host{}
				if tt.far == 0 {
					near = nil
				}
				source, dest := operand.RootQuestions(paths, o, near)
				count := func(what string, start time.Time, want int) {
					if n := int(time.Since(start) / roundTrip); n != want {
						t.Errorf("%s: %d round trips, want %d", what, n, want)
					}
				}
				hosts := []operand.Host{{Host: localfs.Host{}}, {Host: localfs.Host{}}}
				start := time.Now()
				far := newFarHost(t, []*vfs.Questions{&source, &dest}[tt.far])
				hosts[tt.far] = operand.Host{Host: far, Prefix: "box:"}
				o.Hosts = operand.Hosts{Source: hosts[0], Dest: hosts[1]}
				count("connecting", start, 1)
				start = time.Now()
				roots, err := operand.OpenRoots(paths, o)
				must(t, err)
				count("opening", start, tt.roots)
				start = time.Now()
				syncInto(t, roots.Sources[0].Dir, roots.Dest, roots.DestIsNew, far.Info().User)
				roots.Close()
				must(t, far.Close())
				count("the run", start, tt.run)
			})
		})
	}
}

// TestRoundTripsOfEmptyDirectories counts those of a push by few workers.
func TestRoundTripsOfEmptyDirectories(t *testing.T) {
	from, to := realDir(t), realDir(t)
	for i := range 1000 {
		must(t, os.MkdirAll(filepath.Join(from, "dir", fmt.Sprint(i)), 0o750))
	}
	synctest.Test(t, func(t *testing.T) {
		far := newFarHost(t, nil)
		src, err := localfs.Host{}.Open(from, vfs.OpenOptions{})
		must(t, err)
		dst, err := far.Open(to, vfs.OpenOptions{})
		must(t, err)
		start := time.Now()
		syncInto(t, src, dst, true, far.Info().User)
		if n, most := int(time.Since(start)/roundTrip), 3; n > most {
			t.Errorf("%d round trips, want at most %d", n, most)
		}
		must(t, errors.Join(src.Close(), dst.Close(), far.Close()))
	})
}

// TestRoundTripsOfDirectoriesWithEntries counts those of a push by one worker, which waits for files one by one, but
// for directories no more often than the tree is deep.
func TestRoundTripsOfDirectoriesWithEntries(t *testing.T) {
	const dirs = 50
	for _, tt := range []struct {
		name, in string // in each directory
		want     int
	}{
		{"a file", "f 644 x", dirs + 4},
		{"an empty directory", "empty/", 4},
		{"a directory with an empty one", "d/empty/", 5},
	} {
		t.Run(tt.name, func(t *testing.T) {
			from, to := realDir(t), realDir(t)
			var tree strings.Builder
			for i := range dirs {
				fmt.Fprintf(&tree, "dir%d/%s\ndir%d/ 750 @2001-01-01T00:00:00Z\n", i, tt.in, i)
			}
			fstest.Fill(t, openDir(t, localfs.Host{}, from), tree.String())
			synctest.Test(t, func(t *testing.T) {
				far := newFarHost(t, nil)
				src, err := localfs.Host{}.Open(from, vfs.OpenOptions{})
				must(t, err)
				dst, err := far.Open(to, vfs.OpenOptions{})
				must(t, err)
				r, start := new(enginetest.Events), time.Now()
				job := enginetest.NewJob(src, dst, engine.Options{
					Threads: 1, User: far.Info().User, Keep: metadata.Keep{Modes: true, Perms: true, Mtime: true, Owner: true, Group: true},
				}, r)
				job.DestIsNew = true
				enginetest.Run(t, job, r)
				if n := int(time.Since(start) / roundTrip); n > tt.want {
					t.Errorf("%d round trips, want at most %d", n, tt.want)
				}
				must(t, errors.Join(src.Close(), dst.Close(), far.Close()))
			})
			if a, err := os.Stat(filepath.Join(to, "dir7")); err != nil || a.Mode().Perm() != 0o750 || a.ModTime().Year() != 2001 {
				t.Error(a, err)
			}
		})
	}
}

// TestRoundTripsOfManyDirectories counts those of runs by few workers that find nothing to do in a tree of which one
// request does not bring all listings.
func TestRoundTripsOfManyDirectories(t *testing.T) {
	const each = 64 // directories in the root, and in each of these
	paths := []string{realDir(t), realDir(t)}
	for _, root := range paths {
		for i := range each * (each + 1) {
			name := fmt.Sprintf("%0200d", i%each)
			if i >= each {
				name = filepath.Join(fmt.Sprintf("%0200d", i/each-1), name)
			}
			must(t, os.Mkdir(filepath.Join(root, name), 0o755))
		}
		must(t, filepath.WalkDir(root, func(path string, _ fs.DirEntry, err error) error {
			return errors.Join(err, os.Chtimes(path, time.Unix(1e9, 0), time.Unix(1e9, 0)))
		}))
	}
	for i, name := range []string{"source", "destination"} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				hosts := []vfs.Host{localfs.Host{}, localfs.Host{}}
				far := newFarHost(t, nil)
				hosts[i] = far
				src, err := hosts[0].Open(paths[0], vfs.OpenOptions{})
				must(t, err)
				dst, err := hosts[1].Open(paths[1], vfs.OpenOptions{})
				must(t, err)
				start := time.Now()
				syncInto(t, src, dst, false, far.Info().User)
				if n, most := int(time.Since(start)/roundTrip), 3; n > most {
					t.Errorf("%d round trips, want at most %d", n, most)
				}
				must(t, errors.Join(src.Close(), dst.Close(), far.Close()))
			})
		})
	}
}

// TestRoundTripsOfRemovals counts those of a run that removes what a far source lacks: it is asked for each name right
// before that, but for many at a time.
func TestRoundTripsOfRemovals(t *testing.T) {
	for _, tt := range []struct {
		name, dst string
		want      int
	}{
		{"nothing", "", 0},
		{"a file", "f0 644 x\n", 2},
		{"files", manyFiles("", 200), 2},
		{"more files than are asked for at a time", manyFiles("", 600), 6},
		{"a directory", manyFiles("d/", 200), 2},
	} {
		t.Run(tt.name, func(t *testing.T) {
			from, to := realDir(t), realDir(t)
			must(t, os.WriteFile(filepath.Join(from, "kept"), nil, 0o600))
			must(t, os.Chtimes(filepath.Join(from, "kept"), time.Unix(1e9, 0), time.Unix(1e9, 0)))
			fstest.Fill(t, openDir(t, localfs.Host{}, to), "kept 600 @2001-09-09T01:46:40Z\n"+tt.dst)
			now := time.Now()
			for _, dir := range []string{from, to} {
				must(t, os.Chtimes(dir, now, now))
			}
			synctest.Test(t, func(t *testing.T) {
				time.Sleep(time.Until(now) + time.Minute)
				far := newFarHost(t, nil)
				src, err := far.Open(from, vfs.OpenOptions{})
				must(t, err)
				dst, err := localfs.Host{}.Open(to, vfs.OpenOptions{})
				must(t, err)
				must(t, src.ReadDir(func([]vfs.Entry) error { return nil }))
				start := time.Now()
				r := new(enginetest.Events)
				job := enginetest.NewJob(src, dst, engine.Options{Threads: 4, User: far.Info().User, Keep: metadata.Keep{Mtime: true}}, r)
				enginetest.Run(t, job, r)
				if n := int(time.Since(start) / roundTrip); n > tt.want+listAgain {
					t.Errorf("%d round trips, want %d", n, tt.want+listAgain)
				}
				must(t, errors.Join(src.Close(), dst.Close(), far.Close()))
			})
			if names, err := os.ReadDir(to); err != nil || len(names) != 1 {
				t.Errorf("%d entries are left, %v", len(names), err)
			}
		})
	}
}

// listAgain is how many round trips the listing takes that is already here.
const listAgain = 1

// manyFiles describes n files.
func manyFiles(prefix string, n int) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, "%sf%d 644 x\n", prefix, i)
	}
	return b.String()
}

// TestRoundTripsOfFurtherChannels counts how many it takes until the server has admitted the last one.
func TestRoundTripsOfFurtherChannels(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		joined := make(chan struct{}, furtherChannels)
		open := func(string) (io.ReadWriteCloser, error) {
			time.Sleep(roundTrip)
			near, far := slowPipe()
			go func() {
				prefix := make([]byte, wire.LengthSize)
				_, _ = io.ReadFull(far, prefix)
				n, err := wire.Length(prefix)
				if err != nil {
					t.Error(err)
				}
				_, _ = io.ReadFull(far, make([]byte, n))
				done, _ := wire.Append(nil, wire.Frame{Message: &wire.Done{}})
				_, _ = far.Write(done)
				joined <- struct{}{}
			}()
			return near, nil
		}
		h, err := dialScriptedWith(t, Options{OpenChannel: open}, func(m wire.Message) []wire.Message {
			if _, ok := m.(*wire.Hello); ok {
				return []wire.Message{&wire.Welcome{Hello: wire.Hello{Major: wire.Major}, Socket: "socket"}}
			}
			return nil
		})
		must(t, err)
		start := time.Now()
		h.s.Window.Take(manyBytes)
		for range furtherChannels {
			<-joined
		}
		if took, want := time.Since(start), 5*roundTrip/2; took != want { // one for opening the first, and one and a half for the others
			t.Errorf("%v, want %v", took, want)
		}
		time.Sleep(roundTrip) // the answers arrive
		h.s.Window.Ack(manyBytes)
	})
}
