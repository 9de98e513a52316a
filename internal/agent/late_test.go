package agent

import (
	"os"
	"path/filepath"
	"syscall"
	"testing"
	"time"

	"psync/internal/localfs"
	"psync/internal/tempname"
	"psync/internal/vfs"
	"psync/internal/vfs/faultfs"
	"psync/internal/wire"
)

func TestUnfinishedFilesAreRemoved(t *testing.T) {
	create := &wire.Create{New: 2, Dir: 1, Name: "f", Perm: 0o600, Unfinished: true, Mode: vfs.Create}
	for _, tt := range []struct {
		what string
		do   func(c *client)
		end  bool
		want []string
	}{
		{"closed", func(c *client) {
			c.ask(create)
			c.send(&wire.Close{Handle: 2})
			c.send(&wire.Close{Handle: 1}) // the directory stays open for that
		}, false, nil},
		{"connection lost", func(c *client) { c.ask(create) }, true, nil},
		{"connection lost, directory closed", func(c *client) {
			c.ask(create)
			c.send(&wire.Close{Handle: 1})
		}, true, nil},
		{"connection lost while Finish waits", func(c *client) {
			c.ask(create)
			c.send(&wire.Finish{File: 2, Writes: 1})
		}, true, nil},
		{"stored", func(c *client) {
			c.ask(create)
			must[wire.SetAnswer](c, &wire.Finish{File: 2})
		}, true, []string{"f"}},
		{"may stay", func(c *client) {
			c.ask(&wire.Create{New: 2, Dir: 1, Name: "f", Perm: 0o600, Mode: vfs.Create})
		}, true, []string{"f"}},
		{"was there", func(c *client) {
			writeFile(c.t, "", c.dir, "f")
			c.ask(&wire.Create{New: 2, Dir: 1, Name: "f", Mode: vfs.OpenCreate, Unfinished: true})
		}, true, []string{"f"}},
	} {
		t.Run(tt.what, func(t *testing.T) {
			c := connect(t, Options{})
			c.dir = t.TempDir()
			c.open(1, c.dir)
			tt.do(c)
			if tt.end {
				if err := c.end(); err != nil {
					t.Error(err)
				}
			} else {
				must[wire.Done](c, &wire.Ping{})
			}
			wantFiles(t, c.dir, tt.want...)
		})
	}
}

// TestFilesOfOthersStay has another process put its file where an unfinished one is.
func TestFilesOfOthersStay(t *testing.T) {
	dir := t.TempDir()
	c := connect(t, Options{})
	c.open(1, dir)
	c.ask(&wire.Create{New: 2, Dir: 1, Name: "f", Perm: 0o600, Unfinished: true, Mode: vfs.Create})
	c.ask(&wire.Create{New: 3, Dir: 1, Name: "moved", Perm: 0o600, Unfinished: true, Mode: vfs.Create})
	other := writeFile(t, "other", dir, "other")
	if err := os.Rename(other, filepath.Join(dir, "f")); err != nil {
		t.Fatal(err)
	}
	if err := os.Rename(filepath.Join(dir, "moved"), filepath.Join(dir, "away")); err != nil {
		t.Fatal(err)
	}
	if err := c.end(); err != nil {
		t.Error(err)
	}
	wantFiles(t, dir, "away", "f")
	wantContents(t, filepath.Join(dir, "f"), "other")

	c = connect(t, Options{})
	c.open(1, dir)
	if got := must[wire.SetAnswer](c, &wire.Put{Dir: 1, Name: "f"}); got.Failure == nil {
		t.Error("Put has made a file that existed")
	}
	wantContents(t, filepath.Join(dir, "f"), "other")
}

// TestFilesThatOthersCompleteStay has another run complete an unfinished file in place, before the server notices that its
// client is gone.
func TestFilesThatOthersCompleteStay(t *testing.T) {
	dir := t.TempDir()
	temp := tempname.Process{}.Namer()()
	c := connect(t, Options{})
	c.open(1, dir)
	for i, name := range []string{"completed", "left", temp} {
		h := wire.Handle(2 + i)
		c.ask(&wire.Create{New: h, Dir: 1, Name: name, Perm: 0o600, Unfinished: true, Mode: vfs.Create})
		must[wire.Done](c, &wire.Write{File: h, Data: []byte("the")})
	}
	for _, name := range []string{"completed", temp} {
		path := filepath.Join(dir, name)
		for last := time.Now(); ; { // until the clock of the file system has reached the one that the server looks at
			if err := os.WriteFile(path, []byte("the whole"), 0o600); err != nil {
				t.Fatal(err)
			}
			a, err := localfs.Host{}.Stat(path, vfs.NoFollow)
			if err != nil {
				t.Fatal(err)
			}
			if a.Ctime.Time().After(last) {
				break
			}
		}
	}
	if err := c.end(); err != nil {
		t.Error(err)
	}
	wantFiles(t, dir, "completed")
	wantContents(t, filepath.Join(dir, "completed"), "the whole")
}

// faulty opens directories of which before is called before each operation.
type faulty struct {
	localfs.Host
	before func(op, name string) error
}

func (h faulty) Open(path string, o vfs.OpenOptions) (vfs.Dir, error) {
	d, err := h.Host.Open(path, o)
	if err != nil {
		return nil, err
	}
	return faultfs.New(d, h.before), nil
}

// TestUselessFilesAreRemoved has an operation fail, and looks at what is left.
func TestUselessFilesAreRemoved(t *testing.T) {
	changes := []vfs.Change{
		{Kind: vfs.OwnerChange, UID: os.Getuid(), GID: os.Getgid()},
		{Kind: vfs.ModeChange, Mode: 0o640},
		{Kind: vfs.TimesChange, Mtime: time.Unix(1_000_000_000, 0)},
	}
	for _, tt := range []struct {
		fault   string
		network bool
		stays   bool
	}{
		{"(op write, err ENOSPC)", false, false},
		{"(op truncate, err ENOSPC)", false, false},
		{"(op fchtimes, err EIO)", false, false},
		{"(op fchown, err EIO)", false, false},
		{"(op fclose, err EDQUOT)", true, false},
		{"(op fsync, err EIO)", false, false},
		{"(op fchown, err EPERM)", false, true}, // the volume does not allow it
		{"(op fchmod, err ENOTSUP)", false, true},
		{"(op fchtimes, err ENOTSUP, nth 1)", false, true}, // it is done by name
		{"(op fchtimes, err EIO)", true, false},
		{"(op open, err EIO)", true, true},
		{"(op punchhole, err EIO)", false, true}, // the client knows that
	} {
		t.Run(tt.fault, func(t *testing.T) {
			dir := t.TempDir()
			var s *server
			c := connect(t, Options{}, func(started *server) { s = started })
			faults, err := faultfs.Parse(tt.fault)
			if err != nil {
				t.Fatal(err)
			}
			s.paths = faulty{before: faults.Before}
			c.open(1, dir)
			s.handles.table[1].object.volume.Network = tt.network
			put := must[wire.SetAnswer](c, &wire.Put{Dir: 1, Name: "put", Perm: 0o600, Size: 3, Parts: contents("x"), Changes: changes, Sync: true})
			must[wire.AttrAnswer](c, &wire.Create{New: 2, Dir: 1, Name: "late", Perm: 0o600, Unfinished: true, Mode: vfs.Create})
			c.send(&wire.Write{File: 2, Data: []byte("x")})
			c.send(&wire.Resize{File: 2, How: wire.PunchHole, N: 1})
			c.send(&wire.Resize{File: 2, How: wire.Truncate, N: 3})
			finish := must[wire.SetAnswer](c, &wire.Finish{File: 2, Writes: 3, Changes: changes, Sync: true})
			if (put.Failure == nil) != tt.stays || (finish.Failure == nil) != tt.stays {
				t.Errorf("Put failed with %+v, Finish with %+v", put.Failure, finish.Failure)
			}
			if !tt.stays {
				wantFiles(t, dir)
				return
			}
			wantFiles(t, dir, "late", "put")
			info, err := os.Stat(filepath.Join(dir, "put"))
			if err != nil || info.Size() != 3 || !info.ModTime().Equal(changes[2].Mtime) {
				t.Errorf("the file has %d bytes, %v; %v", info.Size(), info.ModTime(), err)
			}
		})
	}
}

func TestFinishIsForWrittenFiles(t *testing.T) {
	dir := t.TempDir()
	writeFile(t, "data", dir, "f")
	c := connect(t, Options{})
	c.open(1, dir)
	must[wire.Got](c, &wire.Get{New: 2, Dir: 1, Name: "f"})
	c.wantError("of a file that is read", c.ask(&wire.Finish{File: 2}), syscall.EBADF)
	c.wantError("of a directory", c.ask(&wire.Finish{File: 1}), syscall.EBADF)
	wantFiles(t, dir, "f")
}

func TestPut(t *testing.T) {
	dir := t.TempDir()
	c := connect(t, Options{})
	c.open(1, dir)
	mtime := time.Unix(1_000_000_000, 5)
	got := must[wire.SetAnswer](c, &wire.Put{
		Dir: 1, Name: "f", Perm: 0o600, Size: 10,
		Parts: []wire.Part{{Off: 2, Data: []byte("ab")}, {Off: 6, Data: []byte("c")}},
		Changes: []vfs.Change{
			{Kind: vfs.OwnerChange, UID: os.Getuid(), GID: -1},
			{Kind: vfs.ModeChange, Mode: 0o640},
			{Kind: vfs.TimesChange, Mtime: mtime},
		},
		Sync: true,
	})
	if got.Failure != nil || len(got.Errors) != 0 {
		t.Errorf("the answer is %+v", got)
	}
	wantContents(t, filepath.Join(dir, "f"), "\x00\x00ab\x00\x00c\x00\x00\x00")
	info, err := os.Stat(filepath.Join(dir, "f"))
	if err != nil || info.Mode() != 0o640 || !info.ModTime().Equal(mtime) {
		t.Errorf("the file has %v, %v; %v", info.Mode(), info.ModTime(), err)
	}
}
