package remotefs

import (
	"sync/atomic"
	"testing"
	"testing/synctest"

	"psync/internal/vfs"
	"psync/internal/wire"
)

// TestLateFilesKeepLittle opens and writes files without any answers: only as many make progress as the window has room
// for.
func TestLateFilesKeepLittle(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var puts atomic.Int64
		h := newScripted(t, func(m wire.Message) []wire.Message {
			if _, ok := m.(*wire.Put); ok {
				puts.Add(1)
			}
			return nil // Put is not answered
		})
		d := openDir(t, h, "/")
		var written atomic.Int64
		for range 1000 {
			go func() {
				f, err := d.OpenFile("f", vfs.CreateAsync, 0o600)
				if err != nil {
					return // the session has ended
				}
				_, _ = f.WriteAt(make([]byte, small), 0)
				written.Add(small)
				_, _ = f.Commit(nil, false)
			}()
		}
		synctest.Wait()
		const window = 8 << 20 // at first
		if n, files := written.Load(), puts.Load(); n != window || files != window/small {
			t.Errorf("%d bytes of %d files are kept, want %d", n, files, window)
		}
		must(t, h.Close())
		synctest.Wait()
	})
}

// TestLateFilesLeaveTheWindow checks that all room is there again when files are complete, discarded, or large.
func TestLateFilesLeaveTheWindow(t *testing.T) { synctest.Test(t, testLateFilesLeaveTheWindow) }

func testLateFilesLeaveTheWindow(t *testing.T) {
	h := newScripted(t, func(m wire.Message) []wire.Message {
		switch m.(type) {
		case *wire.Put, *wire.Finish:
			return []wire.Message{&wire.SetAnswer{}}
		case *wire.Create:
			return []wire.Message{&wire.AttrAnswer{}}
		case *wire.Write, *wire.Close, *wire.Resize:
			return []wire.Message{&wire.Done{}}
		}
		return nil
	})
	d := openDir(t, h, "/")
	for _, writes := range [][]int{nil, {1}, {1000, 1000, 5000}, {small}, {1, small}, {3 * small}} {
		for _, finish := range []bool{false, true} {
			f, err := d.OpenFile("f", vfs.CreateAsync, 0o600)
			must(t, err)
			off := 0
			for _, n := range writes {
				_, err := f.WriteAt(make([]byte, n), int64(off))
				must(t, err)
				off += n
			}
			if finish {
				_, err = f.Commit(nil, false)
			} else {
				err = f.Close()
			}
			must(t, err)
			const all = 1 << 40
			h.s.Window.Reserve(all) // waits until nothing is in flight
			h.s.Window.Use(all, 0)
		}
	}
}
