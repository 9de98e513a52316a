package mirror

import (
	"sync/atomic"

	"psync/internal/engine/attrs"
	"psync/internal/engine/backup"
	"psync/internal/engine/source"
	"psync/internal/engine/volume"
	"psync/internal/report"
	"psync/internal/vfs"
)

// A Dir is an open directory of the destination from which entries are removed.
type Dir struct {
	vfs.Dir
	At   report.Position // of what it is, or would be, a copy of
	Into string          // the path below the destination that At's path is relative to

	Attr         vfs.Attr       // attributes when it was listed
	AtVolumeRoot bool           // as in [source.Dir]
	Volume       *volume.Volume // nil if not needed
	Rules        source.Rules   // in force in it; nil: those of the run

	// Premise is why everything in it is removed. If it is nil, each entry is removed because Counterpart has no
	// entry of that name or, if Counterpart is nil too, regardless of the source.
	Premise     *Premise
	Counterpart *Counterpart
	FarSource   bool    // checking it takes a round trip
	Src         vfs.Dir // the source directory that Counterpart checks; nil if it is not open

	Original    *backup.Original // its attributes before the run changed it
	Backups     *backup.LazyDir  // for what is removed from it; nil if backups stay in it
	HasFailures *atomic.Bool     // set if something in it could not be removed; may be nil
	Failures    *atomic.Int64    // counts what could not be removed from it or below; may be nil

	asker  *asker        // may be nil
	lifted *attrs.Lifted // lifted from it until it is removed
}

// Path returns the path of d below the destination.
func (d *Dir) Path() string { return vfs.Join(d.Into, d.At.Path()) }

// below returns the directory called name in d, open as dir, which will be removed or emptied.
func (r *Remover) below(d *Dir, name string, dir vfs.Dir) (*Dir, error) {
	sub := &Dir{
		Dir: dir, Into: d.Into, At: report.Position{Source: d.At.Source, Dir: vfs.Join(d.At.Path(), name)},
		Premise: d.Premise, Backups: r.newBackupDir(), Failures: d.Failures,
	}
	if sub.Premise == nil && d.Counterpart != nil {
		sub.Premise = &Premise{Name: name, Replaces: true, In: d}
	}
	var err error
	sub.Attr, err = dir.Lstat(".")
	sub.Original = r.Backups.Original(sub.Attr, sub.Attr.Mode, d.Original)
	if err == nil {
		err = r.readRules(sub, d.Rules)
	}
	return sub, err
}

// newBackupDir returns the Backups for a Dir.
func (r *Remover) newBackupDir() *backup.LazyDir {
	if !r.Backup.On || r.Backup.InPlace() {
		return nil
	}
	return new(backup.LazyDir)
}

// CloseBackups closes the directory for backups of what was removed from d.
func (d *Dir) CloseBackups() {
	if d.Backups != nil {
		d.Backups.Close()
	}
}
