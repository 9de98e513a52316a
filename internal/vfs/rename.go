package vfs

// Rename renames an entry as the method of [Dir] does. from and to may be the same directory.
func Rename(from Dir, oldname string, to Dir, newname string, only *Premise) error {
	if from == to {
		to = nil
	}
	return from.Rename(oldname, to, newname, only)
}
