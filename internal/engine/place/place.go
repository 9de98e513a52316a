// Package place makes entries of a destination under their names: files, links and special files, new or in
// place of others.
//
// A reader of an existing name sees the old entry or the whole new one, unless files are rewritten
// in place. What could not be completed is removed, unless it may be the entry of another
// run, see partial.go. What happens to the old entry before it is replaced is the job of package backup,
// what attributes the new one gets that of package attrs.
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

// ErrNotRegular says that a file has become something else.
var ErrNotRegular = errors.New("is no longer a regular file")

// A Config is what all Placers of a run share.
type Config struct {
	Policy  plan.Policy
	Lifter  *attrs.Lifter
	Backups *backup.Store
	NewTemp func() string // returns a name for a temporary
	TempDir vfs.Dir       // where entries are made before they replace others; nil: where these are
	Fsync   bool          // files are written to the disk where that cannot be done for their whole volume
}

// A Placer makes entries. Each worker has its own.
type Placer struct {
	*Config
	Attrs  *attrs.Setter
	Copier *content.Copier
}

// A Dir is a directory of the destination, and what is known of it and of its counterpart in the source.
type Dir struct {
	vfs.Dir
	Mode    fs.FileMode
	UID     uint32
	Fresh   bool // nothing is in it but what this run has made
	Volumes attrs.Volumes
	Parent  attrs.Parent
	Route   *content.Route
	Host    Host
}

// A Host does what takes more than the entry to be made.
type Host interface {
	// BackupDirs returns the directories for the backup of the entry.
	BackupDirs() (backup.Dirs, error)
	// MakeWay empties the directory that has the name of the entry, or returns an error if it must stay.
	// It is called when the entry is complete but for its name, and reports what was noted so far.
	MakeWay(ctx context.Context, notes attrs.Notes) error
	// IgnoresCase reports whether the volume of the destination ignores case.
	IgnoresCase() bool
	// Collision explains why a name exists in a directory in which there is nothing but what the run has made.
	Collision(err error) error
	// Shared reports whether other workers make entries in the directory.
	Shared() bool
}

// An Entry is one to be made.
type Entry struct {
	Name   string
	Action plan.Action // Create, Replace or ReplaceDir
	Attrs  *attrs.Desired
}

// An Outcome is what became of an entry, even if making it has failed.
type Outcome struct {
	Notes    attrs.Notes
	Locks    []metadata.Op // that lock an entry which may get further names; they are left to the caller
	Partial  bool          // the source has changed while it was copied
	Littered bool          // a temporary could not be removed from the directory

	rest attrs.Rest
}

// collision explains why a name exists in a directory in which nothing was.
func (d *Dir) collision(err error) error {
	if d.Fresh && errors.Is(err, fs.ErrExist) {
		return d.Host.Collision(err)
	}
	return err
}

// finishNamed gives an entry that now has its final name the rest of its attributes.
func (p *Placer) finishNamed(d *Dir, e Entry, o *Outcome) error {
	locks, notes, err := p.Attrs.SetNamed(d.Volumes, metadata.Entry{Dir: d.Dir, Name: e.Name}, e.Attrs, &o.rest)
	o.Locks = locks
	o.Notes = append(o.Notes, notes...)
	return err
}
