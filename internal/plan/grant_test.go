package plan

import (
	"io/fs"
	"testing"

	"psync/internal/metadata"
	"psync/internal/vfs"
)

func TestGrant(t *testing.T) {
	const keepsOwner = true
	perms := metadata.Keep{Perms: true, Xattrs: true}
	capability := []metadata.Xattr{{Name: "security.capability", Value: []byte{1}}}
	for _, tt := range []struct {
		name        string
		keep        metadata.Keep
		mode        fs.FileMode
		xattrs      []metadata.Xattr
		there       vfs.Attr
		keepsOwner  bool
		mustReplace bool
		want        Verdict
	}{
		{"plain", perms, 0o755, nil, vfs.Attr{Mode: 0o777}, keepsOwner, false, CompareContents},
		{"set-user-ID, no one else could write", perms, fs.ModeSetuid | 0o755, nil, vfs.Attr{Mode: 0o755}, keepsOwner, false, CompareContents},
		{"set-user-ID, the group could write", perms, fs.ModeSetuid | 0o755, nil, vfs.Attr{Mode: 0o775}, keepsOwner, true, Transfer},
		{"set-group-ID, all could write", perms, fs.ModeSetgid | 0o755, nil, vfs.Attr{Mode: 0o757}, keepsOwner, true, Transfer},
		{"set-user-ID, of another owner", perms, fs.ModeSetuid | 0o755, nil, vfs.Attr{Mode: 0o755, UID: 7}, keepsOwner, true, Transfer},
		{"set-user-ID, of another group", perms, fs.ModeSetuid | 0o755, nil, vfs.Attr{Mode: 0o755, GID: 7}, keepsOwner, true, Transfer},
		{"set-user-ID, of another owner, on a volume without owners", perms, fs.ModeSetuid | 0o755, nil, vfs.Attr{Mode: 0o755, UID: 7}, false, true, CompareContents},
		{"set-user-ID, not kept", metadata.Keep{Modes: true}, fs.ModeSetuid | 0o755, nil, vfs.Attr{Mode: 0o777}, keepsOwner, false, CompareContents},
		{"capabilities, all could write", perms, 0o755, capability, vfs.Attr{Mode: 0o777}, keepsOwner, true, Transfer},
		{"capabilities, not kept", metadata.Keep{Perms: true}, 0o755, capability, vfs.Attr{Mode: 0o777}, keepsOwner, false, CompareContents},
		{"set-user-ID, in place of a link", perms, fs.ModeSetuid | 0o755, nil, vfs.Attr{Mode: link | 0o777}, keepsOwner, false, CompareContents},
	} {
		want := metadata.State{Attr: vfs.Attr{Mode: tt.mode}, Xattrs: tt.xattrs}
		if got := MustReplace(tt.keep, &want, tt.there); got != tt.mustReplace {
			t.Errorf("%s: MustReplace = %v", tt.name, got)
		}
		if got := Grant(tt.keep, &want, tt.there, tt.keepsOwner); got != tt.want {
			t.Errorf("%s: Grant = %d, want %d", tt.name, got, tt.want)
		}
	}
}
