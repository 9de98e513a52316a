package job

import (
	"io/fs"

	"psync/internal/engine/volume"
)

// A PendingDir is a new directory of a destination in which work began before it was known whether it could be made. A
// nil *PendingDir is one that is known to exist.
type PendingDir struct {
	volume *volume.Volume // the volume that it is assumed to be on
	setgid bool           // the last directory above that is known has the set-group-id bit, which new ones inherit
	known  chan struct{}  // closed when made is valid
	made   bool
}

// NewPendingDir returns a directory in a parent that exists or may itself be pending. Resolve is called when it is known
// whether the directory could be made.
func NewPendingDir(parent *Dir) *PendingDir {
	l := &PendingDir{known: make(chan struct{})}
	if parent.Pending != nil {
		l.volume, l.setgid = parent.Pending.volume, parent.Pending.setgid // parent.DstVolume may be about to be set
	} else {
		l.volume, l.setgid = parent.DstVolume, parent.DestAttr.Mode&fs.ModeSetgid != 0
	}
	return l
}

// Volume returns the volume that the directory is assumed to be on: that of its parent.
func (l *PendingDir) Volume() *volume.Volume { return l.volume }

// BequeathsGroup reports whether a directory that is made in d may get a set-group-id bit that no one has asked for.
func BequeathsGroup(d *Dir) bool {
	if d.Pending != nil {
		return d.Pending.setgid
	}
	return d.DestAttr.Mode&fs.ModeSetgid != 0
}

// Resolve records whether the directory was made, and that everything known about it is complete.
func (l *PendingDir) Resolve(made bool) {
	l.made = made
	close(l.known)
}

// Known reports whether Resolve was called.
func (l *PendingDir) Known() bool {
	if l == nil {
		return true
	}
	select {
	case <-l.known:
		return true
	default:
		return false
	}
}

// Made waits for Resolve, and reports whether the directory was made.
func (l *PendingDir) Made() bool {
	if l == nil {
		return true
	}
	<-l.known
	return l.made
}
