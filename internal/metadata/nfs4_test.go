package metadata

import (
	"bytes"
	"encoding/binary"
	"testing"
)

// nfs4ACE is an entry of system.nfs4_acl.
type nfs4ACE struct {
	kind, flags, rights uint32
	who                 string
}

func nfs4(aces ...nfs4ACE) []byte {
	p := binary.BigEndian.AppendUint32(nil, uint32(len(aces)))
	for _, a := range aces {
		for _, v := range []uint32{a.kind, a.flags, a.rights, uint32(len(a.who))} {
			p = binary.BigEndian.AppendUint32(p, v)
		}
		p = append(p, a.who...)
		p = append(p, make([]byte, -len(a.who)&3)...)
	}
	return p
}

func TestTrivialNFS4(t *testing.T) {
	owner, group, all := nfs4ACE{0, 0, 0x1601a7, "OWNER@"}, nfs4ACE{0, 0, 0x120081, "GROUP@"}, nfs4ACE{0, 0, 0x120081, "EVERYONE@"}
	mode := nfs4(owner, group, all)
	with := func(a nfs4ACE) []byte { return nfs4(owner, group, all, a) }
	tests := []struct {
		name  string
		value []byte
		want  bool
	}{
		{"of mode 644, as the Linux server makes it up", mode, true},
		{"the group with the flag that it is one", nfs4(owner, nfs4ACE{0, nfs4Group, 0x120081, "GROUP@"}, all), true},
		{"denied to the owner, for mode 077", nfs4(nfs4ACE{1, 0, 7, "OWNER@"}, owner, group, all), true},
		{"for the owner alone", nfs4(owner), true},
		{"a user", with(nfs4ACE{0, 0, 1, "alice@example.org"}), false},
		{"a user by number", with(nfs4ACE{0, 0, 1, "1000"}), false},
		{"a named group", with(nfs4ACE{0, nfs4Group, 1, "staff@example.org"}), false},
		{"handed on to files", with(nfs4ACE{0, 1, 1, "OWNER@"}), false},
		{"handed on to directories", with(nfs4ACE{0, 2, 1, "OWNER@"}), false},
		{"inherited", with(nfs4ACE{0, 0x80, 1, "OWNER@"}), false},
		{"audited", with(nfs4ACE{2, 0x10, 1, "EVERYONE@"}), false},
		{"the group may change the ACL", with(nfs4ACE{0, 0, nfs4WriteACL, "GROUP@"}), false},
		{"everyone may take it", with(nfs4ACE{0, 0, nfs4WriteOwn, "EVERYONE@"}), false},
		{"everyone is denied to take it", with(nfs4ACE{1, 0, nfs4WriteOwn, "EVERYONE@"}), true},
		{"another special who", with(nfs4ACE{0, 0, 1, "ANONYMOUS@"}), false},
		{"small letters", with(nfs4ACE{0, 0, 1, "owner@"}), false},
		{"no entries", nfs4(), false},
		{"nothing", nil, false},
		{"cut off", mode[:len(mode)-1], false},
		{"an entry short", mode[:len(mode)-28], false},
		{"something behind", append(bytes.Clone(mode), 0, 0, 0, 0), false},
		{"padded with something", append(bytes.Clone(mode[:len(mode)-1]), 1), false},
		{"a name beyond all bounds", append(nfs4(owner)[:16], 0xff, 0xff, 0xff, 0xff), false},
		{"entries beyond all bounds", append([]byte{0xff, 0xff, 0xff, 0xff}, mode[4:]...), false},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := trivialLinux("system.nfs4_acl", tt.value); got != tt.want {
				t.Errorf("trivial: %v, want %v", got, tt.want)
			}
			if trivialLinux("system.nfs4_dacl", tt.value) {
				t.Error("trivial by another name")
			}
		})
	}
}

func FuzzTrivialNFS4(f *testing.F) {
	f.Add(nfs4(nfs4ACE{0, 0, 0x1601a7, "OWNER@"}, nfs4ACE{0, nfs4Group, 0x120081, "GROUP@"}))
	f.Add(nfs4(nfs4ACE{1, 0, 1, "alice"}))
	f.Fuzz(func(t *testing.T, p []byte) {
		before := bytes.Clone(p)
		trivial := trivialNFS4(p)
		if !bytes.Equal(p, before) {
			t.Error("the value was changed")
		}
		if trivial && trivialNFS4(p[:len(p)-4]) {
			t.Error("trivial without its end, too")
		}
	})
}

// bsdACE is an entry of struct acl.
type bsdACE struct {
	tag, id, rights uint32
	kind, flags     uint16
}

func bsd(aces ...bsdACE) []byte {
	p := make([]byte, bsdHeader)
	binary.LittleEndian.PutUint32(p, 254)
	binary.LittleEndian.PutUint32(p[4:], uint32(len(aces)))
	for _, a := range aces {
		for _, v := range []uint32{a.tag, a.id, a.rights} {
			p = binary.LittleEndian.AppendUint32(p, v)
		}
		p = binary.LittleEndian.AppendUint16(p, a.kind)
		p = binary.LittleEndian.AppendUint16(p, a.flags)
	}
	return p
}

func TestTrivialBSD(t *testing.T) {
	const noUser = 1<<32 - 1
	owner, group, all := bsdACE{1, noUser, 0xf7b8, 0x100, 0}, bsdACE{4, noUser, 0x9248, 0x100, 0}, bsdACE{0x40, noUser, 0x9248, 0x100, 0}
	mode := bsd(owner, group, all)
	tests := []struct {
		name, acl string
		value     []byte
		want      bool
	}{
		{"of mode 644, as ZFS makes it up", bsdNFS4ACL, mode, true},
		{"with what the owner is denied", bsdNFS4ACL, bsd(bsdACE{1, noUser, 1, 0x200, 0}, owner, group, all), true},
		{"a user", bsdNFS4ACL, bsd(owner, bsdACE{2, 1001, 8, 0x100, 0}, group, all), false},
		{"a group", bsdNFS4ACL, bsd(owner, bsdACE{8, 1001, 8, 0x100, 0}, group, all), false},
		{"handed on", bsdNFS4ACL, bsd(owner, group, bsdACE{0x40, noUser, 8, 0x100, 1}), false},
		{"everyone may change the ACL", bsdNFS4ACL, bsd(bsdACE{0x40, noUser, bsdWriteACL, 0x100, 0}), false},
		{"audited", bsdNFS4ACL, bsd(bsdACE{0x40, noUser, 8, 0x400, 0}), false},
		{"of POSIX", bsdPosixAccess, mode, false},
		{"no entries", bsdNFS4ACL, bsd(), false},
		{"cut off", bsdNFS4ACL, mode[:len(mode)-1], false},
		{"nothing", bsdNFS4ACL, nil, false},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := trivialBSD(tt.acl, tt.value); got != tt.want {
				t.Errorf("trivial: %v, want %v", got, tt.want)
			}
		})
	}
}
