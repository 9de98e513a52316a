package metadata

import (
	"io/fs"
	"testing"

	"psync/internal/vfs"
)

func TestWhatIsGrantedToForeignContents(t *testing.T) {
	file := func(mode fs.FileMode, uid, gid uint32, xattrs ...Xattr) State {
		return State{Attr: vfs.Attr{Mode: mode, UID: uid, GID: gid}, Xattrs: xattrs}
	}
	const suid, sgid = fs.ModeSetuid, fs.ModeSetgid
	able, other := Xattr{Name: capability, Value: []byte{1}}, Xattr{Name: capability, Value: []byte{2}}
	tests := []struct {
		name     string
		src, dst State
		grants   bool
	}{
		{"plain file of another owner", file(0o755, 0, 0), file(0o755, 1000, 0), false},
		{"set-uid, of another owner", file(0o755|suid, 0, 0), file(0o755, 1000, 0), true},
		{"set-uid, of the same owner", file(0o755|suid, 0, 0), file(0o755, 0, 0), true},
		{"set-uid already, of another owner", file(0o755|suid, 0, 0), file(0o755|suid, 1000, 0), true},
		{"set-uid already", file(0o755|suid, 0, 0), file(0o755|suid, 0, 0), false},
		{"set-uid already, but for a mode", file(0o755|suid, 0, 0), file(0o711|suid, 0, 0), false},
		{"set-gid, of another group", file(0o755|sgid, 0, 0), file(0o755, 0, 1000), true},
		{"set-gid already, of another group", file(0o755|sgid, 0, 0), file(0o755|sgid, 0, 1000), true},
		{"set-gid in addition to set-uid", file(0o755|suid|sgid, 0, 0), file(0o755|suid, 0, 0), true},
		{"set-uid taken away", file(0o755, 0, 0), file(0o755|suid, 1000, 0), false},
		{"a directory", file(fs.ModeDir|0o755|sgid, 0, 0), file(fs.ModeDir|0o755, 1000, 0), false},
		{"a capability", file(0o755, 0, 0, able), file(0o755, 0, 0), true},
		{"another capability", file(0o755, 0, 0, able), file(0o755, 0, 0, other), true},
		{"a capability already", file(0o755, 0, 0, able), file(0o755, 1000, 0, able), false},
		{"a capability taken away", file(0o755, 0, 0), file(0o755, 1000, 0, able), false},
	}
	k := Keep{Perms: true, Owner: true, Group: true, Xattrs: true}
	for _, tt := range tests {
		ops := Linux.Plan(nil, k, PlanContext{User: root}, &tt.src, &tt.dst)
		if got := GrantsPrivileges(ops, &tt.dst); got != tt.grants {
			t.Errorf("%s: %v", tt.name, got)
		}
		alice := vfs.User{UID: 1000, GID: 1000}
		ops = Linux.Plan(nil, k, PlanContext{User: alice}, &tt.src, &tt.dst)
		if tt.dst.UID != tt.src.UID && GrantsPrivileges(ops, &tt.dst) {
			t.Errorf("%s: an ordinary user grants", tt.name)
		}
	}
}

func TestWhoseContentsTheyMayBe(t *testing.T) {
	src := State{Attr: vfs.Attr{Mode: 0o755 | fs.ModeSetuid}}
	for _, tt := range []struct {
		dst  vfs.Attr
		want bool
	}{
		{vfs.Attr{Mode: 0o755}, false},
		{vfs.Attr{Mode: 0o755, UID: 1000}, true},
		{vfs.Attr{Mode: 0o755, GID: 1000}, true},
		{vfs.Attr{Mode: 0o775}, true},
		{vfs.Attr{Mode: 0o757}, true},
	} {
		if got := OthersMayWrite(&src, &State{Attr: tt.dst}); got != tt.want {
			t.Errorf("%+v: %v", tt.dst, got)
		}
	}
}
