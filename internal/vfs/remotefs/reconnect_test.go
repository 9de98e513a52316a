package remotefs

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"net"
	"slices"
	"strings"
	"sync"
	"testing"

	"psync/internal/agent"
	"psync/internal/campaign"
	"psync/internal/engine"
	"psync/internal/engine/enginetest"
	"psync/internal/localfs"
	"psync/internal/metadata"
	"psync/internal/vfs"
	"psync/internal/vfs/fstest"
	"psync/internal/vfs/memfs"
	"psync/internal/vfs/remotefs/session"
	"psync/internal/vfs/retry"
	"psync/internal/wire"
)

// A cutter is a channel that ends when a number of bytes have been written to it.
type cutter struct {
	net.Conn
	mu   sync.Mutex
	left int
}

func (c *cutter) Write(p []byte) (int, error) {
	c.mu.Lock()
	n := min(c.left, len(p))
	c.left -= n
	over := c.left == 0
	c.mu.Unlock()
	n, err := c.Conn.Write(p[:n])
	if over {
		return n, errors.Join(err, io.ErrUnexpectedEOF, c.Close())
	}
	return n, err
}

// A flaky host has servers to which connections break.
type flaky struct {
	mu      sync.Mutex
	random  *rand.Rand
	cuts    int // connections that are still to break
	least   int // bytes that each of them carries in either direction
	dials   int
	serving sync.WaitGroup
}

// dial connects to a new server, by a connection that may break after a random number of bytes in either direction.
func (f *flaky) dial(first []byte) (io.ReadWriteCloser, error) {
	near, far := net.Pipe()
	a, b := &cutter{Conn: near, left: 1 << 60}, &cutter{Conn: far, left: 1 << 60}
	f.mu.Lock()
	f.dials++
	if f.cuts > 0 {
		f.cuts--
		a.left, b.left = f.least+f.random.IntN(40_000), f.least+f.random.IntN(20_000)
	}
	f.mu.Unlock()
	f.serving.Go(func() { _ = agent.Serve(context.Background(), b, agent.Options{Socket: true, First: first}) })
	var magic [len(wire.Magic)]byte
	_, err := io.ReadFull(near, magic[:])
	return a, err
}

// reach returns the host, whose connection is made again whenever it is lost.
func (f *flaky) reach(t *testing.T) vfs.Host {
	t.Helper()
	var last *Host
	dial := func(ctx context.Context) (retry.Session, bool, error) {
		h, err := Dial(ctx, f.dial, Options{Number: 1, Host: "box", Replaces: last.Session()})
		if err != nil {
			return nil, true, err
		}
		last = h
		return h, false, nil
	}
	h, _, err := dial(t.Context())
	must(t, err)
	t.Cleanup(func() {
		_ = last.Close()
		f.serving.Wait()
	})
	return waiting(t, h, dial)
}

// waiting returns a host whose calls are made again, as those of every run are, when dial has replaced its session.
func waiting(t testing.TB, h retry.Session, dial func(context.Context) (retry.Session, bool, error)) vfs.Host {
	t.Helper()
	vs := retry.NewVolumes(retry.Options{HostTimeout: retry.DefaultHostTimeout})
	r := retry.Redialer{Name: "box", Redial: dial, Warn: func(string) {}}
	return vs.RemoteHost(t.Context(), h, r, &vs.DestCalls)
}

// cutTree is a tree of what is made, and read, in different ways. It is in memory: a server that starts in this process changes
// the umask for a moment.
func cutTree(t *testing.T, random *rand.Rand) vfs.Dir {
	t.Helper()
	var b strings.Builder
	for i := range 150 {
		dir := fmt.Sprintf("d%d/%s", i%10, []string{"", "sub/"}[i/10%2])
		size := 1 + random.IntN(100)
		if i%40 == 0 {
			size *= 300
		}
		fmt.Fprintf(&b, "%sf%d 640 @2001-02-03T04:05:06Z \"file %d\"*%d\n", dir, i, i, size)
		if i%8 == 0 {
			fmt.Fprintf(&b, "%slink%d -> f%d\nempty%d/ 711 @2001-02-03T04:05:06Z\n", dir, i, i, i)
		}
	}
	d := memfs.New().TestRoot(t)
	fstest.Fill(t, d, b.String())
	return d
}

// TestRunsSurviveCuts copies trees to a host and back, over what is partly there, while connections are lost. No entry fails,
// and the trees are equal in the end.
func TestRunsSurviveCuts(t *testing.T) {
	for _, seed := range campaign.Seeds("REMOTECUTS", 3, 100) {
		t.Run(fmt.Sprintf("seed=%d", seed), func(t *testing.T) {
			random := rand.New(rand.NewPCG(seed, 3))
			src, dst := cutTree(t, random), realDir(t)
			fstest.Fill(t, openDir(t, localfs.Host{}, dst), "d0/f0 600 old\nd1/extraneous/f 600 x\nd1/f1 600 \"file 1\"\n")
			want := strings.Split(fstest.Tree(t, src, fstest.WithMtimes), "\n")
			o := engine.Options{
				Threads: 1 + random.IntN(40),
				Keep:    metadata.Keep{Modes: true, Perms: true, Mtime: true},
			}
			o.InPlace, o.Checksum, o.DelayUpdates, o.Verify = seed%3 == 1, seed%4 == 2, seed%5 == 3, seed%7 == 1
			o.Delete.On, o.Fsync = true, seed%6 == 2
			back := memfs.New().TestRoot(t)
			for _, pull := range []bool{false, true} {
				f := &flaky{random: random, cuts: 8, least: 2000}
				h := f.reach(t)
				o.User = h.Info().User
				from, to := src, openDir(t, h, dst)
				if pull {
					from, to = to, back
				}
				events := new(enginetest.Events)
				enginetest.Run(t, enginetest.NewJob(from, to, o, events), events)
				if f.dials < 3 {
					t.Errorf("there were %d connections", f.dials)
				}
				got := strings.Split(fstest.Tree(t, to, fstest.WithMtimes), "\n")
				for _, line := range got {
					if !slices.Contains(want, line) {
						t.Errorf("pull %v: the destination has %s", pull, line)
					}
				}
				if len(got) != len(want) {
					t.Errorf("pull %v: the destination has %d entries, want %d", pull, len(got), len(want))
				}
			}
		})
	}
}

// TestHostHasRestarted connects again to what has another boot than the session before, of which much may be lost.
func TestHostHasRestarted(t *testing.T) {
	before := newHost(t)
	before.s.Welcome.Info.BootID = "another"
	_, err := Dial(t.Context(), dialed(serve(t, agent.Options{Socket: true})), Options{Number: 1, Host: "box", Replaces: before.Session()})
	if !errors.Is(err, session.ErrRestarted) {
		t.Errorf("got %v", err)
	}
}

// TestHostIsGivenUp loses the connection to a server that offers no socket, so that it cannot be known to have ended.
func TestHostIsGivenUp(t *testing.T) {
	near, far := net.Pipe()
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		_ = agent.Serve(context.Background(), far, agent.Options{})
	}()
	_, err := io.ReadFull(near, make([]byte, len(wire.Magic)))
	must(t, err)
	h, err := Dial(t.Context(), dialed(near), Options{Number: 1, Host: "box"})
	must(t, err)
	_ = far.Close()
	<-h.Lost()
	if lost, ok := errors.AsType[*vfs.LostError](h.Err()); !ok || !lost.Final {
		t.Errorf("got %#v", h.Err())
	}
	<-ended
	_ = h.Close()
}
