package run

import (
	"io/fs"
	"path/filepath"

	"psync/internal/operand"
	"psync/internal/vfs"
)

// An exposureChecker finds out whether a user other than root and the one who runs psync could put entries into
// directories that a run changes, or redirect their paths. What cannot be looked at counts as exposed.
type exposureChecker struct {
	host operand.Host
	uid  int
	safe map[string]bool // directories that have been looked at
}

func newExposureChecker(host operand.Host) *exposureChecker {
	return &exposureChecker{host: host, uid: host.Info().User.UID, safe: make(map[string]bool)}
}

// destExposed reports whether the directory at path, or one on the way to it, is exposed.
func (x *exposureChecker) destExposed(path string) bool {
	path, err := x.host.Resolve(path)
	return err != nil || x.exposed(path, 0) || x.ancestorsExposed(filepath.Dir(path))
}

// operandsExposed reports whether entries that are to be removed, or directories on the way to them, are exposed.
func (x *exposureChecker) operandsExposed(paths []string) bool {
	for _, path := range paths {
		parent, err := x.host.Resolve(filepath.Dir(filepath.Clean(path)))
		if err != nil || x.ancestorsExposed(parent) || x.exposed(path, 0) {
			return true
		}
	}
	return false
}

// ancestorsExposed reports whether path, which is absolute and has no links, or a directory above it is exposed. In a directory
// with the sticky bit, others cannot replace an entry that is not theirs.
func (x *exposureChecker) ancestorsExposed(path string) bool {
	for ; !x.safe[path]; path = filepath.Dir(path) {
		if x.exposed(path, fs.ModeSticky) {
			return true
		}
		x.safe[path] = true
	}
	return false
}

func (x *exposureChecker) exposed(path string, harmless fs.FileMode) bool {
	attr, err := x.host.Stat(path, vfs.NoFollow)
	return err != nil || changeableByOthers(attr, x.uid, harmless)
}

// changeableByOthers reports whether a user other than uid and root owns an entry, or may write to it although it has none
// of the mode bits that make that harmless. With an ACL, the group bits are its mask, an upper bound of what it grants.
func changeableByOthers(a vfs.Attr, uid int, harmless fs.FileMode) bool {
	if a.UID != 0 && int(a.UID) != uid {
		return true
	}
	return a.Mode.Type() != fs.ModeSymlink && a.Mode.Perm()&0o022 != 0 && a.Mode&harmless == 0
}
