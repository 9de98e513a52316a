package plan

import (
	"slices"

	"psync/internal/metadata"
)

// Primary returns the index of the name to copy if the destination treats all names as the same: the first
// that it lists with this spelling, so that an earlier copy stays, or else the first.
func Primary(names, listed []string) int {
	return max(0, slices.IndexFunc(names, func(name string) bool { return slices.Contains(listed, name) }))
}

// IsAlias reports whether two names that a directory has, first and name, are names of one directory entry.
// listed are the candidates as the directory lists them, and sameID reports whether both names lead to the
// same inode, as hard links also do.
//
// A name that exists but is not listed is an alias, unless the directory stores names in another form,
// composed or decomposed.
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
