package fstest

import (
	"errors"
	"testing"
	"time"

	"psync/internal/vfs"
)

func timePromises() []promise {
	return []promise{
		{"Chtimes sets nanoseconds, before 1970 and after 2038 too", chtimesSets},
		{"Chtimes does not follow a link", chtimesLink},
		{"a zero time leaves a time as it is", chtimesZero},
		{"File.Chtimes sets times or is unsupported", fileChtimes},
		{"nobody sets the change time", changeTimeStays},
	}
}

// wantTimes checks the times of an entry.
func wantTimes(t testing.TB, d vfs.Dir, name string, atime, mtime time.Time) {
	t.Helper()
	a := lstat(t, d, name)
	if !a.Atime.Equal(atime) {
		t.Errorf("%q has access time %v, want %v", name, a.Atime.UTC(), atime.UTC())
	}
	if !a.Mtime.Equal(mtime) {
		t.Errorf("%q has modification time %v, want %v", name, a.Mtime.UTC(), mtime.UTC())
	}
}

func chtimesSets(t *testing.T, d vfs.Dir) {
	put(t, d, "file", "")
	must(t, d.Mkdir("dir", 0o755))
	must(t, d.Symlink("nowhere", "link"))
	for _, mtime := range []time.Time{
		time.Unix(1234567890, 123456789),
		time.Unix(0, 0),
		time.Unix(-1, 1),
		time.Date(1960, time.February, 3, 4, 5, 6, 999999999, time.UTC),
		time.Date(2100, time.February, 3, 4, 5, 6, 7, time.UTC),
	} {
		atime := mtime.Add(1001 * time.Millisecond)
		for _, name := range []string{"file", "dir", "link", "."} {
			must(t, d.Chtimes(name, atime, mtime))
			wantTimes(t, d, name, atime, mtime)
		}
	}
}

func chtimesLink(t *testing.T, d vfs.Dir) {
	file, link := time.Unix(1_000_000_000, 1), time.Unix(2_000_000_000, 2)
	put(t, d, "file", "")
	must(t, d.Symlink("file", "link"))
	must(t, d.Chtimes("file", file, file))
	must(t, d.Chtimes("link", link, link))
	wantTimes(t, d, "file", file, file)
	wantTimes(t, d, "link", link, link)
}

func chtimesZero(t *testing.T, d vfs.Dir) {
	var zero time.Time
	one, two, three := time.Unix(1_000_000_000, 1), time.Unix(2_000_000_000, 2), time.Unix(3, 3)
	put(t, d, "file", "")
	must(t, d.Symlink("nowhere", "link"))
	for _, name := range []string{"file", "link", "."} {
		must(t, d.Chtimes(name, one, two))
		must(t, d.Chtimes(name, zero, zero))
		wantTimes(t, d, name, one, two)
		must(t, d.Chtimes(name, three, zero))
		wantTimes(t, d, name, three, two)
		must(t, d.Chtimes(name, zero, one))
		wantTimes(t, d, name, three, one)
	}
}

func fileChtimes(t *testing.T, d vfs.Dir) {
	one, two, three := time.Unix(1_000_000_000, 1), time.Unix(2_000_000_000, 2), time.Unix(3, 3)
	f, err := d.Create("f", 0o644)
	must(t, err)
	_, err = f.WriteAt([]byte("contents"), 0)
	must(t, err)
	err = f.Chtimes(one, two)
	if errors.Is(err, errors.ErrUnsupported) {
		must(t, f.Close())
		t.Skip("a file's times are set by name only")
	}
	must(t, err)
	wantTimes(t, d, "f", one, two)
	must(t, f.Chtimes(three, time.Time{}))
	wantTimes(t, d, "f", three, two)
	must(t, f.Chtimes(time.Time{}, one))
	must(t, f.Close())
	wantTimes(t, d, "f", three, one)
}

func changeTimeStays(t *testing.T, d vfs.Dir) {
	old := time.Unix(1_000_000_000, 0)
	put(t, d, "file", "")
	must(t, d.Symlink("nowhere", "link"))
	for _, name := range []string{"file", "link", "."} {
		before := lstat(t, d, name).Ctime
		must(t, d.Chtimes(name, old, old))
		if after := lstat(t, d, name).Ctime; after < before || after == vfs.StampOf(old) || after == 0 {
			t.Errorf("%q: change time %v, was %v", name, after.Time().UTC(), before.Time().UTC())
		}
	}
}
