package remotefs

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"psync/internal/vfs"
	"psync/internal/wire"
)

// TestLargeDirectory reads a directory that comes in parts.
func TestLargeDirectory(t *testing.T) {
	dir := t.TempDir()
	const files = 40_000 // of which one answer lists fewer
	name := func(i int) string { return fmt.Sprint(i, strings.Repeat("x", 200)) }
	for i := range files {
		must(t, os.WriteFile(filepath.Join(dir, name(i)), nil, 0o600))
	}
	must(t, os.Mkdir(filepath.Join(dir, "sub"), 0o700))
	h := newHost(t)
	d := openDir(t, h, dir)
	seen := make(map[string]bool)
	read := func() error {
		clear(seen)
		return d.ReadDir(func(entries []vfs.Entry) error {
			for _, e := range entries {
				if seen[e.Name] {
					t.Errorf("%.10s is listed twice", e.Name)
				}
				seen[e.Name] = true
				if a, known := e.Attr(false); !known || a.Mode.Type() != e.Type {
					t.Errorf("%.10s: %v, %v", e.Name, a.Mode, known)
				}
			}
			return nil
		})
	}
	for range 2 {
		must(t, read())
		if len(seen) != files+1 {
			t.Errorf("%d entries, want %d", len(seen), files+1)
		}
	}
	sub, err := d.OpenDir("sub", vfs.NoFollow)
	must(t, err)
	must(t, sub.ReadDir(func([]vfs.Entry) error { return errors.New("an entry of an empty directory") }))
	must(t, sub.Close())

	stop := errors.New("stop")
	if err := d.ReadDir(func([]vfs.Entry) error { return stop }); err != stop {
		t.Errorf("%v, want that of yield", err)
	}
	must(t, d.Close())
}

// TestListingOnTheWay has the attributes of a directory, whose listing is still to come, be those that came when it was
// opened.
func TestListingOnTheWay(t *testing.T) {
	asked := make(chan *wire.Lstat, 1)
	h := newScripted(t, func(m wire.Message) []wire.Message {
		if l, ok := m.(*wire.Lstat); ok {
			asked <- l
			return []wire.Message{&wire.AttrAnswer{Attr: dirInfo.Attr}}
		}
		return nil
	})
	d := openDir(t, h, "/").(*Dir)
	d.startListing()
	if a, err := vfs.Lstat(d, "."); err != nil || a.Mode != dirInfo.Attr.Mode {
		t.Errorf("%v, %v", a.Mode, err)
	}
	if len(asked) > 0 {
		t.Error("the server was asked again")
	}
}
