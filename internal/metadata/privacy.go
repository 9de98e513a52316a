package metadata

import (
	"errors"
	"io/fs"
	"slices"
	"syscall"
)

// opening are the operations for which a refusal by owner, mode or ACL is EACCES.
var opening = []string{"open", "opendir", "readdir", "stat", "lstat"}

// MayBePrivate reports whether an error may come from the privacy protection of the system (on
// macOS: TCC), which root is subject to, too.
func (p *Profile) MayBePrivate(err error) bool {
	e, ok := errors.AsType[*fs.PathError](err)
	return ok && p.Privacy && slices.Contains(opening, e.Op) && errors.Is(e.Err, syscall.EPERM)
}
