package remotefs

import (
	"io/fs"
	"sync/atomic"
	"testing"
	"testing/synctest"

	"psync/internal/vfs"
	"psync/internal/wire"
)

// TestWriteAfterTruncate checks that no write overtakes a truncation that would cut it off.
func TestWriteAfterTruncate(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var writes atomic.Int64
		h := newScripted(t, func(m wire.Message) []wire.Message {
			switch m.(type) {
			case *wire.Create:
				return []wire.Message{&wire.AttrAnswer{}}
			case *wire.Write:
				writes.Add(1)
				return []wire.Message{&wire.Done{}}
			}
			return nil // Resize is not answered
		})
		f, err := openDir(t, h, "/").OpenFile("f", vfs.CreateAsync, 0o600)
		must(t, err)
		must(t, f.Truncate(2*small))
		go func() {
			_, _ = f.WriteAt(make([]byte, small), 0)
			_, _ = f.WriteAt([]byte{1}, 10)
			_, _ = f.WriteAt(make([]byte, 1), 2*small)
		}()
		synctest.Wait()
		if n := writes.Load(); n != 2 {
			t.Errorf("%d writes before the truncation was answered", n)
		}
		must(t, h.Close())
		synctest.Wait()
	})
}

// TestNamesWaitUntilTheyAreMade checks that no request with the name of a directory overtakes the one that makes it.
func TestNamesWaitUntilTheyAreMade(t *testing.T) {
	for name, use := range map[string]func(d vfs.Dir) error{
		"chmod":  func(d vfs.Dir) error { return vfs.Chmod(vfs.In(d, "new"), 0o700) },
		"stat":   func(d vfs.Dir) error { _, err := d.Statx("new", vfs.StatxFollow); return err },
		"lstat":  func(d vfs.Dir) error { _, err := vfs.Lstat(d, "new"); return err },
		"rename": func(d vfs.Dir) error { return d.Rename("new", nil, "old", nil) },
		"rmdir":  func(d vfs.Dir) error { return d.Rmdir("new") },
		"open":   func(d vfs.Dir) error { _, err := d.OpenDir("new", vfs.NoFollow); return err },
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				var early atomic.Int64
				h := newScripted(t, func(m wire.Message) []wire.Message {
					switch m := m.(type) {
					case *wire.Hello, *wire.OpenPath, *wire.Mkdir, *wire.Close:
						return nil // Mkdir is not answered
					case *wire.OpenDir:
						if m.Name != "new" {
							return nil
						}
					case *wire.Symlink:
						return []wire.Message{&wire.Done{}}
					}
					early.Add(1)
					return nil
				})
				d := openDir(t, h, "/")
				must(t, d.Make("new", vfs.Spec{Mode: fs.ModeDir | 0o755, Async: true}))
				below, err := d.OpenDir("new", vfs.NoFollow) // the next one has to ask for it
				must(t, err)
				go func() { _ = use(d) }()
				synctest.Wait()
				must(t, vfs.Symlink(d, "target", "another")) // others do not wait
				if n := early.Load(); n != 0 {
					t.Errorf("%d requests before the directory is made", n)
				}
				must(t, h.Close())
				synctest.Wait()
				_ = below.Close() // the session has ended
			})
		})
	}
}

// TestRangesDoNotWaitForOthers has a pending write, for which only requests that copy or read what it writes wait.
func TestRangesDoNotWaitForOthers(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var copies, sums atomic.Int64
		h := newScripted(t, func(m wire.Message) []wire.Message {
			switch m.(type) {
			case *wire.Create:
				return []wire.Message{&wire.AttrAnswer{Attr: vfs.Attr{Ino: 1}}}
			case *wire.Copy:
				copies.Add(1)
				return []wire.Message{&wire.Number{N: small}}
			case *wire.Sums:
				sums.Add(1)
				return []wire.Message{&wire.Data{Data: make([]byte, 32)}}
			}
			return nil // Write is not answered
		})
		d := openDir(t, h, "/")
		f, err := d.OpenFile("f", vfs.CreateAsync, 0o600)
		must(t, err)
		from, err := d.OpenFile("from", vfs.CreateAsync, 0o600)
		must(t, err)
		_, err = f.WriteAt(make([]byte, small), small)
		must(t, err)
		for _, off := range []int64{0, 2 * small} {
			_, err := f.CopyRange(from, off, small)
			must(t, err)
			_, err = f.Sums(off, small, small, nil)
			must(t, err)
		}
		go func() { _, _ = f.CopyRange(from, 0, small+1) }()
		go func() { _, _ = f.Sums(2*small-1, 2, 2, nil) }()
		synctest.Wait()
		if c, s := copies.Load(), sums.Load(); c != 2 || s != 2 {
			t.Errorf("%d copies and %d sums while a write is under way, want 2 each", c, s)
		}
		must(t, h.Close())
		synctest.Wait()
	})
}

// TestOpenBeforeRename checks that a directory that is being opened by its name is open before the name changes.
func TestOpenBeforeRename(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var renames atomic.Int64
		h := newScripted(t, func(m wire.Message) []wire.Message {
			switch m.(type) {
			case *wire.List:
				return []wire.Message{&wire.Listing{First: true, Last: true, End: true, Entries: []wire.Entry{listed("sub", dirInfo.Attr.Mode)}}}
			case *wire.OpenDir:
				return []wire.Message{} // is not answered
			case *wire.Rename:
				renames.Add(1)
			}
			return nil
		})
		d := openDir(t, h, "/")
		list(t, d)
		s, err := d.OpenDir("sub", vfs.NoFollow)
		must(t, err)
		go func() { _, _ = s.Statx("x", vfs.StatxFollow) }()
		synctest.Wait()
		go func() { _ = d.Rename("sub", nil, "other", nil) }()
		synctest.Wait()
		if renames.Load() != 0 {
			t.Error("renamed before it is open")
		}
		must(t, h.Close())
		synctest.Wait()
	})
}
