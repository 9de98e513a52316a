package sys

import (
	"bytes"
	"encoding/hex"
	"errors"
	"io/fs"
	"slices"
	"strings"
	"testing"
)

func TestExtattrNames(t *testing.T) {
	for _, tt := range []struct {
		list string
		want []string
	}{
		{"", nil},
		{"\x01a", []string{"user.a"}},
		{"\x03a.b\x02\xff\x00\x01c", []string{"user.a.b", "user.\xff\x00", "user.c"}},
		{"\x01a\x05cut", []string{"user.a"}},
		{"\x03", nil},
	} {
		if got := extattrNames(nil, "user.", []byte(tt.list)); !slices.Equal(got, tt.want) {
			t.Errorf("%q: %q, want %q", tt.list, got, tt.want)
		}
	}
}

// These are in the byte order of all machines that FreeBSD is tested on here.
func TestACLs(t *testing.T) {
	mode := modeACL(0o100751)
	want := "fe000000" + "03000000" + strings.Repeat("00", 16) +
		"01000000" + "ffffffff" + "07000000" + "00000000" +
		"04000000" + "ffffffff" + "05000000" + "00000000" +
		"20000000" + "ffffffff" + "01000000" + "00000000"
	if got := hex.EncodeToString(mode); got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	full, err := padACL(mode)
	if err != nil || len(full) != 4088 {
		t.Errorf("padded to %d bytes, %v", len(full), err)
	}
	full[8], full[4000] = 1, 1 // padding, which need not be zero
	if again, err := trimACL(full); err != nil || !bytes.Equal(again, mode) {
		t.Errorf("%x became %x, %v", mode, again, err)
	}
	if n := aclEntries(mode); n != 3 {
		t.Errorf("%d entries, want 3", n)
	}
}

func TestACLsThatAreNone(t *testing.T) {
	three := modeACL(0o644)
	more := bytes.Clone(three)
	more[4] = 4
	for name, value := range map[string][]byte{
		"nothing":       nil,
		"half a header": three[:20],
		"too short":     more,
		"too long":      append(bytes.Clone(three), 0),
		"too many":      append([]byte{254, 0, 0, 0, 255, 0, 0, 0}, make([]byte, 5000)...),
	} {
		if acl, err := padACL(value); !errors.Is(err, fs.ErrInvalid) {
			t.Errorf("%s: %x, %v", name, acl, err)
		}
	}
}

func FuzzTrimACL(f *testing.F) {
	f.Add(modeACL(0o644))
	f.Fuzz(func(t *testing.T, acl []byte) {
		value, err := trimACL(acl)
		if err != nil {
			return
		}
		full, err := padACL(value)
		if err != nil {
			t.Fatalf("%x cannot be set: %v", value, err)
		}
		if again, err := trimACL(full); err != nil || !bytes.Equal(again, value) {
			t.Fatalf("%x became %x, %v", value, again, err)
		}
	})
}
