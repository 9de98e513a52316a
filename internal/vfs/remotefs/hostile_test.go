package remotefs

import (
	"errors"
	"fmt"
	"io/fs"
	"strings"
	"testing"

	"psync/internal/vfs"
	"psync/internal/wire"
)

// listed is an entry of a listing.
func listed(name string, mode fs.FileMode) wire.Entry {
	return wire.Entry{Name: name, Attr: vfs.Attr{Mode: mode, Dev: 1, Ino: 2}}
}

// endlessListings returns listings without an end.
func endlessListings(part func(seq uint32) *wire.Listing) []wire.Message {
	return []wire.Message{many{next: func(i int) wire.Message { return part(uint32(i)) }}}
}

// long returns entries of 200 KiB.
func long() []wire.Entry {
	var entries []wire.Entry
	for range 20 {
		e := listed(strings.Repeat("x", 1000), 0o644)
		e.Extra = &wire.Extra{Xattrs: []wire.Xattr{{Name: "user.a", Value: make([]byte, 10_000)}}}
		entries = append(entries, e)
	}
	return entries
}

// numbered returns entries of 100 KiB whose names no other seq gives.
func numbered(seq uint32) []wire.Entry {
	var entries []wire.Entry
	for i := range 100 {
		entries = append(entries, listed(fmt.Sprintf("%d-%d-%s", seq, i, strings.Repeat("x", 1000)), 0o644))
	}
	return entries
}

// TestWrongListings ends the session for listings that no server would send.
func TestWrongListings(t *testing.T) {
	for name, listing := range map[string][]wire.Message{
		"without an end of the directory": {&wire.Listing{First: true, End: true}},
		"without a beginning":             {&wire.Listing{Last: true, End: true}},
		"a part twice":                    {&wire.Listing{First: true}, &wire.Listing{First: true}},
		"a name twice": {&wire.Listing{
			First: true, Last: true, End: true, Entries: []wire.Entry{listed("a", 0o644), listed("a", 0o644)},
		}},
		"another answer": {&wire.Done{}},
		"more of the directory than was asked for": endlessListings(func(seq uint32) *wire.Listing {
			return &wire.Listing{First: seq == 0, Entries: numbered(seq), Seq: seq}
		}),
		"more ahead than was asked for": endlessListings(func(seq uint32) *wire.Listing {
			if seq == 0 {
				return &wire.Listing{First: true, Last: true, Entries: []wire.Entry{listed("d", fs.ModeDir|0o755)}}
			}
			return &wire.Listing{Path: "d", First: seq == 1, Entries: long(), Seq: seq}
		}),
		"directories that are not known": endlessListings(func(seq uint32) *wire.Listing {
			return &wire.Listing{Path: "x", First: true, Last: true, Entries: long(), Seq: seq + 1}
		}),
	} {
		t.Run(name, func(t *testing.T) {
			h := newScripted(t, func(m wire.Message) []wire.Message {
				if _, ok := m.(*wire.List); ok {
					return listing
				}
				return nil
			})
			d := openDir(t, h, "/")
			err := d.ReadDir(func([]vfs.Entry) error { return nil })
			if err == nil {
				<-h.Lost() // what comes ahead comes later
				_, err = vfs.Lstat(d, ".")
				if err = errors.Join(err, h.Prepare(vfs.Preparation{})); err == nil {
					_, err = d.Statx("x", vfs.StatxFollow)
				}
			}
			if !errors.As(err, new(*vfs.LostError)) {
				t.Errorf("%v", err)
			}
		})
	}
}

// TestEndlessDirectory reads a directory whose listing never ends, until yield does not want more.
func TestEndlessDirectory(t *testing.T) {
	var lists uint32
	h := newScripted(t, func(m wire.Message) []wire.Message {
		if _, ok := m.(*wire.List); !ok {
			return nil
		}
		lists++
		return []wire.Message{&wire.Listing{First: true, Last: true, More: true, End: true, Entries: numbered(lists)}}
	})
	d := openDir(t, h, "/")
	const many = 100_000
	n := 0
	stop := errors.New("stop")
	err := d.ReadDir(func(entries []vfs.Entry) error {
		if n += len(entries); n >= many {
			return stop
		}
		return nil
	})
	if err != stop {
		t.Errorf("after %d entries: %v", n, err)
	}
	must(t, d.Close())
}
