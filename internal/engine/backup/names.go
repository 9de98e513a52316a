package backup

import (
	"errors"
	"fmt"
	"io/fs"

	"psync/internal/vfs"
)

// nameNotInSource returns a name for a backup next to the entry that no entry of the source has, because such an
// entry may be copied to that name.
func (s *Store) nameNotInSource(src vfs.Dir, name string) (string, error) {
	newname := name + s.Suffix
	for n := 2; src != nil; n++ {
		_, err := vfs.Lstat(src, newname)
		if errors.Is(err, fs.ErrNotExist) {
			break
		}
		if err != nil {
			return "", err
		}
		newname = fmt.Sprintf("%s.%d%s", name, n, s.Suffix)
	}
	return newname, nil
}

// renameOlder renames an older backup that occupies the name of a backup of another type to the first free name
// NAME.N, starting at 2.
func (s *Store) renameOlder(in vfs.Dir, name string) error {
	for n := 2; ; n++ {
		free := fmt.Sprintf("%s.%d", name, n)
		_, err := vfs.Lstat(in, free)
		switch {
		case errors.Is(err, fs.ErrNotExist):
			return s.Lifter.Rename(in, name, in, free)
		case err != nil:
			return err
		}
	}
}

// freeName returns the first of the names NAME.N, with the suffix of backups, that is free in the directory of
// backups and, if the source is copied there, in the source.
func (s *Store) freeName(in Dirs, name string) (string, error) {
	dirs := []vfs.Dir{in.Backups}
	if s.InPlace() && in.Source != nil {
		dirs = append(dirs, in.Source)
	}
	for n := 2; ; n++ {
		free := fmt.Sprintf("%s.%d%s", name, n, s.Suffix)
		taken := false
		for _, dir := range dirs {
			_, err := vfs.Lstat(dir, free)
			if err != nil && !errors.Is(err, fs.ErrNotExist) {
				return "", err
			}
			taken = taken || err == nil
		}
		if !taken {
			return free, nil
		}
	}
}
