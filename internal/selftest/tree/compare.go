package tree

import (
	"fmt"
	"io/fs"
	"maps"
	"slices"
	"strings"

	"psync/internal/metadata"
	"psync/internal/selftest/check"
)

// WantSame fails the check unless two directories have the same state.
func WantSame(src, dst *check.T) {
	a, b := read(src), read(dst)
	var diffs []string
	for _, path := range slices.Sorted(maps.Keys(a)) {
		other, ok := b[path]
		if !ok {
			diffs = append(diffs, fmt.Sprintf("%q is missing", path))
		} else if d := differ(dst, a[path], other); d != "" {
			diffs = append(diffs, fmt.Sprintf("%q: %s", path, d))
		}
	}
	for path := range b {
		if _, ok := a[path]; !ok {
			diffs = append(diffs, fmt.Sprintf("%q is left over", path))
		}
	}
	if len(diffs) > 0 {
		dst.Fatalf("%s", strings.Join(diffs, "; "))
	}
}

// differ describes the differences of two states.
func differ(t *check.T, a, b state) string {
	var diffs []string
	add := func(what string, a, b any) {
		diffs = append(diffs, fmt.Sprintf("%s %v became %v", what, a, b))
	}
	link := a.Mode.Type() == fs.ModeSymlink
	if a.Mode != b.Mode && (!link || t.Profile.LinkModes || b.Mode.Type() != fs.ModeSymlink) {
		add("mode", a.Mode, b.Mode)
	}
	if !t.Volume.OwnersIgnored && (a.UID != b.UID || a.GID != b.GID) {
		add("owner", [2]uint32{a.UID, a.GID}, [2]uint32{b.UID, b.GID})
	}
	if !t.TimesAgree(a.Mtime, b.Mtime) {
		add("time", check.Clock(a.Mtime), check.Clock(b.Mtime))
	}
	if t.Profile.SetsBtime && !t.TimesAgree(a.Btime, b.Btime) {
		add("creation time", check.Clock(a.Btime), check.Clock(b.Btime))
	}
	if a.flags != b.flags {
		add("flags", fmt.Sprintf("%#x", a.flags), fmt.Sprintf("%#x", b.flags))
	}
	// Attributes that a copy never removes may be left.
	maps.DeleteFunc(b.xattrs, func(name, _ string) bool {
		_, has := a.xattrs[name]
		return !has && t.Profile.Xattr(name)&metadata.Deletes == 0
	})
	if !maps.Equal(a.xattrs, b.xattrs) {
		add("attributes", a.xattrs, b.xattrs)
	}
	if a.Rdev != b.Rdev && a.Mode&fs.ModeDevice != 0 {
		add("device", a.Rdev, b.Rdev)
	}
	if a.contents != b.contents {
		add("contents", a.contents, b.contents)
	}
	if a.twin != b.twin {
		add("the other name", a.twin, b.twin)
	}
	return strings.Join(diffs, ", ")
}
