// Package landlock confines a process by the Landlock of Linux: the kernel then forbids it to make, write and remove
// entries elsewhere than in given directories.
package landlock

// A Change is a set of kinds of changes that a [Ruleset] may allow. Landlock does not restrict changes of modes,
// owners, times and extended attributes.
type Change uint8

// The changes beneath a directory.
const (
	LinkOut   Change = 1 << iota // hard-link files elsewhere; the kernel requires that they are writable, too
	Remove                       // remove entries
	create                       // make entries
	AnyChange = LinkOut | Remove | create
)
