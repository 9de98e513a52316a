package run

import (
	"io/fs"
	"path/filepath"

	"psync/internal/operand"
	"psync/internal/vfs"
)

// An exposure finds out whether another user, who is not root, could put entries into directories that a run
// changes, or have their paths lead elsewhere.
type exposure struct {
	host operand.Host
	uid  int
	safe map[string]bool // directories that have been looked at
}

func newExposure(host operand.Host) *exposure {
	return &exposure{host: host, uid: host.Info().User.UID, safe: make(map[string]bool)}
}

// ofDest reports whether the directory at path, or one on the way to it, is exposed.
func (x *exposure) ofDest(path string) bool {
	path, err := x.host.Resolve(path)
	return err != nil || x.of(path, 0) || x.onTheWay(filepath.Dir(path))
}

// ofOperands does the same for entries that are to be removed with what is below them.
func (x *exposure) ofOperands(paths []string) bool {
	for _, path := range paths {
		parent, err := x.host.Resolve(filepath.Dir(filepath.Clean(path)))
		if err != nil || x.onTheWay(parent) || x.of(path, 0) {
			return true
		}
	}
	return false
}

// onTheWay reports whether path, which is absolute and has no links, or a directory above it is exposed. In a directory
// with the sticky bit, others cannot replace an entry that is not theirs.
func (x *exposure) onTheWay(path string) bool {
	for ; !x.safe[path]; path = filepath.Dir(path) {
		if x.of(path, fs.ModeSticky) {
			return true
		}
		x.safe[path] = true
	}
	return false
}

func (x *exposure) of(path string, unless fs.FileMode) bool {
	attr, err := x.host.Stat(path, vfs.NoFollow)
	return err != nil || changeableByOthers(attr, x.uid, unless)
}

// changeableByOthers reports whether a user other than uid and root owns an entry, or may write to it without one of the
// bits unless. With an ACL, the bits of the group are the most that the ACL grants.
func changeableByOthers(a vfs.Attr, uid int, unless fs.FileMode) bool {
	if a.UID != 0 && int(a.UID) != uid {
		return true
	}
	return a.Mode.Type() != fs.ModeSymlink && a.Mode.Perm()&0o022 != 0 && a.Mode&unless == 0
}
