package agent

import (
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"syscall"
	"testing"
	"testing/synctest"

	"psync/internal/vfs"
	"psync/internal/wire"
)

func TestRequestsWaitForTheirHandles(t *testing.T) {
	dir := t.TempDir()
	c := connect(t, Options{})
	put := c.send(&wire.Put{Dir: 2, Name: "f", Perm: 0o600, Size: 1, Parts: contents("x")})
	link := c.send(&wire.Link{Old: target(2, "f"), Target: target(1, "g")})
	made := c.send(&wire.Mkdir{New: 2, Dir: 1, Name: "d", Perm: 0o700})
	must[wire.Done](c, &wire.Ping{}) // nothing else is answered before
	if len(put)+len(link)+len(made) > 0 {
		t.Fatal("requests were answered before their handles were open")
	}
	c.open(1, dir)
	mustBe[wire.Opened](c, <-made)
	if got := mustBe[wire.SetAnswer](c, <-put); got.Failure != nil {
		t.Error(got.Failure)
	}
	<-link // either order is right
	wantContents(t, filepath.Join(dir, "d", "f"), "x")
}

// TestFinishWaitsForWrites has Finish overtake what it finishes, as on several channels.
func TestFinishWaitsForWrites(t *testing.T) {
	dir := t.TempDir()
	c := connect(t, Options{})
	c.open(1, dir)
	finish := c.send(&wire.Finish{File: 2, Writes: 3})
	one := c.send(&wire.Write{File: 2, Data: []byte("one,")})
	must[wire.AttrAnswer](c, &wire.Create{New: 2, Dir: 1, Name: "f", Perm: 0o600, Unfinished: true, Mode: vfs.Create})
	mustBe[wire.Done](c, <-one)
	must[wire.Done](c, &wire.Write{File: 2, Off: 4, Data: []byte("two,three")})
	c.wantError("a second Finish", c.ask(&wire.Finish{File: 2}), syscall.EBADF)
	if len(finish) > 0 {
		t.Error("Finish did not wait for the last write")
	}
	must[wire.Done](c, &wire.Resize{File: 2, How: wire.Truncate, N: 7})
	if got := mustBe[wire.SetAnswer](c, <-finish); got.Failure != nil {
		t.Error(got.Failure)
	}
	wantContents(t, filepath.Join(dir, "f"), "one,two")
}

// TestManyHandles wants memory to stay bounded whatever a client asks for, and the server to end.
func TestManyHandles(t *testing.T) {
	for what, message := range map[string]func(i int) wire.Message{
		"waited for": func(i int) wire.Message { return &wire.Lstat{Target: target(wire.Handle(i+2), ".")} },
		"closed":     func(i int) wire.Message { return &wire.Close{Handle: wire.Handle(i + 2)} },
		"of one":     func(int) wire.Message { return &wire.Lstat{Target: target(2, ".")} },
		"opened by each other": func(i int) wire.Message {
			return &wire.OpenDir{New: wire.Handle(i + 2), Dir: wire.Handle(i + 3), Name: "x"}
		},
		"opened by itself": func(i int) wire.Message {
			return &wire.OpenDir{New: wire.Handle(i + 2), Dir: wire.Handle(i + 2), Name: "x"}
		},
		"with contents": func(i int) wire.Message {
			return &wire.Write{File: wire.Handle(i + 2), Data: make([]byte, 1<<20)}
		},
	} {
		t.Run(what, func(t *testing.T) {
			c := connect(t, Options{})
			for i := range 1 << 20 {
				if _, err := c.try(message(i)); err != nil {
					t.Logf("ended after %d", i)
					break
				}
			}
			if err := <-c.served; err == nil {
				t.Error("Serve returned nil")
			}
		})
	}
}

// TestGreedyClient asks for more than the server may hold, and reads no answers.
func TestGreedyClient(t *testing.T) {
	dir := t.TempDir()
	if err := os.Truncate(writeFile(t, "", dir, "f"), 1<<20); err != nil {
		t.Fatal(err)
	}
	for what, request := range map[string]wire.Message{
		"reads":  &wire.Read{File: 2, N: 1 << 20},
		"writes": &wire.Write{File: 3, Data: make([]byte, 1<<20)}, // of what is not open yet
		"lists":  &wire.List{Dir: 1, Ahead: 1 << 20},
	} {
		t.Run(what, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				c := connect(t, Options{})
				c.open(1, dir)
				must[wire.Got](c, &wire.Get{New: 2, Dir: 1, Name: "f"})
				frame, err := wire.Append(nil, wire.Frame{ID: 1000, Message: request})
				if err != nil {
					t.Fatal(err)
				}
				unread := c.queue(1000)
				go func() {
					for err == nil {
						_, err = c.conn.Write(frame)
					}
				}()
				synctest.Wait()
				var m runtime.MemStats
				runtime.GC()
				runtime.GC() // pools keep their buffers over the first one
				runtime.ReadMemStats(&m)
				if m.HeapAlloc > 64<<20 {
					t.Errorf("%d MiB are in use", m.HeapAlloc>>20)
				}
				t.Logf("%d MiB are in use", m.HeapAlloc>>20)
				go func() {
					for range unread {
					}
				}()
			})
		})
	}
}

// TestMoreRequestsThanWork has a thousand files wait for one directory.
func TestMoreRequestsThanWork(t *testing.T) {
	dir := t.TempDir()
	c := connect(t, Options{})
	var answers []<-chan wire.Message
	for i := range 1000 {
		answers = append(answers, c.send(&wire.Put{Dir: 1, Name: fmt.Sprint(i), Perm: 0o600, Size: 1, Parts: contents("x")}))
	}
	c.open(1, dir)
	for _, a := range answers {
		mustBe[wire.SetAnswer](c, <-a)
	}
	if entries, err := os.ReadDir(dir); err != nil || len(entries) != 1000 {
		t.Errorf("%d files were made, %v", len(entries), err)
	}
	if err := c.end(); err != nil {
		t.Error(err)
	}
}
