package plan

import "io/fs"

// A Method says how an entry is made.
type Method uint8

// The methods.
const (
	Direct    Method = iota // under its final name, which does not exist
	Temporary               // under a temporary name, then renamed
	Rewrite                 // by writing into the existing file
)

// Method decides how an entry of type src, which is not a directory, is made. action is the action for its
// name, and dst the type of the destination's entry. elsewhere says that a new file is not written in its final
// directory, or not from beginning to end.
//
// A symbolic link is made directly, because it may stay without its attributes: its target is right, and the next
// run sets the missing attributes. Special files are rare enough to be made under a temporary name. A file that
// is made under its final name is incomplete for a while, and stays so if the process is killed. Method avoids
// that if later runs with the same policy would consider the file complete, could not distinguish it from a newer
// file because it is not a prefix of the source, or would make a backup of it. With Append, later runs continue it.
func (p Policy) Method(action Action, src, dst fs.FileMode, elsewhere bool) Method {
	src, dst = src.Type(), dst.Type()
	switch {
	case action == Replace && p.InPlace && src == 0 && dst == 0:
		return Rewrite
	case action != Create:
		return Temporary
	case src == fs.ModeSymlink && !p.IgnoreExisting:
		return Direct
	case src == 0 && p.Append && !p.IgnoreExisting:
		return Direct
	case src == 0 && !elsewhere && !p.DelayUpdates && !p.Update && !p.BacksUp && p.RecopiesStale():
		return Direct
	}
	return Temporary
}

// RecopiesStale reports whether a later run of the same policy copies a file again if only its time differs.
func (p Policy) RecopiesStale() bool { return !p.IgnoreExisting && !p.SizeOnly }
