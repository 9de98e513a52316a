package agent

import (
	"fmt"
	"io/fs"
	"strings"
	"syscall"
	"testing"

	"psync/internal/vfs"
	"psync/internal/wire"
)

func TestRequestsFailWithTheirHandles(t *testing.T) {
	c := connect(t, Options{})
	early := c.send(&wire.Lstat{Target: target(2, ".")})
	c.open(1, t.TempDir())
	c.wantError("OpenDir", c.ask(&wire.OpenDir{New: 2, Dir: 1, Name: "missing"}), fs.ErrNotExist)
	c.wantError("before", <-early, fs.ErrNotExist)
	c.wantError("after", c.ask(&wire.Lstat{Target: target(2, ".")}), fs.ErrNotExist)
	c.wantError("a directory in it", c.ask(&wire.OpenDir{New: 3, Dir: 2, Name: "x"}), fs.ErrNotExist)
	c.wantError("none", c.ask(&wire.Lstat{Target: target(0, ".")}), syscall.EBADF)
	c.wantError("a listing of none", c.ask(&wire.List{Dir: 0}), syscall.EBADF)
	c.wantError("a directory as a file", c.ask(&wire.Sync{Handle: 1}), syscall.EBADF)
	c.send(&wire.Close{Handle: 2})
	must[wire.Opened](c, &wire.OpenDir{New: 2, Dir: 1, How: vfs.Parent})
}

// TestWhatIsOpenedHasAHandle has a client open what no request could close.
func TestWhatIsOpenedHasAHandle(t *testing.T) {
	dir := t.TempDir()
	c := connect(t, Options{})
	c.open(1, dir)
	for _, m := range []wire.Message{
		&wire.OpenPath{Path: dir},
		&wire.OpenDir{Dir: 1, How: vfs.Parent},
		&wire.Create{Dir: 1, Name: "f", Perm: 0o600, Mode: vfs.Create},
		&wire.Get{Dir: 1, Name: "f"},
	} {
		c.wantError(fmt.Sprintf("%T without a handle", m), c.ask(m), syscall.EBADF)
	}
	wantFiles(t, dir)
}

func TestCloseWaitsForEarlierRequests(t *testing.T) {
	dir := t.TempDir()
	c := connect(t, Options{})
	early := c.send(&wire.Lstat{Target: target(1, ".")})
	c.send(&wire.Close{Handle: 1})
	c.wantError("after", c.ask(&wire.Lstat{Target: target(1, ".")}), syscall.EBADF)
	c.open(1, dir)
	mustBe[wire.AttrAnswer](c, <-early)
	c.open(1, dir) // the number is free again
}

// TestProtocolErrors sends what no client sends, and wants the server to end.
func TestProtocolErrors(t *testing.T) {
	for _, tt := range []struct {
		what, want string
		send       []wire.Message
	}{
		{"an answer", "no request", []wire.Message{&wire.Done{}}},
		{"a second Hello", "second Hello", []wire.Message{&wire.Hello{Major: wire.Major}}},
		{"a handle in use", "in use", []wire.Message{&wire.OpenPath{New: 1, Path: "/"}, &wire.OpenPath{New: 1, Path: "/"}}},
		{"a handle that is waited for", "in use", []wire.Message{&wire.OpenDir{New: 1, Dir: 2, Name: "x"}, &wire.OpenPath{New: 1, Path: "/"}}},
	} {
		t.Run(tt.what, func(t *testing.T) {
			c := connect(t, Options{})
			for _, m := range tt.send {
				if _, err := c.try(m); err != nil {
					t.Error(err)
				}
			}
			if err := <-c.served; err == nil || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("Serve returned %v, want an error with %q", err, tt.want)
			}
		})
	}
	t.Run("no Hello", func(t *testing.T) {
		c := connectRaw(t, Options{})
		c.send(&wire.Ping{})
		if err := <-c.served; err == nil {
			t.Error("Serve returned nil")
		}
	})
	t.Run("another version", func(t *testing.T) {
		c := connectRaw(t, Options{Version: "9"})
		if h := must[wire.Hello](c, &wire.Hello{Major: wire.Major + 1}); h.Major != wire.Major || h.Name != "9" {
			t.Errorf("the answer is %+v", h)
		}
		want := fmt.Sprintf("version %d of the protocol, this psync %d", wire.Major+1, wire.Major)
		if err := <-c.served; err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("Serve returned %v, want an error with %q", err, want)
		}
	})
}
