package sys

import (
	"bytes"
	"slices"
	"testing"

	"golang.org/x/sys/unix"
)

// TestListingIsParsedInPlace compares the parser with that of x/sys.
func TestListingIsParsedInPlace(t *testing.T) {
	fd, err := Openat(unix.AT_FDCWD, "/proc/self", unix.O_RDONLY|unix.O_DIRECTORY, 0)
	if err != nil {
		t.Skip(err)
	}
	defer unix.Close(fd)
	buf := make([]byte, 64<<10)
	n, err := Getdents(fd, buf)
	if err != nil {
		t.Fatal(err)
	}
	_, wantCount, wantNames := unix.ParseDirent(buf[:n], -1, nil)
	var names []string
	for rest := buf[:n]; ; {
		d, next, ok := NextDirent(rest)
		if !ok {
			break
		}
		rest = next
		if name := string(d.Name); name != "." && name != ".." {
			names = append(names, name)
		}
	}
	if len(names) != wantCount || !slices.Equal(names, wantNames) {
		t.Errorf("%d names %q, x/sys finds %d: %q", len(names), names, wantCount, wantNames)
	}
}

func FuzzNextDirent(f *testing.F) {
	f.Add([]byte{})
	f.Add(bytes.Repeat([]byte{24, 0}, 40))
	f.Fuzz(func(_ *testing.T, buf []byte) {
		for {
			d, rest, ok := NextDirent(buf)
			if !ok {
				return
			}
			if len(rest) >= len(buf) {
				panic("no progress")
			}
			_ = len(d.Name)
			buf = rest
		}
	})
}
