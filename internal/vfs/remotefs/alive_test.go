package remotefs

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"testing"
	"testing/synctest"
	"time"

	"psync/internal/vfs"
	"psync/internal/wire"
)

// A thinEnd is the end of a channel where only a few bytes arrive per second.
type thinEnd struct {
	slowEnd
	perSecond int
}

func (e thinEnd) Read(p []byte) (int, error) {
	n, err := e.slowEnd.Read(p[:min(len(p), e.perSecond)])
	time.Sleep(time.Second * time.Duration(n) / time.Duration(e.perSecond))
	return n, err
}

// TestThinLine reads a file over a line on which each answer takes longer than the server waits for a client.
func TestThinLine(t *testing.T) {
	const size = 1 << 20
	dir := realDir(t)
	must(t, os.WriteFile(filepath.Join(dir, "f"), bytes.Repeat([]byte{1}, size), 0o600))
	synctest.Test(t, func(t *testing.T) {
		near, far := slowPipe()
		h := serveOn(t, thinEnd{near, 1000}, far, Options{Number: 1, Host: "box", Compress: wire.CompressNever})
		d, err := h.Open(dir, vfs.OpenOptions{})
		must(t, err)
		f, err := d.OpenFile("f", vfs.ReadOnly, 0)
		must(t, err)
		if n, err := f.ReadAt(make([]byte, size), 0); n != size || err != nil {
			t.Errorf("%d bytes, %v", n, err)
		}
		must(t, errors.Join(f.Close(), d.Close(), h.Close()))
		time.Sleep(time.Minute) // until what was on the line has arrived
	})
}
