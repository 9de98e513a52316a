package operand

import (
	"errors"
	"fmt"
)

// Errors of operands, and of directories that flags name.
var (
	ErrEmpty = errors.New("empty operand")
	ErrClash = errors.New("two sources would get the same name")
	ErrMerge = errors.New("contents of several sources meet in one directory of the destination, and cannot be merged with")

	ErrMissing      = errors.New("the source does not exist")
	ErrNoMarker     = errors.New("is missing, which --require wants in each source")
	ErrNoName       = errors.New("the source has no name that it could get in the destination")
	ErrSame         = errors.New("source and destination are the same")
	ErrDestInSource = errors.New("the destination lies inside the source")
	ErrSourceInDest = errors.New("the source lies inside the destination")
	ErrDestMissing  = errors.New("the destination does not exist")
	ErrNoParent     = errors.New("the directory that the destination is to be made in does not exist")
	ErrDestNotDir   = errors.New("the destination is not a directory")
	ErrFilesFrom    = errors.New("--files-from names entries of one directory, but SRC is something else")

	ErrBackupOverlaps = errors.New("backups would mix with the source")
	ErrBackupSame     = errors.New("is the destination itself, where a backup would have the name of what it is one of")
	ErrBackupInSource = errors.New("the source has an entry of this name, which backups would mix with")
	ErrBackupIsSource = errors.New("a backup would take the place of the source")
	ErrTempElsewhere  = errors.New("is on another file system than the destination")

	ErrNoEntry = errors.New("does not exist")

	errOtherDir = errors.New("was replaced by another directory since the operands were looked at")
)

// An OverlapError is an [ErrDestInSource] that describes the path from a source to the destination.
type OverlapError struct {
	Dest, Source string
	Path         string // the path of the destination in the transfer, as filter rules see it; "": unknown
	Crosses      bool   // the path to the destination leads into another file system
	Listed       bool   // --files-from lists the path
}

func (e *OverlapError) Error() string {
	return fmt.Sprintf("%s is inside %s: %v", e.Dest, e.Source, ErrDestInSource)
}

func (e *OverlapError) Unwrap() error { return ErrDestInSource }

// A SourceInDestError is an [ErrSourceInDest] with the entry of the source that the run would replace or remove.
type SourceInDestError struct {
	Source, Dest string
	Path         string // of an entry of the source, as filter rules see it; "": unknown
}

func (e *SourceInDestError) Error() string {
	return fmt.Sprintf("%s is inside %s: %v", e.Source, e.Dest, ErrSourceInDest)
}

func (e *SourceInDestError) Unwrap() error { return ErrSourceInDest }

// An EarlierCopyError reports that --delete would remove Dest/Name, which looks like an earlier copy of
// Source by rsync: in rsync, SRC without a trailing slash means DST/SRC.
type EarlierCopyError struct{ Source, Dest, Name string }

func (e *EarlierCopyError) Error() string {
	return fmt.Sprintf("--delete would remove %s, for the contents of %s are copied to %s itself", e.Path(), e.Source, e.Dest)
}

// Path returns the path of the copy that would be removed.
func (e *EarlierCopyError) Path() string { return under(e.Dest, e.Name) }
