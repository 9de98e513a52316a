package report

import "strings"

// An Attr is a set of attributes that could not be kept, or must be.
type Attr uint16

// The attributes.
const (
	Mode Attr = 1 << iota
	Owner
	Group
	Times
	Btime // time of birth
	ACLs
	Xattrs // extended attributes
	Flags
	HardLinks // that two names are those of one entry
	Devices   // that there is a device at all
	Specials  // that there is a fifo or a socket
	Symlinks  // that there is a symbolic link
)

// A Diff is a set of differences between an entry of the source and what the
// destination has under its name.
type Diff uint16

// The differences.
const (
	DiffNew      Diff = 1 << iota // nothing is there, or something of another type
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
	DiffLinks // names of one entry are names of several, or the other way round
)

// Attributes lists the attributes in the order in which they are reported: the difference that an attribute
// makes, its name as that of one entry, and the flag that preserves it, or "".
var Attributes = [...]struct {
	Attr Attr
	Diff Diff
	Word string
	Flag string
}{
	{Mode, DiffPerms, "mode", "perms"},
	{Owner, DiffOwner, "owner", "owner"},
	{Group, DiffGroup, "group", "group"},
	{0, DiffAtime, "atime", ""}, // which is never reported as not kept by itself
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

// String names the attributes as those of one entry.
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
