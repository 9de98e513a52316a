package plan

import (
	"fmt"
	"io/fs"
	"testing"
)

func TestLeadsOut(t *testing.T) {
	tests := []struct {
		target, dir string
		want        bool
	}{
		{"", "", true},
		{"", "a", true},
		{"/abs", "", true},
		{"/", "a/b", true},
		{"x", "", false},
		{"x", "a/b", false},
		{"x/y/z", "", false},
		{".", "", false},
		{".", "a", false},
		{"./x", "", false},
		{"..", "", true},
		{"..", "a", false},
		{"..", "a/b", false},
		{"../x", "", true},
		{"../x", "a", false},
		{"../../x", "a", true},
		{"../../x", "a/b", false},
		{"../../../x", "a/b", true},
		{"../..", "a/b", false},
		{"../../..", "a/b", true},
		{"..//x", "a", false},
		{"..//..//x", "a", true},
		{"a//b", "", false},
		{"a/", "", false},
		{"../", "", true},
		{"a/../b", "", true}, // a may be a link
		{"a/../b", "a/b/c", true},
		{"a/..", "x", true},
		{"../a/..", "x/y", true},
		{"./../x", "", true},
		{"./../x", "a", true}, // as in rsync, though it does not lead out
		{"...", "", false},
		{"..x", "", false},
		{"..x/y", "", false},
		{"../x", "a//b", false},
	}
	for _, tt := range tests {
		t.Run(fmt.Sprintf("%q in %q", tt.target, tt.dir), func(t *testing.T) {
			if got := LeadsOut(tt.target, tt.dir); got != tt.want {
				t.Errorf("LeadsOut(%q, %q) = %v, want %v", tt.target, tt.dir, got, tt.want)
			}
		})
	}
}

func TestCopyAs(t *testing.T) {
	for _, tt := range []struct {
		name                   string
		links                  Links
		inside, outside        LinkAction
		needsTarget, followsIt bool
	}{
		{"as links", Links{}, AsLink, AsLink, false, false},
		{"-L", Links{Copy: true}, AsTarget, AsTarget, false, true},
		{"-k", Links{CopyDirlinks: true}, AsTargetIfDir, AsTargetIfDir, false, true},
		{"-K", Links{KeepDirlinks: true}, AsLink, AsLink, false, false},
		{"--copy-unsafe-links", Links{CopyUnsafe: true}, AsLink, AsTarget, true, true},
		{"--safe-links", Links{Safe: true}, AsLink, OmitUnsafe, true, false},
		{"--safe-links --copy-unsafe-links", Links{Safe: true, CopyUnsafe: true}, AsLink, AsTarget, true, true},
		{"-L --safe-links", Links{Copy: true, Safe: true}, AsTarget, AsTarget, true, true},
		{"-k --safe-links", Links{CopyDirlinks: true, Safe: true}, AsTargetIfDir, OmitUnsafe, true, true},
		{"-k --copy-unsafe-links", Links{CopyDirlinks: true, CopyUnsafe: true}, AsTargetIfDir, AsTarget, true, true},
		{"-Lk", Links{Copy: true, CopyDirlinks: true}, AsTarget, AsTarget, false, true},
	} {
		t.Run(tt.name, func(t *testing.T) {
			inside, outside := tt.links.CopyAs("../x", "a/b"), tt.links.CopyAs("/x", "a/b")
			if inside != tt.inside || outside != tt.outside {
				t.Errorf("CopyAs = %d inside and %d outside, want %d and %d", inside, outside, tt.inside, tt.outside)
			}
			if got := tt.links.NeedsTarget(); got != tt.needsTarget {
				t.Errorf("NeedsTarget = %v", got)
			}
			if got := tt.links.Follows(); got != tt.followsIt {
				t.Errorf("Follows = %v", got)
			}
			if got := tt.links.HasEffect(); got != (inside != AsLink || outside != AsLink) {
				t.Errorf("HasEffect = %v", got)
			}
			if !tt.needsTarget && tt.links.CopyAs("", "") != inside {
				t.Error("the target matters, though it is not needed")
			}
		})
	}
}

func TestExcludes(t *testing.T) {
	always, never := func(bool) bool { return true }, func(bool) bool { return false }
	dirs, others := func(isDir bool) bool { return isDir }, func(isDir bool) bool { return !isDir }
	for _, tt := range []struct {
		name   string
		links  Links
		t      fs.FileMode
		hidden func(bool) bool
		want   bool
	}{
		{"file, no rule", Links{}, file, never, false},
		{"file", Links{}, file, always, true},
		{"file, rule for directories", Links{}, file, dirs, false},
		{"directory, rule for directories", Links{}, dir, dirs, true},
		{"directory, rule for what is none", Links{}, dir, others, false},
		{"link", Links{}, link, always, true},
		{"link, rule for what is not a directory", Links{}, link, others, true},
		{"link, rule for directories", Links{}, link, dirs, false},
		{"link that is followed", Links{Copy: true}, link, always, true},
		{"link that is followed, no rule", Links{CopyUnsafe: true}, link, never, false},
		{"link that is followed, rule for what is not a directory", Links{CopyDirlinks: true}, link, others, false},
		{"link that is followed, rule for directories", Links{Copy: true}, link, dirs, false},
		{"link of the destination that is followed", Links{KeepDirlinks: true}, link, others, true},
		{"file beside links that are followed", Links{Copy: true}, file, others, true},
	} {
		if got := tt.links.Excludes(tt.t, tt.hidden); got != tt.want {
			t.Errorf("%s: %v", tt.name, got)
		}
	}
}
