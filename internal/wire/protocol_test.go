package wire_test

import (
	"crypto/sha256"
	"flag"
	"fmt"
	"os"
	"strings"
	"testing"

	"psync/internal/wire"
)

var record = flag.Bool("record", false, "record the messages of a new version of the protocol")

// TestProtocolIsAsRecorded compares how messages are encoded with how they were when the version of the protocol was
// made: a psync of the same version on another host expects that. To change the protocol, increase wire.Major, and
// record its messages by the flag -record of this test.
func TestProtocolIsAsRecorded(t *testing.T) {
	var b strings.Builder
	for _, first := range [][16]byte{wire.Magic, wire.HeardMagic} {
		fmt.Fprintf(&b, "magic %x\n", first)
	}
	for i, m := range append(samples(), &wire.Hello{Major: wire.Major}) {
		frame, err := wire.Append(nil, wire.Frame{ID: uint64(i), Message: m})
		if err != nil {
			t.Fatal(err)
		}
		encoded := fmt.Sprintf("%x", frame)
		if len(frame) > 1<<10 {
			encoded = fmt.Sprintf("%d bytes, SHA-256 %x", len(frame), sha256.Sum256(frame))
		}
		fmt.Fprintf(&b, "%s %s\n", strings.TrimPrefix(fmt.Sprintf("%T", m), "*wire."), encoded)
	}
	path := fmt.Sprintf("testdata/protocol-%d.txt", wire.Major)
	recorded, err := os.ReadFile(path)
	if os.IsNotExist(err) && *record {
		if err := os.WriteFile(path, []byte(b.String()), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	if err != nil {
		t.Fatalf("%v: are the messages of version %d recorded?", err, wire.Major)
	}
	now, then := strings.Split(b.String(), "\n"), strings.Split(string(recorded), "\n")
	for i := range max(len(now), len(then)) {
		line := func(lines []string) string {
			if i < len(lines) {
				return lines[i]
			}
			return ""
		}
		if got, want := line(now), line(then); got != want {
			t.Fatalf("version %d of the protocol has\n%s\nwhere it had\n%s\nA protocol that has changed needs another number, wire.Major.", wire.Major, got, want)
		}
	}
}
