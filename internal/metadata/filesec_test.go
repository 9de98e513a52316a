package metadata

import (
	"bytes"
	"encoding/hex"
	"slices"
	"strings"
	"testing"
)

// everyone is the GUID of group 12, of which everybody is a member.
var everyone = [16]byte(unhex("abcdefabcdefabcdefabcdef0000000c"))

const (
	permit    = 1
	deny      = 2
	fromAbove = 1 << 4

	mayDelete    = 1 << 4
	mayWriteAttr = 1 << 8
)

// acl returns an ACL of macOS.
func acl(entries ...filesecACE) []byte { return filesec{Entries: entries}.encode() }

func unhex(s string) []byte {
	p, err := hex.DecodeString(strings.ReplaceAll(s, " ", ""))
	if err != nil {
		panic(err)
	}
	return p
}

const zeros = "00000000 00000000 00000000 00000000 00000000 00000000 00000000 00000000" // two GUIDs

func TestFilesec(t *testing.T) {
	tests := []struct {
		name string
		f    filesec
		want string
	}{
		{"none", filesec{None: true}, "6dc12c01" + zeros + "ffffffff 00000000"},
		{"empty", filesec{}, "6dc12c01" + zeros + "00000000 00000000"},
		{
			"everyone deny delete",
			filesec{Entries: []filesecACE{{everyone, deny, mayDelete}}},
			"6dc12c01" + zeros + "01000000 00000000" + "abcdefabcdefabcdefabcdef0000000c 02000000 10000000",
		},
		{
			"inherited, handed on, with flags of its own",
			filesec{Flags: 0x30001, Entries: []filesecACE{{everyone, permit | fromAbove | 1<<5 | 1<<6, 1 << 1}, {[16]byte{1}, deny, mayWriteAttr}}},
			"6dc12c01" + zeros + "02000000 01000300" +
				"abcdefabcdefabcdefabcdef0000000c 71000000 02000000" + "01000000000000000000000000000000 02000000 00010000",
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			want := unhex(tt.want)
			if got := tt.f.encode(); !bytes.Equal(got, want) {
				t.Errorf("encoded as\n%x, want\n%x", got, want)
			}
			got, ok := parseFilesec(want)
			if !ok || got.None != tt.f.None || got.Flags != tt.f.Flags || !slices.Equal(got.Entries, tt.f.Entries) {
				t.Errorf("parsed as %+v, %v", got, ok)
			}
		})
	}
}

func TestFilesecIsRefused(t *testing.T) {
	one := acl(filesecACE{everyone, deny, mayDelete})
	with := func(off int, b byte) []byte {
		p := bytes.Clone(one)
		p[off] = b
		return p
	}
	for name, p := range map[string][]byte{
		"nothing":             nil,
		"no magic":            with(0, 0),
		"short header":        one[:filesecHeader-1],
		"an entry cut off":    one[:len(one)-1],
		"an entry missing":    one[:filesecHeader],
		"something behind":    append(bytes.Clone(one), 0),
		"too few entries":     with(36, 0),
		"none, but entries":   append(append(bytes.Clone(one[:36]), 0xff, 0xff, 0xff, 0xff), one[40:]...),
		"more than there can": acl(make([]filesecACE, filesecMax+1)...),
	} {
		if f, ok := parseFilesec(p); ok {
			t.Errorf("%s: parsed as %+v", name, f)
		}
		if got := canonicalFilesec(p); !bytes.Equal(got, p) {
			t.Errorf("%s: canonical form %x", name, got)
		}
		if noFilesec(securityName, p) {
			t.Errorf("%s: is no ACL", name)
		}
	}
}

func TestCanonicalFilesec(t *testing.T) {
	a, b := filesecACE{everyone, deny, mayDelete}, filesecACE{everyone, deny | fromAbove, mayDelete}
	owned := acl(a)
	copy(owned[4:36], "the GUIDs of owner and group here")
	tests := []struct {
		name string
		a, b []byte
		same bool
	}{
		{"owner and group do not count", acl(a), owned, true},
		{"flags of the volume do not count", acl(a), filesec{Flags: 7, Entries: []filesecACE{a}}.encode(), true},
		{"other flags count", acl(a), filesec{Flags: 1 << 17, Entries: []filesecACE{a}}.encode(), false},
		{"that an entry was inherited counts", acl(a), acl(b), false},
		{"the right to synchronize does not count", acl(a), acl(filesecACE{everyone, deny, mayDelete | synchronize}), true},
		{"order counts", acl(a, b), acl(b, a), false},
		{"none and empty", filesec{None: true}.encode(), acl(), false},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := bytes.Equal(canonicalFilesec(tt.a), canonicalFilesec(tt.b)); got != tt.same {
				t.Errorf("the same: %v, want %v", got, tt.same)
			}
		})
	}
	if !noFilesec(securityName, filesec{None: true}.encode()) || noFilesec(securityName, acl()) {
		t.Error("an empty ACL is none, or none is not")
	}
}

func FuzzFilesec(f *testing.F) {
	f.Add(acl())
	f.Add(filesec{None: true}.encode())
	f.Add(acl(filesecACE{everyone, deny, mayDelete}, filesecACE{everyone, permit, 2}))
	f.Fuzz(func(t *testing.T, p []byte) {
		before := bytes.Clone(p)
		canonical := canonicalFilesec(p)
		if again := canonicalFilesec(canonical); !bytes.Equal(again, canonical) {
			t.Errorf("the canonical form of %x has another one: %x", canonical, again)
		}
		if !bytes.Equal(p, before) {
			t.Error("the value was changed")
		}
		parsed, ok := parseFilesec(p)
		if !ok {
			return
		}
		q := parsed.encode()
		if !bytes.Equal(q[:4], p[:4]) || !bytes.Equal(q[36:], p[36:]) || len(bytes.Trim(q[4:36], "\x00")) > 0 {
			t.Errorf("%x becomes %x", p, q)
		}
	})
}
