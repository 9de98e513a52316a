package plan

import (
	"psync/internal/metadata"
	"psync/internal/vfs"
)

// MustReplace reports whether a file of the destination must be replaced by a new one rather than
// written in place, because it gets set-id bits or capabilities and another user may have it open.
func MustReplace(k metadata.Keep, want *metadata.State, there vfs.Attr) bool {
	return there.Mode.IsRegular() && k.KeepsPrivileges(want) &&
		metadata.OthersMayWrite(want, &metadata.State{Attr: there})
}

// Grant decides about a file that is up to date by size and time, and should get set-id bits or capabilities that
// it does not have. Its contents must be compared first, or it must be copied again because another user who could
// write to it may still have it open or mapped. On a volume that may not keep the owner, every run would copy it,
// so equal contents are sufficient.
func Grant(k metadata.Keep, want *metadata.State, there vfs.Attr, keepsOwner bool) Verdict {
	if keepsOwner && MustReplace(k, want, there) {
		return Transfer
	}
	return CompareContents
}
