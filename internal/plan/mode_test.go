package plan

import (
	"io/fs"
	"testing"

	"psync/internal/metadata"
	"psync/internal/vfs"
)

func TestFirstFileMode(t *testing.T) {
	for _, tt := range []struct {
		name       string
		mode, want fs.FileMode
		access     Access
	}{
		{"plain", 0o644, 0o644, Access{}},
		{"read-only", 0o444, 0o444, Access{}},
		{"set-user-ID", fs.ModeSetuid | 0o755, 0o700, Access{}},
		{"set-group-ID", fs.ModeSetgid | 0o750, 0o700, Access{}},
		{"sticky", fs.ModeSticky | 0o755, 0o755, Access{}},
		{"ACL", 0o664, 0o600, Access{ACL: true}},
		{"given away, all may read", 0o644, 0o644, Access{ChangeOwner: true}},
		{"given away, the group may read", 0o640, 0o600, Access{ChangeOwner: true}},
		{"given away, the owner may not read", 0o044, 0o000, Access{ChangeOwner: true}},
		{"given away, all may do all", 0o777, 0o777, Access{ChangeOwner: true}},
		{"given away with an ACL", 0o644, 0o600, Access{ChangeOwner: true, ACL: true}},
		{"attributes to set", 0o444, 0o644, Access{SetXattrs: true}},
		{"attributes to set, given away", 0o444, 0o644, Access{SetXattrs: true, ChangeOwner: true}},
	} {
		if got := FirstFileMode(tt.mode, tt.access); got != tt.want {
			t.Errorf("%s: %v, want %v", tt.name, got, tt.want)
		}
	}
}

// TestFirstFileModeNeverGrantsMore tries all modes: a user who may not do something with a file in the end,
// because he is its owner, in its group, or neither, may not do it before.
func TestFirstFileModeNeverGrantsMore(t *testing.T) {
	for mode := range fs.FileMode(0o1000) {
		for _, a := range []Access{{ACL: true}, {ChangeOwner: true}, {ChangeOwner: true, ACL: true}} {
			first := FirstFileMode(mode, a)
			for _, others := range []fs.FileMode{first >> 3 & 7, first & 7} {
				if others&^((mode>>6)&(mode>>3)&mode&7) != 0 {
					t.Fatalf("%v is made as %v, %+v", mode, first, a)
				}
			}
		}
	}
}

func TestFirstDirMode(t *testing.T) {
	for _, tt := range []struct {
		name       string
		mode, want fs.FileMode
		access     Access
		hasACL     bool
	}{
		{"plain", 0o755, 0o755, Access{}, false},
		{"closed to its owner", 0o055, 0o755, Access{}, false},
		{"open to all", 0o777, 0o777, Access{}, false},
		{"sticky", fs.ModeSticky | 0o777, 0o755, Access{}, false},
		{"given away", 0o775, 0o755, Access{ChangeOwner: true}, false},
		{"may get an ACL", 0o777, 0o755, Access{ACL: true}, false},
		{"gets an ACL", 0o775, 0o705, Access{ACL: true}, true},
	} {
		if got := FirstDirMode(dir|tt.mode, tt.access, tt.hasACL); got != tt.want {
			t.Errorf("%s: %v, want %v", tt.name, got, tt.want)
		}
	}
}

func TestChangesOwner(t *testing.T) {
	alice := vfs.User{UID: 501, GID: 20}
	owners := func(uid, gid uint32) vfs.Attr { return vfs.Attr{UID: uid, GID: gid} }
	mine, wheels := owners(501, 20), owners(501, 0)
	for _, tt := range []struct {
		name string
		keep metadata.Keep
		want vfs.Attr
		made *vfs.Attr
		dir  vfs.Attr
		is   bool
	}{
		{"nothing is kept", metadata.Keep{}, owners(7, 7), nil, mine, false},
		{"the same", metadata.Keep{Owner: true, Group: true}, mine, nil, mine, false},
		{"another owner", metadata.Keep{Owner: true}, owners(7, 20), nil, mine, true},
		{"another owner, not kept", metadata.Keep{Group: true}, owners(7, 20), nil, mine, false},
		{"another group", metadata.Keep{Group: true}, owners(501, 7), nil, mine, true},
		{"another group, not kept", metadata.Keep{Owner: true}, owners(501, 7), nil, mine, false},
		{"the directory may give another group", metadata.Keep{Group: true}, mine, nil, wheels, true},
		{"the directory gave its group", metadata.Keep{Group: true}, mine, &wheels, wheels, true},
		{"the directory did not give its group", metadata.Keep{Group: true}, mine, &mine, wheels, false},
		{"the volume gave another owner", metadata.Keep{Owner: true}, mine, &vfs.Attr{UID: 99, GID: 20}, mine, true},
	} {
		if got := ChangesOwner(tt.keep, alice, tt.want, tt.made, tt.dir); got != tt.is {
			t.Errorf("%s: %v", tt.name, got)
		}
	}
}

func TestDirMode(t *testing.T) {
	const isNew, isRoot = true, true
	plain, modes, perms, none := metadata.Keep{}, metadata.Keep{Modes: true}, metadata.Keep{Perms: true}, metadata.Keep{NoPerms: true}
	tests := []struct {
		name             string
		keep             metadata.Keep
		src, found, want fs.FileMode
		isNew, isRoot    bool
	}{
		{"new", plain, 0o750, 0o750, 0o750, isNew, false},
		{"new, narrowed by a default ACL", plain, 0o755, 0o700, 0o755, isNew, false},
		{"new, left open to its owner", plain, 0o555, 0o755, 0o555, isNew, false},
		{"existing, equal", plain, 0o755, 0o755, 0o755, false, false},
		{"existing, other", plain, 0o700, 0o777, 0o777, false, false},
		{"existing, narrower", plain, 0o755, 0o700, 0o700, false, false},
		{"existing, left open by an interrupted run", plain, 0o555, 0o755, 0o555, false, false},
		{"existing, closed as the source", plain, 0o555, 0o555, 0o555, false, false},
		{"existing, other than an interrupted run leaves", plain, 0o555, 0o700, 0o700, false, false},
		{"set-id bits do not count", plain, fs.ModeSetgid | 0o755, 0o700, 0o755, isNew, false},

		{"rwx bits, existing", modes, 0o700, 0o777, 0o700, false, false},
		{"rwx bits, existing root", modes, 0o700, 0o777, 0o777, false, isRoot},
		{"rwx bits, root left open by an interrupted run", modes, 0o555, 0o755, 0o555, false, isRoot},
		{"rwx bits, new root", modes, 0o700, 0o755, 0o700, isNew, isRoot},
		{"rwx bits, set-id bits do not count", modes, fs.ModeSetgid | 0o755, 0o700, 0o755, false, false},
		{"all bits, existing root", perms, fs.ModeSticky | 0o777, 0o755, fs.ModeSticky | 0o777, false, isRoot},
		{"all bits, new", perms, fs.ModeSetgid | 0o775, 0o755, fs.ModeSetgid | 0o775, isNew, false},
		{"no bits, existing", none, 0o700, 0o777, 0o777, false, false},
		{"no bits, as an interrupted run leaves it", none, 0o555, 0o755, 0o755, false, false},
		{"no bits, new", none, 0o700, 0o755, 0o700, isNew, false},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := DirMode(tt.keep, dir|tt.src, dir|tt.found, tt.isNew, tt.isRoot); got != dir|tt.want {
				t.Errorf("DirMode(%v, %v) = %v, want %v", tt.src, tt.found, got, dir|tt.want)
			}
		})
	}
}

func TestCurrentMode(t *testing.T) {
	for _, tt := range []struct {
		name string
		keep metadata.Keep
		want fs.FileMode
	}{
		{"no modes", metadata.Keep{}, 0o600},
		{"no permissions", metadata.Keep{NoPerms: true}, 0o600},
		{"rwx bits", metadata.Keep{Modes: true}, fs.ModeSetuid | 0o755},
		{"all bits", metadata.Keep{Perms: true}, fs.ModeSetuid | 0o755},
	} {
		if got := CurrentMode(tt.keep, fs.ModeSetuid|0o755, 0o600); got != tt.want {
			t.Errorf("%s: %v, want %v", tt.name, got, tt.want)
		}
	}
}

func TestExecutability(t *testing.T) {
	keep := metadata.Keep{NoPerms: true, Executable: true}
	for _, tt := range []struct{ src, dst, want fs.FileMode }{
		{0o755, 0o640, 0o750},
		{0o700, 0o444, 0o555},
		{0o644, 0o755, 0o644},
		{0o644, fs.ModeSetuid | 0o711, fs.ModeSetuid | 0o600},
		{0o755, 0o700, 0o700},
		{0o644, 0o600, 0o600},
	} {
		if got := CurrentMode(keep, tt.src, tt.dst); got != tt.want.Perm() {
			t.Errorf("%v over %v, which is current: %v, want %v", tt.src, tt.dst, got, tt.want)
		}
		want := vfs.Attr{Mode: tt.src}
		if KeepMode(keep, &want, vfs.Attr{Mode: tt.dst}); want.Mode != tt.want {
			t.Errorf("%v over %v: %v, want %v", tt.src, tt.dst, want.Mode, tt.want)
		}
	}
	if got := CurrentMode(metadata.Keep{Executable: true, Modes: true}, 0o644, 0o755); got != 0o644 {
		t.Errorf("where modes are kept: %v", got)
	}
}

func TestKeepMode(t *testing.T) {
	src := vfs.Attr{Mode: 0o644, UID: 1, GID: 2, Size: 3}
	dst := vfs.Attr{Mode: fs.ModeSetuid | 0o755, UID: 8, GID: 9, Size: 7}
	all := metadata.Keep{NoPerms: true, Owner: true, Group: true}
	for _, tt := range []struct {
		name string
		keep metadata.Keep
		dst  fs.FileMode
		want vfs.Attr
	}{
		{"modes are kept", metadata.Keep{Perms: true}, dst.Mode, src},
		{"nothing there", metadata.Keep{NoPerms: true}, Absent, src},
		{"a link is there", metadata.Keep{NoPerms: true}, link | 0o777, src},
		{"a file is there", metadata.Keep{NoPerms: true}, dst.Mode, vfs.Attr{Mode: dst.Mode, UID: 8, GID: 9, Size: 3}},
		{"a file is there, but owners are kept", all, dst.Mode, vfs.Attr{Mode: dst.Mode, UID: 1, GID: 2, Size: 3}},
	} {
		got, there := src, dst
		there.Mode = tt.dst
		if kept := KeepMode(tt.keep, &got, there); got != tt.want || kept != (got != src) {
			t.Errorf("%s: %v, %+v, want %+v", tt.name, kept, got, tt.want)
		}
	}
}
