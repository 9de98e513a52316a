package backup

import (
	"fmt"

	"psync/internal/vfs"
)

// nameNotInSource returns a name for a backup next to the entry that no entry of the source has, because such an
// entry may be copied to that name.
func (s *Store) nameNotInSource(src vfs.Dir, name string) (string, error) {
	if taken, err := has(src, name+s.Suffix); err != nil || !taken {
		return name + s.Suffix, err
	}
	return firstFree(name, s.Suffix, src)
}

// renameOlder renames an older backup that occupies the name of a backup of another type to the first free name
// NAME.N, starting at 2.
func (s *Store) renameOlder(in vfs.Dir, name string) error {
	free, err := firstFree(name, "", in)
	if err != nil {
		return err
	}
	return s.Lifter.Rename(in, name, in, free)
}

// freeName returns the first of the names NAME.N, with the suffix of backups, that is free in the directory of
// backups and, if the source is copied there, in the source.
func (s *Store) freeName(in Dirs, name string) (string, error) {
	if !s.InPlace() {
		in.Source = nil
	}
	return firstFree(name, s.Suffix, in.Backups, in.Source)
}

// firstFree returns the first of the names NAME.N, starting at 2, that is free in all of dirs.
func firstFree(name, suffix string, dirs ...vfs.Dir) (string, error) {
	for n := 2; ; n++ {
		free, taken := fmt.Sprintf("%s.%d%s", name, n, suffix), false
		for _, dir := range dirs {
			is, err := has(dir, free)
			if err != nil {
				return "", err
			}
			taken = taken || is
		}
		if !taken {
			return free, nil
		}
	}
}

// has reports whether a directory, which may be nil, has an entry.
func has(dir vfs.Dir, name string) (bool, error) {
	if dir == nil {
		return false, nil
	}
	_, err := vfs.Lstat(dir, name)
	return err == nil, vfs.IgnoreNotExist(err)
}
