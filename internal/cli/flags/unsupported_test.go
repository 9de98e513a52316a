package flags

import (
	"strings"
	"testing"

	"psync/internal/report"
	"psync/internal/vfs"
)

func TestWhatIsAFailureNotToKeep(t *testing.T) {
	const archived = report.Mode | report.Owner | report.Group | report.Times | report.Devices | report.Specials
	const all = ^report.Attr(0)
	tests := []struct {
		args            string
		root            bool
		asked, archived report.Attr
		silent          bool
	}{
		{"", true, report.Symlinks, 0, false},
		{"-a", false, report.Symlinks, 0, false},
		{"-a", true, report.Symlinks, archived, false},
		{"-a --no-o", true, report.Symlinks, archived &^ report.Owner, false},
		{"--no-o -a", true, report.Symlinks, archived, false},
		{"-a --no-D --no-t", true, report.Symlinks, archived &^ (report.Devices | report.Specials | report.Times), false},
		{"-aX", true, report.Symlinks | report.Xattrs, archived, false},
		{"-o", false, report.Symlinks | report.Owner, 0, false},
		{"--archive-all", true, report.Symlinks, archived, false},
		{"-aX --on-unsupported=fail", false, all, 0, false},
		{"--on-unsupported=fail", true, all, 0, false},
		{"-aX --on-unsupported=warn", true, 0, 0, false},
		{"-aX --on-unsupported=ignore", true, 0, 0, true},
	}
	for _, tt := range tests {
		f, err := parse(Copy, strings.Fields(tt.args)...)
		if err != nil {
			t.Fatal(err)
		}
		user := vfs.User{UID: 1}
		if tt.root {
			user.UID = 0
		}
		k := f.Engine(user, 0).Keep
		if k.Asked != tt.asked || k.Archived != tt.archived || k.Silent != tt.silent {
			t.Errorf("%q, root %v: asked %v, archived %v, silent %v; want %v, %v, %v",
				tt.args, tt.root, k.Asked, k.Archived, k.Silent, tt.asked, tt.archived, tt.silent)
		}
	}
}
