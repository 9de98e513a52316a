package remotefs

import (
	"errors"
	"syscall"
	"testing"

	"psync/internal/vfs"
	"psync/internal/wire"
)

// TestReopenedFileIsTheSame reads a small file, and asks for it again when its name is that of another one.
func TestReopenedFileIsTheSame(t *testing.T) {
	var ino uint64
	h := newScripted(t, func(m wire.Message) []wire.Message {
		switch m := m.(type) {
		case *wire.Get:
			ino++
			a := vfs.Attr{Mode: 0o644, Size: 1, Dev: 1, Ino: ino}
			return []wire.Message{&wire.Got{Attr: a, After: a, Whole: m.Max > 0, Data: []byte("x")}}
		case *wire.Close:

			return []wire.Message{}
		case *wire.Lstat:
			return []wire.Message{&wire.AttrAnswer{}}
		case *wire.Ping:
			return []wire.Message{&wire.Done{}}
		}
		return nil
	})
	d := openDir(t, h, "/")
	f, err := d.OpenFile("f", vfs.ReadOnly, 0)
	must(t, err)
	if _, err := f.Statx(vfs.StatxChange); err != nil {
		t.Error(err)
	}
	if _, err := f.Statx(vfs.StatxChange); !errors.Is(err, syscall.ESTALE) {
		t.Errorf("another file: %v", err)
	}
	must(t, f.Close())
}
