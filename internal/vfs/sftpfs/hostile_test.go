package sftpfs

import (
	"errors"
	"io"
	"io/fs"
	"strings"
	"syscall"
	"testing"
	"time"

	"psync/internal/vfs"
)

// newHostileHost starts a session with a server that may do anything.
func newHostileHost(t *testing.T, s hostile) *Host {
	t.Helper()
	return newHost(t, server{"hostile", s.open, 0}, Options{})
}

func TestListedNamesAreChecked(t *testing.T) {
	for _, tt := range []struct {
		name string
		ok   bool
	}{
		{"f", true},
		{strings.Repeat("n", maxName), true},
		{"", false},
		{"/", false},
		{"x/..", false},
		{"x/.", false},
		{"a\x00b", false},
		{strings.Repeat("n", maxName+1), false},
		{"twice", false},
	} {
		h := newHostileHost(t, newHostile(entry(tt.name, 0o100644, 1), entry("twice", 0o100644, 1)))
		d, err := h.Open("/home", vfs.OpenOptions{})
		must(t, err)
		yielded := 0
		err = d.ReadDir(func(entries []vfs.Entry) error { yielded += len(entries); return nil })
		if tt.ok && (err != nil || yielded != 2) || !tt.ok && (err == nil || yielded != 0) {
			t.Errorf("%.10q: %d entries, %v", tt.name, yielded, err)
		}
	}
}

func TestAttributesAreChecked(t *testing.T) {
	h := newHostileHost(t, newHostile(entry("f", 0o100644, 1<<63)))
	d, err := h.Open("/home", vfs.OpenOptions{})
	must(t, err)
	if err := d.ReadDir(func([]vfs.Entry) error { return nil }); !errors.Is(err, syscall.EOVERFLOW) {
		t.Errorf("a size that no file has: %v", err)
	}
	h = newHostileHost(t, newHostile(entry("f", 0o644, 1)))
	d, err = h.Open("/home", vfs.OpenOptions{})
	must(t, err)
	must(t, d.ReadDir(func(entries []vfs.Entry) error {
		if e := entries[0]; e.Type != fs.ModeIrregular || e.Facts.Mode.Type() != e.Type {
			t.Errorf("an entry of an unknown type: %v, %v", e.Type, e.Facts.Mode)
		}
		return nil
	}))
}

// TestContentsHaveTheSizeThatIsThere uses a server that reports another size than it delivers.
func TestContentsHaveTheSizeThatIsThere(t *testing.T) {
	for _, tt := range []struct {
		size uint64
		want string
		err  error
	}{{1 << 40, "data", io.EOF}, {3, "dat", io.EOF}, {4, "data", io.EOF}} {
		s := newHostile()
		reads := 0
		s.answers[7] = func(id uint32, _ []byte) []byte {
			return cat([]byte{105}, u32(id), attributes(0o100644, tt.size))
		}
		s.answers[8] = s.answers[7]
		s.answers[3] = func(id uint32, _ []byte) []byte { return cat([]byte{102}, u32(id), str("file")) }
		s.answers[5] = func(id uint32, body []byte) []byte {
			if reads++; reads > 1 {
				return status(id, 1, "end")
			}
			return cat([]byte{103}, u32(id), str("data"))
		}
		h := newHostileHost(t, s)
		d := &dir{s: h.session, path: "/home"}
		f, err := d.OpenFile("f", vfs.ReadOnly, 0)
		must(t, err)
		_, err = vfs.Stat(f)
		must(t, err)
		p := make([]byte, 1000)
		if n, err := f.ReadAt(p, 0); string(p[:n]) != tt.want || err != tt.err {
			t.Errorf("%d bytes were reported; read %q, %v; want %q, %v", tt.size, p[:n], err, tt.want, tt.err)
		}
	}
}

// TestNothingIsOpenedThroughALink uses a server that reports a link where there was a file.
func TestNothingIsOpenedThroughALink(t *testing.T) {
	s := newHostile(entry("dir", 0o120777, 4))
	h := newHostileHost(t, s)
	d, err := h.Open("/home", vfs.OpenOptions{})
	must(t, err)
	must(t, d.ReadDir(func([]vfs.Entry) error { return nil }))
	sub, err := d.OpenDir("dir", vfs.NoFollow)
	if err == nil || sub != nil {
		t.Errorf("a link was opened as a directory: %v", err)
	}
	for name, err := range map[string]error{
		"Open":      closed(d.OpenFile("dir", vfs.ReadOnly, 0)),
		"ReadWrite": closed(d.OpenFile("dir", vfs.ReadWrite, 0)),
		"Chmod":     vfs.Chmod(vfs.In(d, "dir"), 0o600),
		"Lchown":    vfs.Chown(vfs.In(d, "dir"), 1, 1),
		"Chtimes":   vfs.Chtimes(vfs.In(d, "dir"), time.Unix(1, 0), time.Unix(1, 0)),
	} {
		if err == nil || errors.Is(err, fs.ErrNotExist) {
			t.Errorf("%s of a link: %v", name, err)
		}
	}
}

func closed(f vfs.File, err error) error {
	if err == nil {
		err = f.Close()
	}
	return err
}

func TestLostConnection(t *testing.T) {
	for name, answer := range map[string]func(uint32, []byte) []byte{
		"closed":           func(uint32, []byte) []byte { return nil },
		"no such request":  func(id uint32, _ []byte) []byte { return status(id+1, 0, "") },
		"another answer":   func(id uint32, _ []byte) []byte { return cat([]byte{103}, u32(id), str("data")) },
		"cut off":          func(id uint32, _ []byte) []byte { return cat([]byte{105}, u32(id), []byte{1}) },
		"connection lost":  func(id uint32, _ []byte) []byte { return status(id, 7, "") },
		"too many entries": func(id uint32, _ []byte) []byte { return cat([]byte{104}, u32(id), u32(1<<31), str("x")) },
	} {
		t.Run(name, func(t *testing.T) {
			s := newHostile()
			h := newHostileHost(t, s)
			d, err := h.Open("/home", vfs.OpenOptions{})
			must(t, err)
			s.answers[7] = answer
			if _, err := vfs.Lstat(d, "f"); !isLost(err) {
				t.Errorf("Lstat: %v", err)
			}
			if name == "connection lost" {
				return
			}
			<-h.Lost()
			if err := vfs.Mkdir(d, "d", 0o755); !isLost(err) || !isLost(h.Err()) {
				t.Errorf("later: %v; the session: %v", err, h.Err())
			}
		})
	}
}

func TestNoServer(t *testing.T) {
	for name, answer := range map[string]func(uint32, []byte) []byte{
		"closed":          func(uint32, []byte) []byte { return nil },
		"another version": func(uint32, []byte) []byte { return append([]byte{2}, u32(6)...) },
		"text":            func(uint32, []byte) []byte { return []byte("This service allows sftp connections only.") },
	} {
		s := newHostile()
		s.answers[1] = answer
		if h, err := NewHost(s.open(t), Options{}); err == nil {
			t.Errorf("%s: a session %v", name, h)
		}
	}
	s := newHostile()
	s.answers[16] = func(id uint32, _ []byte) []byte { return names(id, entry("relative", 0, 0)) }
	if _, err := NewHost(s.open(t), Options{}); err == nil {
		t.Error("a working directory that is no path")
	}
}

func isLost(err error) bool {
	_, ok := errors.AsType[*vfs.LostError](err)
	return ok
}
