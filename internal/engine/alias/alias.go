package alias

import (
	"errors"
	"fmt"
	"maps"

	"psync/internal/engine/dirnames"
	"psync/internal/plan"
	"psync/internal/vfs"
)

// ErrCollision says that a destination that may ignore case got an entry of the name after it was looked up.
var ErrCollision = errors.New("the destination has it already: either another entry of the source has the same name to a destination that ignores case, or another process made it meanwhile")

// An Error says that the destination has one entry for two names of the source; First is the one that was copied.
type Error struct{ First string }

func (e *Error) Error() string {
	return fmt.Sprintf("is the same name as %q to the destination, so it was left out; rename one of them", e.First)
}

func (e *Error) Is(err error) bool { return err == ErrCollision }

// ListOnce returns a function that returns the names in dst that have the same key as name, which must be one of
// deferred. It lists dst when it is first called.
func ListOnce(dst vfs.Dir, deferred []Deferred) func(name string) ([]string, error) {
	var listed map[string][]string
	var err error
	return func(name string) ([]string, error) {
		if listed == nil {
			keys := make(map[string]bool, len(deferred))
			for _, a := range deferred {
				keys[dirnames.Key(a.Name)] = true
			}
			listed, err = dirnames.ListAliases(dst, maps.Keys(keys))
		}
		return listed[dirnames.Key(name)], err
	}
}

// Is reports whether dst has one entry for both name and first. It looks up both there, because what a file system
// reports about itself is not enough: the behavior may differ by server, mount option and flags of the directory.
// listed returns the names there with the key of name. If neither exists, Is returns the result of folds, which
// reports whether the directory ignores the difference.
func Is(dst vfs.Dir, first, name string, listed func(name string) ([]string, error), folds func() bool) (bool, error) {
	if dst == nil {
		return folds(), nil
	}
	one, hasFirst, err := dirnames.Find(dst, first)
	if err != nil {
		return false, err
	}
	other, hasName, err := dirnames.Find(dst, name)
	switch {
	case err != nil:
		return false, err
	case hasFirst && hasName:
		names, err := listed(name)
		return plan.IsAlias(first, name, names, one.ID() == other.ID()), err
	case hasFirst != hasName:
		return false, nil
	}
	// Neither exists: first could not be copied, or this is a dry run. If the destination treats the names as the
	// same, name must not take the place of first.
	return folds(), nil
}
