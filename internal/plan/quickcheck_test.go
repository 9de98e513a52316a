package plan

import (
	"testing"

	"psync/internal/metadata"
)

func TestQuickChecks(t *testing.T) {
	for _, tt := range []struct {
		name   string
		policy Policy
		keep   metadata.Keep
		want   bool
	}{
		{"sync", Policy{Sync: true}, metadata.Keep{Mtime: true}, true},
		{"-aHAX", Policy{Sync: true}, metadata.Keep{Mtime: true, Perms: true, Owner: true, Group: true, ACLs: true, Xattrs: true}, true},
		{"--size-only", Policy{Sync: true, SizeOnly: true}, metadata.Keep{}, true},
		{"--existing", Policy{Sync: true, Existing: true}, metadata.Keep{}, true},
		{"-u", Policy{Sync: true, Update: true}, metadata.Keep{}, true},
		{"copy", Policy{}, metadata.Keep{Mtime: true}, false},
		{"compare", Policy{Sync: true, Compare: true}, metadata.Keep{}, true},
		{"-c", Policy{Sync: true, Checksum: true}, metadata.Keep{}, false},
		{"--ignore-times", Policy{Sync: true, IgnoreTimes: true}, metadata.Keep{}, false},
		{"--ignore-existing", Policy{Sync: true, IgnoreExisting: true}, metadata.Keep{}, false},
		{"--min-size", Policy{Sync: true, MinSize: 1}, metadata.Keep{}, false},
		{"-L", Policy{Sync: true, Links: Links{Copy: true}}, metadata.Keep{}, false},
		{"--no-perms", Policy{Sync: true}, metadata.Keep{NoPerms: true}, false},
		{"-U", Policy{Sync: true}, metadata.Keep{Atime: true}, false},
		{"--fileflags", Policy{Sync: true}, metadata.Keep{Flags: true}, false},
		{"--chmod", Policy{Sync: true}, metadata.Keep{Chmod: metadata.Chmod{{}}}, false},
		{"--chown", Policy{Sync: true}, metadata.Keep{Chown: metadata.Chown{SetGID: true}}, false},
	} {
		if got := tt.policy.QuickChecks(tt.keep); got != tt.want {
			t.Errorf("%s: %v, want %v", tt.name, got, tt.want)
		}
	}
}
