package plan

import (
	"slices"

	"psync/internal/metadata"
)

// Primary returns the index of the one of names that is copied if the destination takes
// all of them for one: the first that it lists as it is spelled, so that what was copied
// there before stays, or else the first.
func Primary(names, listed []string) int {
	return max(0, slices.IndexFunc(names, func(name string) bool { return slices.Contains(listed, name) }))
}

// IsAlias reports whether a directory that has both first and name has one entry for them.
// listed are the entries that may be meant, as the directory spells them, and sameID
// says whether both names lead to the same inode, which hard links do as well.
//
// A name that is not listed but found is an alias, unless the directory stores names in
// another form, composed or decomposed.
func IsAlias(first, name string, listed []string, sameID bool) bool {
	isListed := func(name string) bool { return slices.Contains(listed, name) }
	form := func(other string) bool { return metadata.Composed(other) == metadata.Composed(name) }
	switch {
	case len(listed) == 0: // the listing is older than the entries
		return sameID
	case len(listed) == 1:
		return true
	case isListed(name):
		return !isListed(first) && (sameID || form(first))
	}
	return form(first) || !slices.ContainsFunc(listed, func(other string) bool { return other != first && form(other) })
}
