package agent

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"
	"time"

	"psync/internal/vfs"
	"psync/internal/wire"
)

const benchFiles = 1000

// BenchmarkPut makes 1,000 small files, all requested at once.
func BenchmarkPut(b *testing.B) {
	c := connect(b, Options{})
	c.open(1, b.TempDir())
	data, n := make([]byte, 4<<10), 0
	changes := []vfs.Change{
		{Kind: vfs.OwnerChange, UID: os.Getuid(), GID: os.Getgid()},
		{Kind: vfs.ModeChange, Mode: 0o644},
		{Kind: vfs.TimesChange, Atime: time.Unix(1e9, 0), Mtime: time.Unix(1e9, 0)},
	}
	b.ReportAllocs()
	for b.Loop() {
		c.askAll(benchFiles, func(int) wire.Message {
			n++
			return &wire.Put{Dir: 1, Name: fmt.Sprint(n), Perm: 0o600, Size: int64(len(data)), Parts: []wire.Part{{Data: data}}, Changes: changes}
		})
	}
}

// BenchmarkGet reads 1,000 small files, all requested at once.
func BenchmarkGet(b *testing.B) {
	dir := b.TempDir()
	for i := range benchFiles {
		writeFile(b, string(make([]byte, 4<<10)), dir, fmt.Sprint(i))
	}
	c := connect(b, Options{}, after(time.Hour))
	c.open(1, dir)
	b.ReportAllocs()
	for b.Loop() {
		c.askAll(benchFiles, func(i int) wire.Message {
			return &wire.Get{New: wire.Handle(i + 2), Dir: 1, Name: fmt.Sprint(i), Max: 256 << 10}
		})
	}
}

// BenchmarkList lists 1,000 files in 10 directories ahead.
func BenchmarkList(b *testing.B) {
	dir := b.TempDir()
	for i := range benchFiles {
		sub := filepath.Join(dir, fmt.Sprint(i%10))
		if err := os.MkdirAll(sub, 0o777); err != nil {
			b.Fatal(err)
		}
		writeFile(b, "", sub, fmt.Sprint("name", i))
	}
	c := connect(b, Options{})
	c.open(1, dir)
	b.ReportAllocs()
	for b.Loop() {
		answers := c.send(&wire.List{Dir: 1, Ahead: 1 << 20})
		for end := false; !end; {
			end = mustBe[wire.Listing](c, <-answers).End
		}
	}
}

// askAll sends requests, and waits for their answers, of which none may be an error.
func (c *client) askAll(n int, request func(i int) wire.Message) {
	first := c.last
	for i := range n {
		c.send(request(i))
	}
	for i := range n {
		id := first + uint64(i) + 1
		if e, ok := (<-c.queue(id)).(*wire.Error); ok {
			c.t.Fatal(e)
		}
		c.mu.Lock()
		delete(c.answers, id)
		c.mu.Unlock()
	}
}
