package backup

import (
	"sync"
	"sync/atomic"

	"psync/internal/metadata"
	"psync/internal/vfs"
)

// A Lifter changes entries even if their locks or ACLs forbid it, provided the run may lift those.
type Lifter interface {
	// Force carries out an operation on the entry called name in a directory.
	Force(do func() error, in vfs.Dir, name string) error
	Remove(in vfs.Dir, name string, only *vfs.Premise) error
	Rename(from vfs.Dir, oldname string, to vfs.Dir, newname string) error
	Link(from vfs.Dir, name string, to vfs.Dir, newname string) error
}

// A Store makes the backups of a run.
type Store struct {
	Options
	User    vfs.User
	Profile *metadata.Profile
	Dest    vfs.Dir // the root of the destination
	// OpenDest opens the directory of the destination at a path that is not "".
	OpenDest func(path string) (vfs.Dir, error)
	Lifter   Lifter
	// ApplyLast arranges for Apply to be called when nothing more is put into directories for backups, for deeper ones first.
	ApplyLast func(*DirAttrs)

	marks atomic.Int32 // whether the volume of backups keeps marks, see keepsMarks

	rootMu sync.Mutex // guards root, and is locked before mu
	root   vfs.Dir    // the directory for backups, if this run has made it

	mu     sync.Mutex               // guards making
	making map[string]chan struct{} // closed when the directory for backups at a path is complete
}

// Close closes the directories that the store itself has opened.
func (s *Store) Close() {
	if s.root != nil {
		s.root.Close()
	}
}

// Dirs are the directories that the backup of an entry depends on.
type Dirs struct {
	Source  vfs.Dir               // entries of it are copied to Dest; nil if none are
	Dest    vfs.Dir               // has the entry
	Backups vfs.Dir               // gets the backup; Dest itself unless there is a directory for backups
	Made    func(name, as string) // is called when the entry called name has a backup and was replaced or removed; nil: it is not
}
