package vfs

// Rename renames an entry, maybe into another directory.
func Rename(from Dir, oldname string, to Dir, newname string) error {
	if from == to {
		return from.Rename(oldname, newname)
	}
	return from.Move(oldname, to, newname)
}
