package link_test

import (
	"os"
	"sync"
	"testing"

	"psync/internal/vfs"
	"psync/internal/wire"
	"psync/internal/wire/link"
)

// A duplex is a channel of two pipes of the system.
type duplex struct{ r, w *os.File }

func (d duplex) Read(p []byte) (int, error)  { return d.r.Read(p) }
func (d duplex) Write(p []byte) (int, error) { return d.w.Write(p) }

func (d duplex) Close() error {
	_ = d.r.Close()
	return d.w.Close()
}

func duplexes(tb testing.TB) (one, other duplex) {
	tb.Helper()
	r1, w1, err := os.Pipe()
	if err != nil {
		tb.Fatal(err)
	}
	r2, w2, err := os.Pipe()
	if err != nil {
		tb.Fatal(err)
	}
	return duplex{r1, w2}, duplex{r2, w1}
}

// BenchmarkLink has 64 goroutines send small files of 4 KiB, each of which waits for the answer.
func BenchmarkLink(b *testing.B) {
	const senders = 64
	var server *link.Link
	server = link.New(link.Options{Receive: func(f wire.Frame) error {
		f.Release()
		return server.Send(wire.Frame{ID: f.ID, Message: &wire.SetAnswer{}})
	}})
	var answered [senders]chan struct{}
	client := link.New(link.Options{Receive: func(f wire.Frame) error {
		answered[f.ID] <- struct{}{}
		return nil
	}})
	x, y := duplexes(b)
	client.Add(x)
	server.Add(y)
	data := make([]byte, 4096)
	changes := []vfs.Change{{Kind: vfs.ModeChange, Mode: 0o644}, {Kind: vfs.TimesChange}}
	b.SetBytes(int64(len(data)))
	b.ReportAllocs()
	left := make(chan struct{}, 1024)
	var wg sync.WaitGroup
	for i := range answered {
		answered[i] = make(chan struct{}, 1)
		wg.Go(func() {
			put := &wire.Put{Dir: 1, Name: "name", Perm: 0o600, Size: 4096, Parts: []wire.Part{{Data: data}}, Changes: changes}
			for range left {
				if err := client.Send(wire.Frame{ID: uint64(i), Message: put}); err != nil {
					b.Error(err)
				}
				<-answered[i]
			}
		})
	}
	for b.Loop() {
		left <- struct{}{}
	}
	close(left)
	wg.Wait()
	_ = client.Close()
	_ = server.Close()
}
