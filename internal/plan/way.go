package plan

import "io/fs"

// A Way is how an entry is made.
type Way uint8

// The ways.
const (
	Direct    Way = iota // under its name, which nothing has
	Temporary            // under a temporary name, then renamed
	Rewrite              // by writing into the file that is there
)

// Way decides how an entry of type src is made, other than a directory: action is what is done, dst the
// type of what the destination has. elsewhere says that a new file is not written where it will be, or not
// from its beginning to its end.
//
// A link that lacks attributes may stay: it leads where it should, the next run gives it what it lacks, and
// no descriptor tells whether its name still leads to it. Special files are rare enough to be made under a temporary name. A file that is made
// under its name is incomplete for a while, and stays so if the process is killed. So that is
// avoided where later runs of the same policy would take it for complete, or could not tell it
// from something newer because it is no beginning of the source.
func (p Policy) Way(action Action, src, dst fs.FileMode, elsewhere bool) Way {
	src, dst = src.Type(), dst.Type()
	switch {
	case action == Replace && p.InPlace && src == 0 && dst == 0:
		return Rewrite
	case action != Create:
		return Temporary
	case src == fs.ModeSymlink && !p.IgnoreExisting:
		return Direct
	case src == 0 && !elsewhere && !p.Update && p.RecopiesStale():
		return Direct
	}
	return Temporary
}

// RecopiesStale reports whether a later run of the same policy copies a file again if only its time differs.
func (p Policy) RecopiesStale() bool { return !p.IgnoreExisting && !p.SizeOnly }
