package metadata

import (
	"bytes"
	"encoding/binary"
	"io/fs"
	"testing"
)

// posixACE is an entry of a POSIX ACL.
type posixACE struct {
	tag, perm uint16
	id        uint32
}

// posix returns an ACL in the format of Linux, posixBSD in the format of FreeBSD.
func posix(aces ...posixACE) []byte {
	p := binary.LittleEndian.AppendUint32(nil, posixVersion)
	for _, a := range aces {
		p = binary.LittleEndian.AppendUint16(p, a.tag)
		p = binary.LittleEndian.AppendUint16(p, a.perm)
		p = binary.LittleEndian.AppendUint32(p, a.id)
	}
	return p
}

func posixBSD(aces ...posixACE) []byte {
	var all []bsdACE
	for _, a := range aces {
		all = append(all, bsdACE{tag: uint32(a.tag), id: a.id, rights: uint32(a.perm)})
	}
	return bsd(all...)
}

// modeACL returns the entries that represent a mode. withUser adds an entry for a user, which requires a mask.
func modeACL(mode uint16) []posixACE {
	return []posixACE{{tagUserObj, mode >> 6, 0}, {tagGroupObj, mode >> 3 & 7, 0}, {tagOther, mode & 7, 0}}
}

func withUser(mode uint16) []posixACE {
	return []posixACE{{tagUserObj, mode >> 6, 0}, {tagUser, 7, 1000}, {tagGroupObj, 5, 0}, {tagMask, mode >> 3 & 7, 0}, {tagOther, mode & 7, 0}}
}

func TestTrivialPOSIX(t *testing.T) {
	mode := posix(modeACL(0o644)...)
	tests := []struct {
		name, acl string
		value     []byte
		want      bool
	}{
		{"the mode", posixAccess, mode, true},
		{"of a directory, for what is made in it", posixDefault, mode, false},
		{"a user", posixAccess, posix(withUser(0o644)...), false},
		{"a mask", posixAccess, posix(append(modeACL(0o644), posixACE{tagMask, 7, 0})...), false},
		{"one entry three times", posixAccess, posix(posixACE{tagOther, 4, 0}, posixACE{tagOther, 4, 0}, posixACE{tagOther, 4, 0}), false},
		{"another version", posixAccess, append([]byte{3}, mode[1:]...), false},
		{"no entries", posixAccess, posix(), false},
		{"cut off", posixAccess, mode[:len(mode)-1], false},
		{"nothing", posixAccess, nil, false},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := trivialLinux(tt.acl, tt.value); got != tt.want {
				t.Errorf("trivial: %v, want %v", got, tt.want)
			}
		})
	}
}

func TestFitPOSIX(t *testing.T) {
	tests := []struct {
		name       string
		aces, want []posixACE
		mode       fs.FileMode
	}{
		{"fits", withUser(0o750), withUser(0o750), 0o750},
		{"with a mask", withUser(0o777), withUser(0o640), 0o640},
		{"without one the group counts", modeACL(0o777), modeACL(0o640), 0o640},
		{"set-id bits do not matter", modeACL(0o777), modeACL(0o710), fs.ModeSetuid | fs.ModeDir | 0o710},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			value := posix(tt.aces...)
			if got := Linux.FitACL(posixAccess, value, tt.mode); !bytes.Equal(got, posix(tt.want...)) {
				t.Errorf("Linux: %x becomes %x", posix(tt.aces...), got)
			}
			if got := FreeBSD.FitACL(bsdPosixAccess, posixBSD(tt.aces...), tt.mode); !bytes.Equal(got, posixBSD(tt.want...)) {
				t.Errorf("FreeBSD: %x becomes %x", posixBSD(tt.aces...), got)
			}
			if got := Linux.FitACL(posixDefault, value, 0); !bytes.Equal(got, value) {
				t.Errorf("default ACL: %x becomes %x", value, got)
			}
			if !bytes.Equal(value, posix(tt.aces...)) {
				t.Error("the value was changed")
			}
		})
	}
}

func FuzzFitPOSIX(f *testing.F) {
	f.Add(posix(withUser(0o750)...), uint16(0o640))
	f.Add(posixBSD(withUser(0o750)...), uint16(0o640))
	f.Add([]byte{2, 0, 0, 0, 1}, uint16(0))
	f.Fuzz(func(t *testing.T, p []byte, mode uint16) {
		for _, layout := range []posixACL{linuxACL, bsdACL} {
			before := bytes.Clone(p)
			fitted := layout.fit(p, fs.FileMode(mode))
			if !bytes.Equal(p, before) || len(fitted) != len(p) {
				t.Fatal("the value was changed")
			}
			if again := layout.fit(fitted, fs.FileMode(mode)); !bytes.Equal(again, fitted) {
				t.Errorf("%x becomes %x, and then %x", p, fitted, again)
			}
			layout.trivial(p)
		}
	})
}

func TestInheritedPerm(t *testing.T) {
	for _, tt := range []struct {
		name string
		acl  []byte
		want fs.FileMode
	}{
		{"a mode", posix(modeACL(0o751)...), 0o751},
		{"a mask that takes away", posix(posixACE{tagUserObj, 7, 0}, posixACE{tagUser, 7, 1}, posixACE{tagGroupObj, 7, 0}, posixACE{tagMask, 5, 0}, posixACE{tagOther, 0, 0}), 0o750},
		{"a mask before the group", posix(posixACE{tagMask, 5, 0}, posixACE{tagGroupObj, 7, 0}, posixACE{tagUserObj, 6, 0}, posixACE{tagOther, 1, 0}), 0o651},
		{"a mask that gives", posix(posixACE{tagUserObj, 7, 0}, posixACE{tagUser, 7, 1}, posixACE{tagGroupObj, 0, 0}, posixACE{tagMask, 7, 0}, posixACE{tagOther, 5, 0}), 0o775},
		{"none", nil, 0o777},
		{"garbage", []byte("garbage"), 0o777},
	} {
		if got := InheritedPerm(tt.acl); got != tt.want {
			t.Errorf("%s: %o, want %o", tt.name, got, tt.want)
		}
	}
}
