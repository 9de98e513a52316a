// Package place puts files, links and special files into a destination under their names, as new entries or
// in place of existing ones.
//
// A reader of an existing name sees the old entry or the complete new one, unless files are rewritten in place. An
// entry that could not be completed is removed, unless it may belong to another run; see partial.go. Package backup
// saves the old entry before it is replaced; package attrs sets the attributes of the new one.
package place

import (
	"context"
	"errors"
	"io/fs"

	"psync/internal/content"
	"psync/internal/engine/attrs"
	"psync/internal/engine/backup"
	"psync/internal/metadata"
	"psync/internal/plan"
	"psync/internal/vfs"
)

// ErrNotRegular says that an entry that was a regular file has become something else.
var ErrNotRegular = errors.New("is no longer a regular file")

// A Config holds what all Placers of a run share. It does not change while they are in use.
type Config struct {
	Policy  plan.Policy
	Lifter  *attrs.Lifter
	Backups *backup.Store
	NewTemp func() string // returns a new name for a temporary
	TempDir vfs.Dir       // where entries are made before they replace others; nil: in the directory of the entry replaced
	Fsync   bool          // each file is synced before it is complete
	Verify  bool          // each file is read back before it is complete
}

// A Placer makes entries. Each worker has its own: it must not be used by several goroutines at once.
type Placer struct {
	*Config
	Attrs  *attrs.Setter
	Copier *content.Copier
}

// A Dir is an open directory of the destination, with what is known about it and its counterpart in the source.
type Dir struct {
	vfs.Dir
	Mode    fs.FileMode
	UID     uint32
	Fresh   bool // everything in it was made by this run
	Volumes attrs.Volumes
	Parent  attrs.Parent
	Route   *content.Route
	Host    Host
}

// A Host answers questions about the directory, and does work that concerns more than the entry being made.
type Host interface {
	// BackupDirs returns the directories for the backup of the entry.
	BackupDirs() (backup.Dirs, error)
	// MakeWay empties the directory that has the name of the entry, or returns an error if it must stay.
	// It is called when the entry is complete except for its name, and reports the notes made so far.
	MakeWay(ctx context.Context, notes attrs.Notes) error
	// IgnoresCase reports whether the volume of the destination ignores case.
	IgnoresCase() bool
	// Collision returns an error that explains why a name exists that the directory lacked; err is the error that
	// reported it.
	Collision(err error) error
	// Shared reports whether other workers make entries in the directory.
	Shared() bool
}

// An Entry describes an entry to be made.
type Entry struct {
	Name   string
	Action plan.Action // Create, Replace or ReplaceDir
	Attrs  *attrs.Desired
	// Only is what an entry that is replaced must still be; nil allows any. If the entry differs, the error matches
	// vfs.ErrChanged.
	Only  *vfs.Premise
	Patch bool // the file may be made from the one that it replaces
	Delay bool // a file made under a temporary name keeps that until PutInPlace is called, if possible
}

// An Outcome is the result of making an entry. It is valid even if making the entry failed.
type Outcome struct {
	Notes           attrs.Notes
	Locks           []metadata.Op // operations, left to the caller, that lock an entry that may get further names
	Partial         bool          // the source changed while it was copied
	Temp            string        // the temporary name of a delayed file, or ""
	LeavesTemporary bool          // a temporary could not be removed from the directory
	Verified        bool          // what was written was read back and is equal
	Mismatched      bool          // it was not equal at first, and was copied again

	rest attrs.Rest
}

// collision explains why a name exists that should be new.
func (d *Dir) collision(err error) error {
	if errors.Is(err, fs.ErrExist) {
		return d.Host.Collision(err)
	}
	return err
}

// finishNamed sets the remaining attributes of an entry that now has its final name.
func (p *Placer) finishNamed(d *Dir, e Entry, o *Outcome) error {
	locks, notes, err := p.Attrs.SetNamed(d.Volumes, metadata.Entry{Dir: d.Dir, Name: e.Name}, e.Attrs, &o.rest)
	o.Locks = locks
	o.Notes = append(o.Notes, notes...)
	return err
}
