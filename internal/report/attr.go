package report

import (
	"iter"
	"strings"
)

// An Attr is a set of attributes.
type Attr uint16

// The attributes.
const (
	Mode Attr = 1 << iota
	Owner
	Group
	Times
	Btime // creation time
	ACLs
	Xattrs // extended attributes
	Flags
	HardLinks // that two names belong to one entry
	Devices   // that there is a device at all
	Specials  // that there is a fifo or a socket
	Symlinks  // that there is a symbolic link
)

// A Diff is a set of differences between a source entry and the destination entry of
// the same name.
type Diff uint16

// The differences.
const (
	DiffNew      Diff = 1 << iota // the destination has no such entry, or one of another type
	DiffContents                  // the bytes of two files of one size (or, by -c, of any), or the targets of two links
	DiffSize
	DiffMtime
	DiffNow // the entry will have the modification time of this run
	DiffAtime
	DiffPerms
	DiffOwner
	DiffGroup
	DiffBtime
	DiffACL
	DiffXattr
	DiffFlags
	DiffLinks // names of one entry belong to several entries on the other side
)

// diffs are the differences in the order of their bits: the name in logs, and the letter in rsync's itemize format with
// its place among those after the action and the type. A place has the letter of the last difference that it is for.
// rsync has no letter for flags, and an additional place would shift the columns that scripts cut out of the line, so
// flags share the place of permissions. Two differences have no place of their own: the first letters show them.
var diffs = [...]struct {
	name   string
	letter byte
	place  int
}{
	{name: "new"},
	{"contents", 'c', 0},
	{"size", 's', 1},
	{"mtime", 't', 2},
	{"mtime_now", 'T', 2},
	{"atime", 'u', 6}, // use
	{"perms", 'p', 3},
	{"owner", 'o', 4},
	{"group", 'g', 5},
	{"btime", 'n', 6}, // newness
	{"acl", 'a', 7},
	{"xattr", 'x', 8},
	{"flags", 'p', 3},
	{name: "links"},
}

// Names yields the names of the differences as logs have them.
func (d Diff) Names() iter.Seq[string] {
	return func(yield func(string) bool) {
		for i := range diffs {
			if d&(1<<i) != 0 && !yield(diffs[i].name) {
				return
			}
		}
	}
}

// Letters returns the letters of the differences in rsync's itemize format.
func (d Diff) Letters() (letters [9]byte) {
	for i := range letters {
		letters[i] = '.'
	}
	for i := range diffs {
		if d&(1<<i) != 0 && diffs[i].letter != 0 {
			letters[diffs[i].place] = diffs[i].letter
		}
	}
	if d&(DiffAtime|DiffBtime) == DiffAtime|DiffBtime {
		letters[6] = 'b' // both
	}
	return letters
}

// Attributes lists the attributes in the order in which they are reported: the corresponding difference,
// the name as used for one entry, and the flag that preserves the attribute, or "".
var Attributes = [...]struct {
	Attr Attr
	Diff Diff
	Word string
	Flag string
}{
	{Mode, DiffPerms, "mode", "perms"},
	{Owner, DiffOwner, "owner", "owner"},
	{Group, DiffGroup, "group", "group"},
	{0, DiffAtime, "atime", ""}, // never reported on its own
	{Times, DiffMtime, "times", "times"},
	{Btime, DiffBtime, "birth time", "crtimes"},
	{ACLs, DiffACL, "ACL", "acls"},
	{Xattrs, DiffXattr, "extended attributes", "xattrs"},
	{Flags, DiffFlags, "flags", "fileflags"},
	{HardLinks, DiffLinks, "hard links", "hard-links"},
	{Devices, 0, "device", "devices"},
	{Specials, 0, "special file", "specials"},
	{Symlinks, 0, "symbolic link", ""},
}

// String returns the names of the attributes.
func (a Attr) String() string {
	var words []string
	for _, n := range Attributes {
		if a&n.Attr != 0 {
			words = append(words, n.Word)
		}
	}
	return strings.Join(words, ", ")
}

// Diff returns the differences in attributes.
func (a Attr) Diff() (d Diff) {
	for _, n := range Attributes {
		if a&n.Attr != 0 {
			d |= n.Diff
		}
	}
	return d
}
