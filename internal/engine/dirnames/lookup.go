package dirnames

import (
	"errors"
	"io/fs"
	"iter"
	"slices"
	"strings"

	"psync/internal/vfs"
)

// ListAliases returns, for each of the keys, the names in dst that have it; see [Key].
func ListAliases(dst vfs.Dir, keys iter.Seq[string]) (listed map[string][]string, err error) {
	listed = make(map[string][]string)
	for key := range keys {
		listed[key] = nil
	}
	err = dst.ReadDir(func(entries []vfs.Entry) error {
		for _, e := range entries {
			key := Key(e.Name)
			if names, ok := listed[key]; ok {
				listed[key] = append(names, strings.Clone(e.Name))
			}
		}
		return nil
	})
	return listed, err
}

// FoldsCase reports whether a directory ignores case, without changing anything: it looks up the first
// entry that has a letter in its name, with the case of all letters swapped. If there is no such
// entry, known is false.
func FoldsCase(dir vfs.Dir) (folds, known bool) {
	_ = dir.ReadDir(func(entries []vfs.Entry) error {
		for _, e := range entries {
			swapped := swapCase(e.Name)
			if swapped == e.Name || slices.ContainsFunc(entries, func(other vfs.Entry) bool { return other.Name == swapped }) {
				continue
			}
			if _, found, err := Find(dir, swapped); err == nil {
				folds, known = found, true
				return errFound
			}
		}
		return nil
	})
	return folds, known
}

// swapCase swaps the case of ASCII letters.
func swapCase(name string) string {
	swapped := []byte(name)
	for i, c := range swapped {
		if 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' {
			swapped[i] = c ^ 0x20
		}
	}
	return string(swapped)
}

// Find returns the attributes of the entry called name. If there is no such entry, ok is false and err is nil.
func Find(in vfs.Dir, name string) (attr vfs.Attr, ok bool, err error) {
	attr, err = vfs.Lstat(in, name)
	if errors.Is(err, fs.ErrNotExist) {
		return vfs.Attr{}, false, nil
	}
	return attr, err == nil, err
}

var errFound = errors.New("found")
