package vfs

// Rename renames an entry, possibly into another directory. Like Dir.Rename it replaces an existing newname
// that is not a directory.
func Rename(from Dir, oldname string, to Dir, newname string) error {
	if from == to {
		return from.Rename(oldname, newname)
	}
	return from.Move(oldname, to, newname)
}
