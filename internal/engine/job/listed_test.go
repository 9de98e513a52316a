package job

import (
	"io/fs"
	"testing"

	"psync/internal/vfs"
)

func TestChangedLinks(t *testing.T) {
	entry := func(ino, nlink uint64, mode fs.FileMode) vfs.Attr {
		return vfs.Attr{Dev: 1, Ino: ino, Nlink: nlink, Mode: mode}
	}
	var s Listings
	s.ChangesInPlace(entry(1, 2, 0))
	s.ChangesInPlace(entry(2, 1, 0))
	s.ChangesInPlace(entry(3, 2, fs.ModeDir))
	check := func(a vfs.Attr, want bool) {
		t.Helper()
		if got := s.isChanged(a); got != want {
			t.Errorf("inode %d with %d names: changed %v, want %v", a.Ino, a.Nlink, got, want)
		}
	}
	check(entry(1, 2, 0), true)
	check(entry(1, 1, 0), false) // its other names have gone
	check(entry(2, 2, 0), false) // it had one name when it was changed
	check(entry(3, 2, fs.ModeDir), false)
	check(entry(4, 2, 0), false)
	for ino := range uint64(maxChangedLinks) {
		s.ChangesInPlace(entry(10+ino, 2, 0))
	}
	check(entry(4, 2, 0), true) // there are too many to know
}

func TestListedForgetsFacts(t *testing.T) {
	var s Listings
	l := s.New()
	l.Add(vfs.Entry{Name: "f", Facts: &vfs.Facts{Attr: vfs.Attr{Size: 7}}})
	l.Add(vfs.Entry{Name: "unknown"})
	if f := l.find("f"); f == nil || f.Attr.Size != 7 || s.kept.Load() != int64(f.Size()) {
		t.Errorf("f: %+v; %d bytes are kept", f, s.kept.Load())
	}
	l.Shared = true
	l.Forget()
	if l.find("f") == nil {
		t.Error("facts that are used until the end are forgotten")
	}
	l.Shared = false
	l.Sort()
	l.Forget()
	if f := l.find("f"); f != nil || !l.Has("f") || !l.Has("unknown") || s.kept.Load() != 0 {
		t.Errorf("f: %+v; %d bytes are kept", f, s.kept.Load())
	}
}
