package sys

// A Change is a set of changes of entries that a [Landlock] may allow. Modes, owners, times and extended attributes are not
// among them: they can always be changed everywhere.
type Change uint8

// The changes beneath a directory.
const (
	LinkOut   Change = 1 << iota // files get names elsewhere, for which the kernel wants them to be writable, too
	Remove                       // entries are removed
	create                       // entries are made
	AnyChange = LinkOut | Remove | create
)
