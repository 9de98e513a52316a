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

// Way decides how an entry of type src, which is not a directory, is made: action is what is to be done, dst
// the type of the destination's entry. elsewhere says that a new file is not written in its final directory, or
// not from beginning to end.
//
// A link that lacks attributes may stay: its target is right, the next run sets the missing attributes, and
// no descriptor shows whether its name still refers to it. Special files are rare enough to be made under a
// temporary name. A file that is made under its final name is incomplete for a while, and stays so if the
// process is killed. So that is avoided where later runs of the same policy would take it for complete, could not
// distinguish it from a newer file because it is not a prefix of the source, or would make a backup of it.
func (p Policy) Way(action Action, src, dst fs.FileMode, elsewhere bool) Way {
	src, dst = src.Type(), dst.Type()
	switch {
	case action == Replace && p.InPlace && src == 0 && dst == 0:
		return Rewrite
	case action != Create:
		return Temporary
	case src == fs.ModeSymlink && !p.IgnoreExisting:
		return Direct
	case src == 0 && !elsewhere && !p.DelayUpdates && !p.Update && !p.BacksUp && p.RecopiesStale():
		return Direct
	}
	return Temporary
}

// RecopiesStale reports whether a later run of the same policy copies a file again if only its time differs.
func (p Policy) RecopiesStale() bool { return !p.IgnoreExisting && !p.SizeOnly }
