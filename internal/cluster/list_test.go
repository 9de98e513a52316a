package cluster

import (
	"fmt"
	"slices"
	"testing"

	"psync/internal/engine/peers"
	"psync/internal/journal"
	"psync/internal/queue"
	"psync/internal/vfs"
)

func TestListOfDirectories(t *testing.T) {
	record := []byte{listRecord}
	for _, l := range []journal.Location{{}, {Path: "a/b", Extraneous: 3}, {Root: 1, Path: "c"}, {Root: 2, Path: "no such root"}, {Path: "../up"}, {Path: "/abs"}, {Path: "."}} {
		record = appendDir(record, l)
	}
	for _, tt := range []struct {
		name string
		data []byte
		want string
	}{
		{"what may be", record, "[{{0 } 0} {{0 a/b} 3} {{1 c} 0} {{0 .} 0}] true"},
		{"the end", []byte{listRecord}, "[] true"},
		{"nothing", nil, "[] false"},
		{"a part", appendPart(queue.Part{N: 1, Of: 2}), "[] false"},
		{"half a directory", append([]byte{listRecord}, 0, 9, 'a'), "[] true"},
		{"half a number", append([]byte{listRecord}, 0x80), "[] true"},
		{"a number without end", append([]byte{listRecord}, slices.Repeat([]byte{0xff}, 20)...), "[] true"},
	} {
		keys, ok := parseList(tt.data, 2)
		if got := fmt.Sprint(keys, ok); got != tt.want {
			t.Errorf("%s: %s, want %s", tt.name, got, tt.want)
		}
	}
}

func FuzzListOfDirectories(f *testing.F) {
	f.Add(appendDir([]byte{listRecord}, journal.Location{Path: "a/b"}))
	f.Fuzz(func(t *testing.T, data []byte) {
		keys, _ := parseList(data, 1)
		for _, k := range keys {
			if k.Source != 0 || !mayBePut(k.Key) {
				t.Errorf("%+v", k)
			}
		}
	})
}

// TestParts wants each directory, and each entry, in one part, and not all in the same.
func TestParts(t *testing.T) {
	const of, each = 4, 100
	var dirs, entries [of]int
	for i := range of * each {
		k, id := peers.Key{Path: fmt.Sprint(i)}, vfs.ID{Dev: uint64(i), Ino: uint64(i)}
		for n := range of {
			p := queue.Part{N: n, Of: of}
			if hasDir(p, k) {
				dirs[n]++
			}
			if hasEntry(p)(id) {
				entries[n]++
			}
			if hasEntry(p)(id) != hasEntry(p)(vfs.ID{Ino: id.Ino}) {
				t.Errorf("the number of the device matters for %v", id)
			}
		}
	}
	for name, counts := range map[string][of]int{"directories": dirs, "entries": entries} {
		sum := 0
		for _, n := range counts {
			if sum += n; n < each/2 {
				t.Errorf("%s: %v", name, counts)
			}
		}
		if sum != of*each {
			t.Errorf("%s: %v of %d", name, counts, of*each)
		}
	}
	for _, tt := range []struct {
		data []byte
		want string
	}{
		{appendPart(queue.Part{N: 3, Of: 8}), "{3 8 0} true"},
		{[]byte{partRecord, 3}, "{0 0 0} false"},
		{[]byte{listRecord, 3, 8}, "{0 0 0} false"},
		{nil, "{0 0 0} false"},
	} {
		p, ok := parsePart(tt.data)
		if got := fmt.Sprint(p, ok); got != tt.want {
			t.Errorf("%q: %s, want %s", tt.data, got, tt.want)
		}
	}
}
