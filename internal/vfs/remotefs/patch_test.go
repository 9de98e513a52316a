package remotefs

import (
	"bytes"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"sync/atomic"
	"testing"
	"time"

	"psync/internal/agent"
	"psync/internal/localfs"
	"psync/internal/vfs"
)

// A countedChannel counts the bytes in both directions.
type countedChannel struct {
	io.ReadWriteCloser
	n atomic.Int64
}

func (c *countedChannel) Read(p []byte) (int, error) {
	n, err := c.ReadWriteCloser.Read(p)
	c.n.Add(int64(n))
	return n, err
}

func (c *countedChannel) Write(p []byte) (int, error) {
	n, err := c.ReadWriteCloser.Write(p)
	c.n.Add(int64(n))
	return n, err
}

// TestLargeFileThatChangedInPart counts the bytes that cross for a file of 20 MiB of which two bytes have changed.
func TestLargeFileThatChangedInPart(t *testing.T) {
	data := make([]byte, 20<<20)
	r := rand.NewChaCha8([32]byte{})
	_, err := r.Read(data)
	must(t, err)
	changed := bytes.Clone(data)
	changed[5<<20]++
	changed[len(changed)-1]++
	for _, push := range []bool{true, false} {
		channel := &countedChannel{ReadWriteCloser: serve(t, agent.Options{Socket: true})}
		h, err := Dial(t.Context(), dialed(channel), Options{Number: 1, Host: "box"})
		must(t, err)
		t.Cleanup(func() { _ = h.Close() })
		from, to := realDir(t), realDir(t)
		must(t, os.WriteFile(filepath.Join(from, "f"), changed, 0o644))
		must(t, os.WriteFile(filepath.Join(to, "f"), data, 0o644))
		old := time.Now().Add(-time.Hour)
		must(t, os.Chtimes(filepath.Join(from, "f"), old, old))
		hosts := [2]vfs.Host{h, localfs.Host{}}
		if push {
			hosts[0], hosts[1] = hosts[1], hosts[0]
		}
		before := channel.n.Load()
		if copied := syncTrees(t, openDir(t, hosts[0], from), openDir(t, hosts[1], to), h.Info().User); !slices.Contains(copied, "f") {
			t.Errorf("push %v: copied are %q", push, copied)
		}
		if n := channel.n.Load() - before; n > 4<<20 {
			t.Errorf("push %v: %d bytes have crossed", push, n)
		}
		got, err := os.ReadFile(filepath.Join(to, "f"))
		if must(t, err); !bytes.Equal(got, changed) {
			t.Errorf("push %v: the copy is another file", push)
		}
	}
}
