package remotefs

import (
	"errors"
	"fmt"
	"io/fs"
	"runtime"
	"strings"
	"sync"
	"testing"

	"psync/internal/vfs"
	"psync/internal/wire"
)

func heapInUse() uint64 {
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return m.HeapAlloc
}

// wantLittleMemory checks that at most 64 MiB more than before are in use.
func wantLittleMemory(t testing.TB, before uint64) {
	t.Helper()
	const most = 64 << 20
	if heapInUse() <= before+most {
		return
	}
	runtime.GC()
	runtime.GC() // the first one leaves what pools have
	if n := heapInUse(); n > before+most {
		t.Errorf("%d MiB are in use", (n-before)>>20)
	}
}

// TestHostileServersTakeLittleMemory makes a server send more and more, until it has sent more than it may.
func TestHostileServersTakeLittleMemory(t *testing.T) {
	errorText := &wire.Error{Text: strings.Repeat("x", 4000)}
	for name, tt := range map[string]struct {
		most    int // answers to a request, if not 0
		answers func(m wire.Message, i int) wire.Message
		do      func(d vfs.Dir) error
	}{
		"parts before their turn": {
			100,
			func(_ wire.Message, i int) wire.Message {
				return &wire.Listing{First: i == 0, Seq: uint32(i + 1), Entries: numbered(uint32(i))}
			},
			inMany(readDir),
		},
		"empty parts before their turn": {
			0,
			func(_ wire.Message, i int) wire.Message {
				return &wire.Listing{Path: strings.Repeat("x/", 20_000) + "x", Seq: uint32(i + 1)}
			},
			readDir,
		},
		"parts of many extended attributes before their turn": {
			10,
			func(_ wire.Message, i int) wire.Message {
				e := listed(fmt.Sprint(i), 0o644)
				e.Extra = &wire.Extra{Xattrs: make([]wire.Xattr, 100_000)}
				for i := range e.Extra.Xattrs {
					e.Extra.Xattrs[i].Name = "x"
				}
				return &wire.Listing{Seq: uint32(i + 1), Entries: []wire.Entry{e}}
			},
			inMany(readDir),
		},
		"long errors": {
			0,
			func(_ wire.Message, i int) wire.Message {
				entries := make([]wire.Entry, 100)
				for j := range entries {
					entries[j] = listed(fmt.Sprint(i, j), 0o644)
					entries[j].Extra = &wire.Extra{FlagsError: errorText, XattrError: errorText}
				}
				return &wire.Listing{First: i == 0, Seq: uint32(i), Entries: entries}
			},
			readDir,
		},
		"directories": {
			0,
			func(_ wire.Message, i int) wire.Message {
				entries := make([]wire.Entry, 1000)
				for j := range entries {
					entries[j] = listed(fmt.Sprint(i, "-", j), fs.ModeDir|0o755)
				}
				return &wire.Listing{First: i == 0, Seq: uint32(i), Entries: entries}
			},
			readDir,
		},
		"more of a file than is asked for ahead": {
			0,
			func(m wire.Message, _ int) wire.Message {
				if r := m.(*wire.Read); r.Off == 0 {
					return rightAnswer(r)
				}
				return &wire.Data{Data: make([]byte, wire.MaxData)}
			},
			func(d vfs.Dir) error { return reads(d, readInOrder) },
		},
	} {
		t.Run(name, func(t *testing.T) {
			before := heapInUse()
			h := newScripted(t, func(m wire.Message) []wire.Message {
				switch m.(type) {
				case *wire.List:
					return []wire.Message{many{most: tt.most, next: func(i int) wire.Message {
						if i%50 == 9 {
							wantLittleMemory(t, before)
						}
						return tt.answers(m, i)
					}}}
				case *wire.Read:
					wantLittleMemory(t, before)
					return []wire.Message{tt.answers(m, 0)}
				}
				return []wire.Message{rightAnswer(m)}
			})
			d := openDir(t, h, "/")
			if err := tt.do(d); !errors.As(err, new(*vfs.LostError)) {
				t.Errorf("%v", err)
			}
			wantRefused(t, h)
			wantLittleMemory(t, before)
		})
	}
}

// inMany does something in many directories at once.
func inMany(do func(vfs.Dir) error) func(vfs.Dir) error {
	return func(d vfs.Dir) error {
		const many = 100
		errs := make([]error, many)
		var doing sync.WaitGroup
		for i := range errs {
			doing.Go(func() {
				below, err := d.OpenDir("sub", vfs.Follow)
				if err == nil {
					err = errors.Join(do(below), below.Close())
				}
				errs[i] = err
			})
		}
		doing.Wait()
		return errors.Join(errs...)
	}
}
