package plan

import (
	"testing"

	"psync/internal/metadata"
	"psync/internal/vfs"
)

func TestCopiesPlain(t *testing.T) {
	for _, tt := range []struct {
		name   string
		policy Policy
		keep   metadata.Keep
		want   bool
	}{
		{"copy", Policy{}, metadata.Keep{Mtime: true}, true},
		{"no times", Policy{}, metadata.Keep{}, true},
		{"sync", Policy{Sync: true}, metadata.Keep{Mtime: true}, true},
		{"-a", Policy{Sync: true, Devices: true, Specials: true}, metadata.Keep{Mtime: true, Modes: true, Perms: true, Owner: true, Group: true}, true},
		{"-A -X", Policy{Sync: true}, metadata.Keep{Mtime: true, ACLs: true, Xattrs: true}, true},
		{"--delete", Policy{Sync: true, Delete: Delete{On: true}}, metadata.Keep{}, true},
		{"compare", Policy{Sync: true, Compare: true}, metadata.Keep{}, false},
		{"--existing", Policy{Existing: true}, metadata.Keep{}, false},
		{"--ignore-existing", Policy{IgnoreExisting: true}, metadata.Keep{}, false},
		{"-u", Policy{Update: true}, metadata.Keep{}, false},
		{"--size-only", Policy{Sync: true, SizeOnly: true}, metadata.Keep{}, false},
		{"--min-size", Policy{MinSize: 1}, metadata.Keep{}, false},
		{"--max-size=0", Policy{LimitSize: true}, metadata.Keep{}, false},
		{"-L", Policy{Links: Links{Copy: true}}, metadata.Keep{}, false},
		{"--no-perms", Policy{}, metadata.Keep{NoPerms: true}, false},
		{"-U", Policy{}, metadata.Keep{Atime: true}, false},
		{"-N", Policy{}, metadata.Keep{Btime: true}, false},
		{"--fileflags", Policy{}, metadata.Keep{Flags: true}, false},
		{"--chmod", Policy{}, metadata.Keep{Chmod: metadata.Chmod{{}}}, false},
		{"--chown", Policy{}, metadata.Keep{Chown: metadata.Chown{SetUID: true}}, false},
		{"owners by name", Policy{}, metadata.Keep{Accounts: func(vfs.AccountKind, uint32) uint32 { return 0 }}, false},
	} {
		if got := tt.policy.CopiesPlain(tt.keep); got != tt.want {
			t.Errorf("%s: %v, want %v", tt.name, got, tt.want)
		}
	}
}
