package sys

import (
	"bytes"
	"encoding/hex"
	"errors"
	"io/fs"
	"strings"
	"testing"
)

// Parts of buffers, in hex.
var (
	guid    = "00112233445566778899aabbccddeeff"
	noOwner = strings.Repeat("00", 32)
	entry   = guid + "01000000" + "02000000"
	oneACE  = "6dc12c01" + noOwner + "01000000" + "00000000" + entry
	empty   = "6dc12c01" + noOwner + "00000000" + "00000000"
	removal = "6dc12c01" + noOwner + "ffffffff" + "00000000"
	present = "00004080" + strings.Repeat("00000000", 4) // RETURNED_ATTRS and EXTENDED_SECURITY
	missing = "00000080" + strings.Repeat("00000000", 4)
)

func unhex(t testing.TB, s string) []byte {
	t.Helper()
	b, err := hex.DecodeString(s)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

func TestParseSecurity(t *testing.T) {
	for _, tt := range []struct {
		name, reply, want string // want is hex, "none" or "invalid"
	}{
		{"one entry", "64000000" + present + "08000000" + "44000000" + oneACE, oneACE},
		{"owner and group do not count", "64000000" + present + "08000000" + "44000000" +
			"6dc12c01" + guid + guid + "01000000" + "00000000" + entry, oneACE},
		{"more room in the buffer", "64000000" + present + "08000000" + "44000000" + oneACE + "ffffffff", oneACE},
		{"more than the entries need", "68000000" + present + "08000000" + "48000000" + oneACE + "00000000", oneACE},
		{"a gap before it", "68000000" + present + "0c000000" + "44000000" + "00000000" + oneACE, oneACE},
		{"no entries", "4c000000" + present + "08000000" + "2c000000" + empty, empty},
		{"no ACL by number", "4c000000" + present + "08000000" + "2c000000" + removal, "none"},
		{"no ACL by length", "20000000" + present + "08000000" + "00000000", "none"},
		{"not returned", "18000000" + missing, "none"},
		{"not returned, with a reference", "20000000" + missing + "08000000" + "00000000", "none"},
		{"nothing", "", "invalid"},
		{"cut off", "64000000" + present + "08000000" + "44000000" + empty, "invalid"},
		{"too short to be a reply", "04000000" + present, "invalid"},
		{"no reference", "18000000" + present, "invalid"},
		{"offset before the data", "4c000000" + present + "f8ffffff" + "2c000000" + empty, "invalid"},
		{"offset behind the end", "4c000000" + present + "ffffff7f" + "2c000000" + empty, "invalid"},
		{"length behind the end", "4c000000" + present + "08000000" + "ffffffff" + empty, "invalid"},
		{"length below the entries", "64000000" + present + "08000000" + "2c000000" + oneACE, "invalid"},
		{"another magic", "4c000000" + present + "08000000" + "2c000000" + "6dc12c02" + empty[8:], "invalid"},
		{"too many entries", "4c000000" + present + "08000000" + "2c000000" + "6dc12c01" + noOwner + "81000000" + "00000000", "invalid"},
	} {
		got, err := parseSecurity(unhex(t, tt.reply))
		said := hex.EncodeToString(got)
		switch {
		case errors.Is(err, fs.ErrInvalid):
			said = "invalid"
		case err != nil:
			said = err.Error()
		case got == nil:
			said = "none"
		}
		if said != tt.want {
			t.Errorf("%s: got %s, want %s", tt.name, said, tt.want)
		}
	}
}

func TestSetattrlistBuffers(t *testing.T) {
	security := func(filesec []byte) []byte {
		b, err := securityAttr(filesec)
		if err != nil {
			t.Errorf("%x: %v", filesec, err)
		}
		return b
	}
	for _, tt := range []struct {
		name string
		got  []byte
		want string
	}{
		{"no ACL", security(noFilesec()), "08000000" + "2c000000" + removal},
		{"an empty ACL", security(unhex(t, empty)), "08000000" + "2c000000" + empty},
		{"one entry", security(unhex(t, oneACE)), "08000000" + "44000000" + oneACE},
		{"a time", timeAttr(0x0102030405, 999_999_999), "0504030201000000" + "ffc99a3b00000000"},
		{"before 1970", timeAttr(-1, 1), "ffffffffffffffff" + "0100000000000000"},
		{"flags", flagsAttr(0x40008002), "02800040"},
	} {
		if got := hex.EncodeToString(tt.got); got != tt.want {
			t.Errorf("%s: got %s, want %s", tt.name, got, tt.want)
		}
	}
}

func TestSecurityAttrRefuses(t *testing.T) {
	for name, value := range map[string]string{
		"nothing":             "",
		"a cut header":        empty[:86],
		"too long":            empty + "00",
		"fewer entries":       oneACE[:len(oneACE)-2],
		"another magic":       "00000000" + empty[8:],
		"a POSIX ACL":         "02000000" + "0100070000000000",
		"entries, but no ACL": removal + entry,
	} {
		if b, err := securityAttr(unhex(t, value)); !errors.Is(err, fs.ErrInvalid) {
			t.Errorf("%s: %x, %v", name, b, err)
		}
	}
}

func TestParseKeepsXattrs(t *testing.T) {
	words := func(w ...string) string { return strings.Join(w, "") }
	const none, xattr, others = "00000000", "00400000", "ffbfffff"
	for _, tt := range []struct {
		name, reply string
		keeps, ok   bool
	}{
		{"it does", words("24000000", none, xattr, none, none, none, xattr, none, none), true, true},
		{"it does not", words("24000000", others, none, others, others, none, xattr, none, none), false, true},
		{"the volume does not say", words("24000000", none, xattr, none, none, others, others, others, others), true, false},
		{"too short", words("20000000", none, xattr, none, none, none, xattr, none), false, false},
		{"less than the buffer", words("08000000", none, xattr, none, none, none, xattr, none, none), false, false},
		{"nothing", "", false, false},
	} {
		if keeps, ok := parseKeepsXattrs(unhex(t, tt.reply)); keeps != tt.keeps || ok != tt.ok {
			t.Errorf("%s: %v, %v; want %v, %v", tt.name, keeps, ok, tt.keeps, tt.ok)
		}
	}
}

// FuzzParseSecurity wants what is found in a reply to be a value that can be set,
// and be found again.
func FuzzParseSecurity(f *testing.F) {
	for _, s := range []string{
		"64000000" + present + "08000000" + "44000000" + oneACE,
		"4c000000" + present + "08000000" + "2c000000" + removal,
		"18000000" + missing,
	} {
		f.Add(unhex(f, s))
	}
	f.Fuzz(func(t *testing.T, reply []byte) {
		filesec, err := parseSecurity(reply)
		if filesec == nil {
			return
		}
		if err != nil {
			t.Fatalf("both %x and %v", filesec, err)
		}
		attr, err := securityAttr(filesec)
		if err != nil {
			t.Fatalf("%x cannot be set: %v", filesec, err)
		}
		header := unhex(t, "00000000"+present)
		header[0], header[1] = byte(len(header)+len(attr)), byte((len(header)+len(attr))>>8)
		if again, err := parseSecurity(append(header, attr...)); err != nil || !bytes.Equal(again, filesec) {
			t.Fatalf("%x became %x, %v", filesec, again, err)
		}
	})
}
