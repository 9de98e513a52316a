package vfs

// Rename renames an entry as the method of [Dir] does, into another directory or within one.
func Rename(from Dir, oldname string, to Dir, newname string, only *Premise) error {
	if from == to {
		to = nil
	}
	return from.Rename(oldname, to, newname, only)
}
