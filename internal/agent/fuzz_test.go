package agent

import (
	"encoding/base64"
	"encoding/binary"
	"fmt"
	"io"
	"io/fs"
	"net"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"psync/internal/vfs"
	"psync/internal/wire"
)

// describe returns the tree at a path as text: types, modes, sizes, targets and contents.
func describe(t *testing.T, top, without string) string {
	t.Helper()
	var b strings.Builder
	err := filepath.WalkDir(top, func(path string, e fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if path == without {
			return fs.SkipDir
		}
		info, err := e.Info()
		if err != nil {
			return err
		}
		fmt.Fprintf(&b, "%s %v %v", path, info.Mode(), info.ModTime())
		switch info.Mode().Type() {
		case fs.ModeSymlink:
			target, _ := os.Readlink(path)
			fmt.Fprintf(&b, " %s", target)
		case 0:
			text, err := os.ReadFile(path)
			if err != nil {
				return err
			}
			fmt.Fprintf(&b, " %q", text)
		}
		b.WriteByte('\n')
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// frames returns messages as the bytes of a client that sends them one after the other.
func frames(t testing.TB, messages ...wire.Message) []byte {
	t.Helper()
	var b []byte
	for i, m := range messages {
		var err error
		if b, err = wire.Append(b, wire.Frame{ID: uint64(i + 2), Message: m}); err != nil {
			t.Fatal(err)
		}
	}
	return b
}

// FuzzServe has a client send any frames to a server that is confined to a directory, and ends the connection. Nothing
// outside the directory changes.
func FuzzServe(f *testing.F) {
	open := &wire.OpenPath{New: 1, Path: "/"}
	trusted := &wire.OpenPath{New: 1, Path: "/d/x/y", Options: vfs.OpenOptions{Trusted: true, MkdirAll: true, Perm: 0o777}}
	chmod := []vfs.Change{{Kind: vfs.ModeChange, Mode: 0o777}}
	f.Add(frames(f, open, &wire.List{Dir: 1, Ahead: 1 << 16}, &wire.Close{Handle: 1}))
	f.Add(frames(f, open, &wire.OpenDir{New: 2, Dir: 1, Name: "out", How: vfs.Follow}, &wire.Mkdir{New: 3, Dir: 2, Name: "x", Perm: 0o777}))
	f.Add(frames(f, open, &wire.OpenDir{New: 2, Dir: 1, How: vfs.Parent}, &wire.Remove{Target: target(2, "root"), IsDir: true}))
	f.Add(frames(f, open, &wire.Put{Dir: 1, Name: "file", Perm: 0o600, Size: 1, Parts: contents("x"), Changes: chmod}))
	f.Add(frames(f, open, &wire.Create{New: 4, Dir: 1, Name: "file", Mode: vfs.OpenCreate}, &wire.Write{File: 4, Data: []byte("x")}, &wire.Finish{File: 4, Writes: 1}))
	f.Add(frames(f, open, &wire.Set{Target: target(1, "out"), Changes: chmod}, &wire.Set{Target: target(1, "file"), Changes: chmod}))
	f.Add(frames(f, open, &wire.Get{New: 5, Dir: 1, Name: "file", How: vfs.Follow, Max: 100}, &wire.Write{File: 5, Data: []byte("x")}))
	f.Add(frames(f, open, &wire.Rename{Old: target(1, "out"), Target: target(1, "in")}, &wire.Link{Old: target(1, "file"), Target: target(1, "hard")}))
	f.Add(frames(f, trusted, &wire.Symlink{Target: target(1, "up"), To: "/"}, &wire.OpenPath{New: 2, Path: "d/x/y/up"}))
	f.Fuzz(func(t *testing.T, sent []byte) {
		if asksForMuch(sent) {
			t.Skip()
		}
		root := fixture(t)
		top := filepath.Dir(root)
		before := describe(t, top, root)
		theirs, ours := net.Pipe()
		served := make(chan struct{})
		first := frames(t, &wire.Hello{Major: wire.Major, Name: "test"})
		go func() {
			defer close(served)
			_ = Serve(t.Context(), theirs, Options{Root: root, First: first}) // whatever the frames were
		}()
		heard := make(chan struct{})
		go func() {
			defer close(heard)
			_, _ = io.Copy(io.Discard, ours) // whatever it answers
		}()
		_, _ = ours.Write(sent) // the server may end before
		_ = ours.Close()
		<-served
		<-heard
		if after := describe(t, top, root); after != before {
			t.Errorf("%s: outside is\n%s\nand was\n%s", base64.StdEncoding.EncodeToString(sent), after, before)
		}
	})
}

// asksForMuch reports whether a request is about offsets that a test has no time for, or changes this process.
func asksForMuch(sent []byte) bool {
	for len(sent) >= wire.LengthSize {
		n := binary.BigEndian.Uint32(sent)
		sent = sent[wire.LengthSize:]
		if uint64(n) > uint64(len(sent)) {
			return false
		}
		f, err := wire.Decode(sent[:n])
		if err != nil {
			return false
		}
		sent = sent[n:]
		const most = 1 << 20
		switch m := f.Message.(type) {
		case *wire.Resize, *wire.ClearUmask:
			return true
		case *wire.Put:
			if m.Size > most {
				return true
			}
		case *wire.Write:
			if m.Off > most {
				return true
			}
		}
	}
	return false
}
