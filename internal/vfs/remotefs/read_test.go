package remotefs

import (
	"errors"
	"io/fs"
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
		case *wire.StatFile:
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

// TestClosedParentIsForgotten checks that an open directory does not keep the listing of its closed parent.
func TestClosedParentIsForgotten(t *testing.T) {
	h := newScripted(t, func(m wire.Message) []wire.Message {
		if _, ok := m.(*wire.List); ok {
			return []wire.Message{&wire.Listing{
				First: true, Last: true, End: true, Entries: []wire.Entry{listed("sub", fs.ModeDir|0o755)},
			}}
		}
		return nil
	})
	d := openDir(t, h, "/")
	must(t, d.ReadDir(func([]vfs.Entry) error { return nil }))
	sub, err := d.OpenDir("sub", vfs.NoFollow)
	must(t, err)
	must(t, d.Close())
	sub.(*Dir).touch("name")
	if up := sub.(*Dir).parent; up.branch != nil || len(up.changed) > 0 {
		t.Error("the parent's listing is kept")
	}
	must(t, sub.Close())
}
