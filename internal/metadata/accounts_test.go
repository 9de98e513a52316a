package metadata

import (
	"bytes"
	"testing"

	"psync/internal/vfs"
)

// moved returns numbers that differ for users and groups.
func moved(k vfs.AccountKind, id uint32) uint32 {
	switch {
	case id == 0 || id > 5000:
		return id
	case k == vfs.GroupAccount:
		return 4000 - id
	}
	return 3000 - id
}

func TestMapPOSIX(t *testing.T) {
	owner, group, other := posixACE{tagUserObj, 7, 1}, posixACE{tagGroupObj, 5, 1}, posixACE{tagOther, 4, 1}
	for _, tt := range []struct {
		name       string
		aces, want []posixACE
	}{
		{"the mode", []posixACE{owner, group, other}, []posixACE{owner, group, other}},
		{
			"a user and a group",
			[]posixACE{owner, {tagUser, 6, 1000}, group, {tagGroup, 4, 1000}, {tagMask, 7, 1}, other},
			[]posixACE{owner, {tagUser, 6, 2000}, group, {tagGroup, 4, 3000}, {tagMask, 7, 1}, other},
		},
		{
			"in another order",
			[]posixACE{owner, {tagUser, 0, 0}, {tagUser, 6, 1000}, {tagUser, 5, 1001}, {tagUser, 4, 6000}, group, {tagMask, 7, 1}, other},
			[]posixACE{owner, {tagUser, 0, 0}, {tagUser, 5, 1999}, {tagUser, 6, 2000}, {tagUser, 4, 6000}, group, {tagMask, 7, 1}, other},
		},
	} {
		t.Run(tt.name, func(t *testing.T) {
			for p, acls := range map[*Profile]struct {
				names       []string
				value, want []byte
			}{
				Linux:   {[]string{posixAccess, posixDefault}, posix(tt.aces...), posix(tt.want...)},
				FreeBSD: {[]string{bsdPosixAccess, bsdDefault}, posixBSD(tt.aces...), posixBSD(tt.want...)},
			} {
				for _, name := range acls.names {
					before := bytes.Clone(acls.value)
					xattrs := []Xattr{{Name: name, Value: acls.value}, {Name: "user.x", Value: acls.value}, {Name: name, Unread: true}}
					p.MapACLs(xattrs, moved)
					if !bytes.Equal(xattrs[0].Value, acls.want) {
						t.Errorf("%s: %x, want %x", name, xattrs[0].Value, acls.want)
					}
					if !bytes.Equal(before, acls.value) || !bytes.Equal(xattrs[1].Value, before) {
						t.Errorf("%s: the value itself, or another attribute, was changed", name)
					}
				}
			}
		})
	}
}

func TestMapMalformedACL(t *testing.T) {
	for _, value := range []string{"", "\x02\x00\x00\x00", "\x02\x00\x00\x00\x02\x00"} {
		if got := linuxACL.mapped([]byte(value), moved); string(got) != value {
			t.Errorf("%q becomes %q", value, got)
		}
	}
}

func TestWantAccounts(t *testing.T) {
	for _, tt := range []struct {
		name     string
		keep     Keep
		uid, gid uint32
	}{
		{"the same numbers", Keep{}, 1000, 1000},
		{"the same names", Keep{Accounts: moved}, 2000, 3000},
		{"another owner", Keep{Accounts: moved, Chown: Chown{SetUID: true, UID: 7}}, 7, 3000},
		{"another group", Keep{Accounts: moved, Chown: Chown{SetGID: true, GID: 7}}, 2000, 7},
	} {
		attr := vfs.Attr{UID: 1000, GID: 1000}
		if tt.keep.Adjust(&attr); attr.UID != tt.uid || attr.GID != tt.gid {
			t.Errorf("%s: %d:%d, want %d:%d", tt.name, attr.UID, attr.GID, tt.uid, tt.gid)
		}
	}
}
