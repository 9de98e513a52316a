package remotefs

import (
	"errors"
	"io"
	"math/rand/v2"
	"net"
	"sync"
	"testing"
	"testing/synctest"

	"psync/internal/agent"
	"psync/internal/vfs"
	"psync/internal/vfs/hosttest"
	"psync/internal/vfs/suite"
	"psync/internal/wire"
)

const (
	furtherChannels = 7       // that a session opens at most
	manyBytes       = 1 << 20 // with so many in flight
)

// A shuffled channel sends the frames that are written at once in random order.
type shuffled struct{ net.Conn }

func (c shuffled) Write(p []byte) (int, error) {
	var frames [][]byte
	for rest := p; len(rest) > 0; {
		n, err := wire.Length(rest[:wire.LengthSize])
		if err != nil {
			return 0, err
		}
		frames = append(frames, rest[:wire.LengthSize+n])
		rest = rest[wire.LengthSize+n:]
	}
	rand.Shuffle(len(frames), func(i, j int) { frames[i], frames[j] = frames[j], frames[i] })
	for _, f := range frames {
		if _, err := c.Conn.Write(f); err != nil {
			return 0, err
		}
	}
	return len(p), nil
}

func openShuffled(socket string) (io.ReadWriteCloser, error) {
	c, err := net.Dial("unix", socket)
	return shuffled{c}, err
}

// newWideHost is newHost with the maximum number of channels.
func newWideHost(t *testing.T) *Host {
	t.Helper()
	opened := make(chan struct{}, furtherChannels)
	h, err := Dial(t.Context(), dialed(serve(t, agent.Options{Socket: true})), Options{Number: 1, Host: "box", OpenChannel: func(socket string) (io.ReadWriteCloser, error) {
		defer func() { opened <- struct{}{} }()
		return openShuffled(socket)
	}})
	must(t, err)
	t.Cleanup(func() { _ = h.Close() })
	h.s.Window.Expect(manyBytes)
	for range furtherChannels {
		<-opened
	}
	h.s.Window.Expect(-manyBytes)
	return h
}

func TestDirKeepsThePromisesOfVFSOverManyChannels(t *testing.T) {
	h := newWideHost(t)
	suite.TestDir(t, func(tb testing.TB) vfs.Dir {
		d, err := h.Open(tb.TempDir(), vfs.OpenOptions{})
		must(tb, err)
		return d
	})
}

func TestHostKeepsThePromisesOfVFSOverManyChannels(t *testing.T) {
	hosttest.TestHost(t, newWideHost(t), realDir(t))
}

// TestFurtherChannels opens channels as far as the host allows, and writes while it does.
func TestFurtherChannels(t *testing.T) {
	refused := errors.New("refused")
	for _, tt := range []struct {
		name   string
		allows int
		refuse func(socket string) (io.ReadWriteCloser, error)
	}{
		{"all", furtherChannels, nil},
		{"none", 0, func(string) (io.ReadWriteCloser, error) { return nil, refused }},
		{"two", 2, func(string) (io.ReadWriteCloser, error) { return nil, refused }},
		{"one, then another server", 1, func(string) (io.ReadWriteCloser, error) {
			near, far := net.Pipe()
			go func() {
				_, _ = io.ReadFull(far, make([]byte, 8))
				_, _ = far.Write(make([]byte, 100))
			}()
			return near, nil
		}},
		{"one, then one that closes", 1, func(string) (io.ReadWriteCloser, error) {
			near, far := net.Pipe()
			return near, far.Close()
		}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			opened := make(chan struct{}, furtherChannels+1)
			h, err := Dial(t.Context(), dialed(serve(t, agent.Options{Socket: true})), Options{Number: 1, Host: "box", OpenChannel: func(socket string) (io.ReadWriteCloser, error) {
				opened <- struct{}{}
				if len(opened) > tt.allows {
					return tt.refuse(socket)
				}
				return openShuffled(socket)
			}})
			must(t, err)
			t.Cleanup(func() { _ = h.Close() })
			d := openDir(t, h, realDir(t))
			var writing sync.WaitGroup
			for _, name := range []string{"a", "b"} {
				writing.Go(func() {
					for len(opened) < min(tt.allows+1, furtherChannels) && h.Err() == nil {
						writeLarge(t, d, name)
					}
					writeLarge(t, d, name)
				})
			}
			writing.Wait()
			if err := h.Err(); err != nil {
				t.Error(err)
			}
		})
	}
}

// writeLarge writes 4 MiB into a file, and reads them.
func writeLarge(t *testing.T, d vfs.Dir, name string) {
	data := make([]byte, 4<<20)
	_, _ = rand.NewChaCha8([32]byte{}).Read(data)
	f, err := d.OpenFile(name, vfs.OpenCreate, 0o600)
	if err != nil {
		t.Error(err)
		return
	}
	_, err = f.WriteAt(data, 0)
	if err := errors.Join(err, f.Close()); err != nil {
		t.Error(err)
	}
	f, err = d.OpenFile(name, vfs.ReadOnly, 0)
	if err != nil {
		t.Error(err)
		return
	}
	got := make([]byte, 1<<20)
	for off := 0; off < len(data); off += len(got) {
		if off == len(data)/2 && name == "b" {
			break // with requests under way
		}
		if n, err := f.ReadAt(got, int64(off)); err != nil || string(got) != string(data[off:off+n]) {
			t.Errorf("%d bytes at %d, %v", n, off, err)
			break
		}
	}
	if err := f.Close(); err != nil {
		t.Error(err)
	}
}

// TestFilesThatAreFetchedKeepChannelsBusy has whole files asked for, which the window does not bound. They are expected
// to be as long as the one before, so another channel is opened for the one after the large one.
func TestFilesThatAreFetchedKeepChannelsBusy(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		busy := make(chan bool, furtherChannels)
		open := func(string) (io.ReadWriteCloser, error) {
			busy <- true
			return nil, errors.New("refused")
		}
		h, err := dialScriptedWith(t, Options{OpenChannel: open}, func(m wire.Message) []wire.Message {
			switch m := m.(type) {
			case *wire.Hello:
				return []wire.Message{&wire.Welcome{Hello: wire.Hello{Major: wire.Major}, Socket: "socket"}}
			case *wire.Get:
				if m.Name == "large" {
					return []wire.Message{&wire.Got{Whole: true, Data: make([]byte, small)}}
				}
			}
			return nil // is not answered
		})
		must(t, err)
		d := openDir(t, h, "/")
		for _, name := range []string{"first", "large", "next"} {
			if len(busy) > 0 {
				t.Errorf("busy before %s was asked for", name)
			}
			go func() { _, _ = d.OpenFile(name, vfs.ReadOnly, 0) }()
			synctest.Wait()
		}
		if len(busy) == 0 {
			t.Error("not busy")
		}
		must(t, h.Close())
	})
}
