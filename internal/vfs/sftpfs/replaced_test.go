package sftpfs

import (
	"errors"
	"io"
	"os"
	"path/filepath"
	"testing"

	"psync/internal/vfs"
)

// TestSessionAfterALostConnection expects entries to have the numbers that they have had, renamed ones too.
func TestSessionAfterALostConnection(t *testing.T) {
	s, root := server{"", inProcess, 0}, t.TempDir()
	must(t, os.WriteFile(filepath.Join(root, "f"), nil, 0o600))
	first := newHost(t, s, Options{})
	d := open(t, first, root)
	was, err := vfs.Lstat(d, "f")
	must(t, err)
	must(t, d.Rename("f", nil, "g", nil))
	first.Fail(errors.New("cut off"))
	again := newHost(t, s, Options{Before: first})
	d = open(t, again, root)
	is, err := vfs.Lstat(d, "g")
	must(t, err)
	if is.ID() != was.ID() {
		t.Error("the file has another number")
	}
	if path, _, err := d.(*dir).Place(); path != root || err != nil {
		t.Errorf("the directory is %q, %v", path, err)
	}
}

// TestDirectoriesOfTwoSessions expects an operation on two directories, of which one belongs to a session that is lost, to
// fail for that: once both are opened again, it succeeds.
func TestDirectoriesOfTwoSessions(t *testing.T) {
	s, root := server{"", inProcess, 0}, t.TempDir()
	must(t, os.WriteFile(filepath.Join(root, "f"), nil, 0o600))
	first := newHost(t, s, Options{})
	before := open(t, first, root)
	first.Fail(errors.New("cut off"))
	now := open(t, newHost(t, s, Options{Before: first}), root)
	for _, err := range []error{
		before.Rename("f", now, "g", nil), now.Rename("f", before, "g", nil),
		before.Link(now, "f", "g"), now.Link(before, "f", "g"),
	} {
		if !errors.As(err, new(*vfs.LostError)) {
			t.Errorf("got %v", err)
		}
	}
}

// A cutChannel is cut off once some requests were sent, before the answer to the last.
type cutChannel struct {
	*requestCounter
	request string
	most    int
}

func (c *cutChannel) isCut() bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.n[c.request] >= c.most
}

func (c *cutChannel) Write(p []byte) (int, error) {
	n, err := c.requestCounter.Write(p)
	if c.isCut() {
		_ = c.Close()
	}
	return n, err
}

func (c *cutChannel) Read(p []byte) (int, error) {
	n, err := c.requestCounter.Read(p)
	if c.isCut() {
		return 0, io.ErrUnexpectedEOF
	}
	return n, err
}

// TestReplacementIsCutOff replaces a file on a server without posix-rename, which takes several requests, after some of
// which the connection is lost. The next session finishes that.
func TestReplacementIsCutOff(t *testing.T) {
	all := servers(t)
	if len(all) == 1 {
		t.Skip("package sftp replaces what exists")
	}
	openssh := all[1]
	for _, at := range []struct {
		request string
		n       int
	}{{"rename", 1}, {"rename", 2}, {"rename", 3}, {"remove", 1}} {
		dir := t.TempDir()
		for _, name := range []string{"temp", "f"} {
			must(t, os.WriteFile(filepath.Join(dir, name), []byte(name), 0o600))
		}
		s := server{"", func(t testing.TB) io.ReadWriteCloser {
			return &cutChannel{newRequestCounter(openssh.open(t)), at.request, at.n}
		}, 0}
		first := newHost(t, s, Options{})
		first.ext.posixRename = false
		d := open(t, first, dir)
		if err := d.Rename("temp", nil, "f", nil); !errors.As(err, new(*vfs.LostError)) {
			t.Errorf("%v: got %v", at, err)
		}
		newHost(t, openssh, Options{Before: first})
		entries, err := os.ReadDir(dir)
		must(t, err)
		for _, e := range entries {
			if e.Name() != "f" && e.Name() != "temp" {
				t.Errorf("%v: %s is left", at, e.Name())
			}
		}
		if _, err := os.Stat(filepath.Join(dir, "f")); err != nil {
			t.Errorf("%v: %v", at, err)
		}
	}
}
