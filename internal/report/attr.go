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

// String names the attributes as those of one entry.
func (a Attr) String() string {
	var words []string
	for _, n := range [...]struct {
		attr Attr
		word string
	}{
		{Mode, "mode"},
		{Owner, "owner"},
		{Group, "group"},
		{Times, "times"},
		{Btime, "birth time"},
		{ACLs, "ACL"},
		{Xattrs, "extended attributes"},
		{Flags, "flags"},
		{HardLinks, "hard links"},
		{Devices, "device"},
		{Specials, "special file"},
		{Symlinks, "symbolic link"},
	} {
		if a&n.attr != 0 {
			words = append(words, n.word)
		}
	}
	return strings.Join(words, ", ")
}
