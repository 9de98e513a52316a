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
		root, sftp      bool
		asked, archived report.Attr
		silent          bool
	}{
		{"", true, false, report.Symlinks, 0, false},
		{"-a", false, false, report.Symlinks, 0, false},
		{"-a", true, false, report.Symlinks, archived, false},
		{"-a --no-o", true, false, report.Symlinks, archived &^ report.Owner, false},
		{"--no-o -a", true, false, report.Symlinks, archived, false},
		{"-a --no-D --no-t", true, false, report.Symlinks, archived &^ (report.Devices | report.Specials | report.Times), false},
		{"-aX", true, false, report.Symlinks | report.Xattrs, archived, false},
		{"-o", false, false, report.Symlinks | report.Owner, 0, false},
		{"--archive-all", true, false, report.Symlinks, archived, false},
		{"-a", true, true, report.Symlinks, report.Devices | report.Specials, false},
		{"-a", false, true, report.Symlinks, report.Specials, false},
		{"-a --no-D", false, true, report.Symlinks, 0, false},
		{"-D", false, true, report.Symlinks | report.Devices | report.Specials, 0, false},
		{"", false, true, report.Symlinks, 0, false},
		{"-a --on-unsupported=warn", false, true, 0, 0, false},
		{"-aX --on-unsupported=fail", false, false, all, 0, false},
		{"--on-unsupported=fail", true, false, all, 0, false},
		{"-aX --on-unsupported=warn", true, false, 0, 0, false},
		{"-aX --on-unsupported=ignore", true, false, 0, 0, true},
	}
	for _, tt := range tests {
		f, err := parse(Copy, strings.Fields(tt.args)...)
		if err != nil {
			t.Fatal(err)
		}
		if !tt.root {
			f.Engine.User = vfs.User{UID: 1}
		}
		k := f.Bind(f.Engine, tt.sftp, 0).Keep
		if k.Asked != tt.asked || k.Archived != tt.archived || k.Silent != tt.silent {
			t.Errorf("%q, root %v, SFTP %v: asked %v, archived %v, silent %v; want %v, %v, %v",
				tt.args, tt.root, tt.sftp, k.Asked, k.Archived, k.Silent, tt.asked, tt.archived, tt.silent)
		}
	}
}
