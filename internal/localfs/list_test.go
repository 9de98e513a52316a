package localfs

import (
	"errors"
	"fmt"
	"os"
	"strings"
	"testing"

	"golang.org/x/sys/unix"

	"psync/internal/sys"
	"psync/internal/vfs"
	"psync/internal/vfs/fstest"
)

// entriesOf returns the entries of a listing, one after the other, and then an error or the end.
func entriesOf(entries []sys.Dirent, err error) func() (sys.Dirent, bool, error) {
	return func() (sys.Dirent, bool, error) {
		if len(entries) == 0 {
			return sys.Dirent{}, false, err
		}
		e := entries[0]
		entries = entries[1:]
		return e, true, nil
	}
}

// listed returns the names and types of a listing.
func listed(d *dir, next func() (sys.Dirent, bool, error)) (string, error) {
	var b strings.Builder
	err := d.list(next, func(entries []vfs.Entry) error {
		for _, e := range entries {
			fmt.Fprintf(&b, "%s %v\n", e.Name, e.Type)
		}
		return nil
	})
	return b.String(), err
}

// TestUnknownTypesAreLookedUpInTheirDirectory has entries of the same names but of other types in the working
// directory.
func TestUnknownTypesAreLookedUpInTheirDirectory(t *testing.T) {
	d := openTemp(t)
	fstest.Fill(t, d, "file 644\nlink -> file\nsub/ 755\n")
	t.Chdir(t.TempDir())
	for _, name := range []string{"file", "link", "sub", "hidden"} {
		mustDo(t, os.Symlink("elsewhere", name))
	}
	unknown := func(name string) sys.Dirent { return sys.Dirent{Name: []byte(name), Type: unix.DT_UNKNOWN} }
	got, err := listed(d.(*dir), entriesOf([]sys.Dirent{
		{Name: []byte("."), Type: unix.DT_DIR},
		unknown(".."),
		unknown("file"), unknown("link"), unknown("sub"), unknown("hidden"),
		{Name: []byte("fifo"), Type: unix.DT_FIFO},
	}, nil))
	want := "file ----------\nlink L---------\nsub d---------\nhidden ----------\nfifo p---------\n"
	if err != nil || got != want {
		t.Errorf("got %v:\n%swant:\n%s", err, got, want)
	}
}

func TestListingsEndByTheirError(t *testing.T) {
	d := openTemp(t)
	_, err := listed(d.(*dir), entriesOf([]sys.Dirent{{Name: []byte("f")}}, unix.EPERM))
	if !errors.Is(err, unix.EPERM) {
		t.Errorf("got %v, want EPERM", err)
	}
}

func TestListingsComeInChunks(t *testing.T) {
	d := openTemp(t)
	var all []sys.Dirent
	for i := range 2*listChunk + 1 {
		all = append(all, sys.Dirent{Name: fmt.Append(nil, i)})
	}
	var chunks []int
	err := d.(*dir).list(entriesOf(all, nil), func(entries []vfs.Entry) error {
		chunks = append(chunks, len(entries))
		return nil
	})
	if want := []int{listChunk, listChunk, 1}; err != nil || fmt.Sprint(chunks) != fmt.Sprint(want) {
		t.Errorf("%v, %v; want %v", chunks, err, want)
	}
}
