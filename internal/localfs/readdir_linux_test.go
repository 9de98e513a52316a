package localfs

import (
	"encoding/binary"
	"fmt"
	"testing"

	"psync/internal/vfs/fstest"
)

// TestVanishedEntriesAreListed has a file system that reports no types, and an entry that is gone when its
// type is looked up. The entry is still listed, so that its loss is reported.
func TestVanishedEntriesAreListed(t *testing.T) {
	d := openTemp(t)
	fstest.Fill(t, d, "sub/ 755\n")
	var buf []byte
	for i, name := range []string{"sub", "gone"} {
		const unknown = 0
		record := binary.NativeEndian.AppendUint64(nil, uint64(i+1))
		record = binary.NativeEndian.AppendUint64(record, 0)
		record = binary.NativeEndian.AppendUint16(record, 24)
		buf = append(buf, append(append(record, unknown), (name + "\x00\x00\x00\x00\x00")[:5]...)...)
	}
	var got string
	for _, e := range new(listing).parse(d.(*dir), buf) {
		got += fmt.Sprintln(e.Name, e.Type)
	}
	if want := "sub d---------\ngone ----------\n"; got != want {
		t.Errorf("got:\n%swant:\n%s", got, want)
	}
}
