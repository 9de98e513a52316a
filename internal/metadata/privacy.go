package metadata

import (
	"errors"
	"io/fs"
	"slices"
	"syscall"
)

// opening are the operations that fail with EACCES if owner, mode or ACL do not permit them.
var opening = []string{"open", "opendir", "readdir", "stat", "lstat"}

// MayBePrivate reports whether an error may come from the privacy protection of the system (on macOS: TCC),
// which also applies to root.
func (p *Profile) MayBePrivate(err error) bool {
	e, ok := errors.AsType[*fs.PathError](err)
	return ok && p.Privacy && slices.Contains(opening, e.Op) && errors.Is(e.Err, syscall.EPERM)
}
