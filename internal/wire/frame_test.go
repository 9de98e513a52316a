package wire_test

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"math"
	"reflect"
	"strings"
	"testing"

	"psync/internal/vfs"
	"psync/internal/wire"
)

func TestEveryMessageReturns(t *testing.T) {
	for i, m := range samples() {
		frame, err := wire.Append([]byte("before"), wire.Frame{ID: uint64(i), Message: m})
		if err != nil {
			t.Errorf("%T: %v", m, err)
			continue
		}
		frame = frame[len("before"):]
		if n, err := wire.Length(frame); err != nil || n != len(frame)-wire.LengthSize {
			t.Errorf("%T: length %d of %d bytes, error %v", m, n, len(frame), err)
		}
		got, err := wire.Decode(frame[wire.LengthSize:])
		if err != nil || got.ID != uint64(i) || !reflect.DeepEqual(got.Message, m) {
			t.Errorf("%T: error %v, got\n%+v, want\n%+v", m, err, got.Message, m)
		}
	}
}

// TestSamplesSetEveryField finds kinds, and fields, that samples lacks, so that TestEveryMessageReturns misses
// none that fields forgets.
func TestSamplesSetEveryField(t *testing.T) {
	set := make(map[string]bool)
	all := make(map[string]bool)
	for _, m := range samples() {
		visit(reflect.ValueOf(m).Elem(), set, all)
	}
	for _, m := range wire.EmptyMessages() {
		visit(reflect.ValueOf(m).Elem(), set, all)
		all[fmt.Sprintf("%T", m)] = true
	}
	for _, m := range samples() {
		set[fmt.Sprintf("%T", m)] = true
	}
	delete(all, "vfs.Volume.Space") // which is not known of other hosts
	for field := range all {
		if !set[field] {
			t.Errorf("samples does not set %s", field)
		}
	}
}

func visit(v reflect.Value, set, all map[string]bool) {
	for i := range v.NumField() {
		name := v.Type().String() + "." + v.Type().Field(i).Name
		all[name] = true
		f := v.Field(i)
		if !f.IsZero() {
			set[name] = true
		}
		for f.Kind() == reflect.Slice && f.Len() > 0 {
			f = f.Index(0)
		}
		for f.Kind() == reflect.Pointer && !f.IsNil() {
			f = f.Elem()
		}
		if f.Kind() == reflect.Struct && f.Type().String() != "time.Time" {
			visit(f, set, all)
		}
	}
}

func TestLimitsAreKept(t *testing.T) {
	long := strings.Repeat("n", 1025)
	target := func(name string) wire.Target { return wire.Target{Name: name} }
	for _, m := range []wire.Message{
		&wire.Hello{Name: strings.Repeat("n", 5000)},
		&wire.Hello{Name: "a\x00b"},
		&wire.PathQuery{Query: wire.QueryInside + 1},
		&wire.PathQuery{Path: "/a\x00"},
		&wire.PathQuery{Path: strings.Repeat("p", 65<<10)},
		&wire.OpenDir{},
		&wire.OpenDir{Name: ".", How: vfs.Follow},
		&wire.OpenDir{Name: "a", How: vfs.Parent + 1},
		&wire.Mkdir{Name: "."},
		&wire.Mkdir{Name: ".."},
		&wire.Mkdir{Name: "a/b"},
		&wire.Mkdir{Name: "a\x00"},
		&wire.Mkdir{Name: long},
		&wire.Get{},
		&wire.Get{Name: "a", How: vfs.NoXDev},
		&wire.Get{Name: "a", Max: wire.MaxData + 1},
		&wire.Create{Name: "..", Mode: vfs.Create},
		&wire.Create{Name: "a", Mode: vfs.CreateAsync},
		&wire.Create{Name: "a", Mode: vfs.ReadFollow},
		&wire.Put{},
		&wire.Put{Name: "a", Size: -1},
		&wire.Put{Name: "a", Parts: []wire.Part{{Off: -1}}},
		&wire.Put{Name: "a", Parts: []wire.Part{{Off: math.MaxInt64, Data: []byte("a")}}},
		&wire.Paths{Paths: make([]string, 4097)},
		&wire.Listing{Entries: repeat(wire.Entry{Name: "a"}, 4097)},
		&wire.Listing{Path: "/"},
		&wire.Listing{Path: "a/../b"},
		&wire.Listing{Path: "a//b"},
		&wire.Listing{Entries: []wire.Entry{{}}},
		&wire.Listing{Entries: []wire.Entry{{Name: "a/b"}}},
		&wire.Listing{Entries: []wire.Entry{{Name: "a", Target: "\x00"}}},
		&wire.Listing{Entries: []wire.Entry{{Name: "a", Extra: &wire.Extra{Xattrs: []wire.Xattr{{}}}}}},
		&wire.Lstat{Target: target("..")},
		&wire.Lstat{Target: target("a/b")},
		&wire.Readlink{Target: target("")},
		&wire.Symlink{Target: target(".")},
		&wire.Link{Old: target(""), Target: target("a")},
		&wire.Link{Old: target("a"), Target: target("/")},
		&wire.Mknod{},
		&wire.Rename{Old: target("a"), Target: target("..")},
		&wire.Rename{Old: target(".."), Target: target("a")},
		&wire.Remove{Target: target(".")},
		&wire.Read{N: wire.MaxData + 1},
		&wire.Read{Off: -1},
		&wire.Data{Data: make([]byte, wire.MaxData+1)},
		&wire.Range{Start: 2, End: 1},
		&wire.Range{Start: -1, End: 1},
		&wire.Sums{N: 1},
		&wire.Sums{N: wire.MaxData, Block: 1},
		&wire.Sums{N: math.MaxInt64, Off: 1, Block: math.MaxUint32},
		&wire.Sums{N: 1, Block: 1, Key: make([]byte, 15)},
		&wire.Sums{N: 1, Block: wire.MaxKeyedBlock + 1, Key: make([]byte, 16)},
		&wire.Write{Off: math.MaxInt64, Data: []byte("a")},
		&wire.Resize{How: wire.Preallocate + 1},
		&wire.Resize{Off: math.MaxInt64, N: 1},
		&wire.Copy{N: -2},
		&wire.Copy{N: 1, Off: math.MaxInt64},
		&wire.Number{N: -1},
		&wire.Set{Target: target(".."), Changes: nil},
		&wire.Set{Changes: []vfs.Change{{Kind: vfs.XattrPiece + 1}}},
		&wire.Set{Changes: []vfs.Change{{UID: -2}}},
		&wire.Set{Changes: []vfs.Change{{Xattr: long}}},
		&wire.Names{Names: []string{""}},
		&wire.ReadXattr{Target: target("a")},
		&wire.ReadXattr{Attr: "user.a", N: wire.MaxData + 1},
		&wire.Set{Changes: []vfs.Change{{Off: -1}}},
		&wire.Put{Name: "a", Parts: []wire.Part{{Data: make([]byte, wire.MaxData)}, {Data: make([]byte, wire.MaxData)}}},
	} {
		before := []byte("before")
		if got, err := wire.Append(before, wire.Frame{Message: m}); err == nil || !bytes.Equal(got, before) {
			t.Errorf("%T encoded: error %v", m, err)
		}
		if f, err := wire.Decode(wire.AppendUnchecked(wire.Frame{Message: m})); err == nil {
			t.Errorf("%T decoded: %+v", m, f.Message)
		}
	}
}

// TestMalformedFramesAreRefused changes frames that are good.
func TestMalformedFramesAreRefused(t *testing.T) {
	for _, m := range samples() {
		frame, err := wire.Append(nil, wire.Frame{ID: 300, Message: m})
		if err != nil {
			t.Fatal(err)
		}
		frame = frame[wire.LengthSize:]
		for n := range min(len(frame), 1000) {
			if _, err := wire.Decode(frame[:n:n]); err == nil {
				t.Errorf("%T: the first %d of %d bytes are accepted", m, n, len(frame))
			}
		}
		if _, err := wire.Decode(append(frame, 0)); err == nil {
			t.Errorf("%T: a byte too many is accepted", m)
		}
	}
	for name, frame := range map[string][]byte{
		"no kind":        {},
		"kind 0":         {0, 1},
		"unknown kind":   {0x7f, 1},
		"long number":    {4, 0x81, 0},
		"endless number": {4, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 1},
		"too long":       make([]byte, wire.MaxFrame+1),
	} {
		if _, err := wire.Decode(frame); err == nil {
			t.Errorf("%s: accepted", name)
		}
	}
	for _, n := range []uint32{0, 1, wire.MaxFrame + 1, math.MaxUint32} {
		if _, err := wire.Length(binary.BigEndian.AppendUint32(nil, n)); err == nil {
			t.Errorf("length %d is accepted", n)
		}
	}
}

// TestCountsAreChecked has counts that are much greater than what follows.
func TestCountsAreChecked(t *testing.T) {
	for _, m := range []wire.Message{&wire.Paths{}, &wire.Names{}, &wire.SetAnswer{}} {
		frame, err := wire.Append(nil, wire.Frame{Message: m})
		if err != nil {
			t.Fatal(err)
		}
		huge := append(frame[wire.LengthSize:wire.LengthSize+2:wire.LengthSize+2], 0xff, 0xff, 0xff, 0xff, 0xff, 0x7f)
		got := testing.AllocsPerRun(1, func() { _, err = wire.Decode(huge) })
		if err == nil || got > 20 {
			t.Errorf("%T: error %v after %v allocations", m, err, got)
		}
	}
}
