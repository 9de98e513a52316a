package remotefs

import (
	"context"
	"errors"
	"io"
	"net"
	"os"
	"syscall"
	"testing"

	"psync/internal/agent"
	"psync/internal/localfs"
	"psync/internal/report"
	"psync/internal/testtmp"
	"psync/internal/vfs"
	"psync/internal/vfs/hosttest"
	"psync/internal/vfs/suite"
	"psync/internal/wire"
)

func TestMain(m *testing.M) {
	localfs.Host{}.ClearUmask() // the server is in this process
	os.Exit(testtmp.Run(m))
}

func TestDirKeepsThePromisesOfVFS(t *testing.T) {
	h := newHost(t)
	suite.TestDir(t, func(tb testing.TB) vfs.Dir {
		d, err := h.Open(tb.TempDir(), vfs.OpenOptions{})
		must(tb, err)
		return d
	})
}

func TestDirThatIsWaitedForKeepsThePromisesOfVFS(t *testing.T) {
	h := waiting(t, newHost(t), nil)
	suite.TestDir(t, func(tb testing.TB) vfs.Dir {
		d, err := h.Open(tb.TempDir(), vfs.OpenOptions{})
		must(tb, err)
		return d
	})
}

func TestSharedDir(t *testing.T) {
	h, another := newHost(t), newHost(t)
	suite.TestSharedDir(t, func(tb testing.TB) (d, other vfs.Dir) {
		dir := tb.TempDir()
		d, err := h.Open(dir, vfs.OpenOptions{})
		must(tb, err)
		other, err = another.Open(dir, vfs.OpenOptions{})
		must(tb, err)
		return d, other
	})
}

func TestHostKeepsThePromisesOfVFS(t *testing.T) {
	hosttest.TestHost(t, newHost(t), realDir(t))
}

// serve starts a server, and returns the channel to it after the magic.
func serve(t testing.TB, o agent.Options) io.ReadWriteCloser {
	t.Helper()
	near, far := net.Pipe()
	served := make(chan error, 1)
	go func() { served <- agent.Serve(context.Background(), far, o) }()
	t.Cleanup(func() {
		if err := <-served; err != nil && !isGone(err) {
			t.Errorf("the server has ended with %v", err)
		}
	})
	var magic [len(wire.Magic)]byte
	if _, err := io.ReadFull(near, magic[:]); err != nil || magic != wire.Magic {
		t.Fatalf("%q, %v", magic, err)
	}
	return near
}

// dialed returns a Dialer that returns a channel to a server that has heard nothing yet.
func dialed(channel io.ReadWriteCloser) Dialer {
	return func(first []byte) (io.ReadWriteCloser, error) {
		_, err := channel.Write(first)
		return channel, err
	}
}

// newHost returns a server of this process, through a pipe.
func newHost(t testing.TB) *Host {
	t.Helper()
	h, err := Dial(t.Context(), dialed(serve(t, agent.Options{Socket: true})), Options{Number: 1, Host: "box"})
	must(t, err)
	t.Cleanup(func() { _ = h.Close() })
	return h
}

// newCountedHost is newHost for a session whose requests are counted when they have been answered.
func newCountedHost(t testing.TB) (counted vfs.Host, requests func() int64) {
	t.Helper()
	durations := new(report.Durations)
	h, err := Dial(t.Context(), dialed(serve(t, agent.Options{})), Options{Number: 1, Host: "box", Durations: durations})
	must(t, err)
	t.Cleanup(func() { _ = h.Close() })
	return waiting(t, h, nil), func() int64 { return answered(durations) }
}

func answered(d *report.Durations) (n int64) {
	counts, _ := d.Counts()
	for _, c := range counts {
		n += c
	}
	return n
}

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// isGone reports whether an error says that the client has closed a channel while answers were on their way.
func isGone(err error) bool {
	return errors.Is(err, io.ErrClosedPipe) || errors.Is(err, syscall.EPIPE) || errors.Is(err, syscall.ECONNRESET)
}
