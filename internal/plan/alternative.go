package plan

// An AlternativeKind says how to use a file of another tree with the layout of the destination, as for
// rsync's --link-dest.
type AlternativeKind uint8

// The kinds.
const (
	LinkDest    AlternativeKind = iota // hard-link to it
	CopyDest                           // copy it from there
	CompareDest                        // do not put the file into the destination, and in a sync remove it from there
)

// Replaces reports whether a file of another tree with the contents of the source may be used instead of a
// copy. exact says that it also has all attributes that the copy would get.
func (k AlternativeKind) Replaces(exact bool) bool { return exact && k != CopyDest }

// IsOrigin reports whether the contents of a copy may be taken from a file of another tree with equal
// contents. If the file is not exact, another user may have it open for writing, so it is not used for a copy
// that gets privileges.
func (k AlternativeKind) IsOrigin(exact, privileges bool) bool {
	return k != CompareDest && (exact || !privileges)
}

// Removes reports whether an entry of the destination is removed if another tree has the file of the source.
func (k AlternativeKind) Removes(sync bool, action Action) bool {
	return k == CompareDest && sync && (action == Replace || action == ReplaceDir)
}

// LeavesOut reports whether a link or special file is not made if another tree has the same one.
func (k AlternativeKind) LeavesOut(action Action) bool { return k == CompareDest && action == Create }

// A Substitution says how a file of another tree is used instead of a copy.
type Substitution uint8

// The substitutions.
const (
	CopyAnyway Substitution = iota
	Linked                  // the destination already has a link to it
	Link                    // link to it, if the file system can
	OmitFile                // the destination needs no file
)

// Substitute decides how to use a file for which [AlternativeKind.Replaces] is true. action is the action for
// its name in the destination, same says that the destination has the same file, and sameVolume that the
// destination may link to it.
func (k AlternativeKind) Substitute(action Action, same, sameVolume bool) Substitution {
	switch {
	case k == LinkDest && same:
		return Linked
	case k == LinkDest && sameVolume:
		return Link
	case k == CompareDest && action == Create:
		return OmitFile
	}
	return CopyAnyway // the existing entry must be replaced
}
