package engine

import (
	"slices"

	"psync/internal/report"
	"psync/internal/vfs"
)

// What macOS keeps for itself in the root of a volume is about that volume: an index, a log of
// changes, the trash of its users. It cannot all be read, and to give it to another volume, or to
// remove it there, would spoil what that has of its own. So it is neither copied nor removed where
// one side is the root of a volume, be it an operand or mounted in one.

// keepsForItself reports whether an entry of d is one that the system keeps for itself. One that
// is an operand is copied: its directory is not.
func (w *worker) keepsForItself(d *directory, name string) bool {
	return d.atRoot && !w.VolumeFiles && w.profile.IsVolumeFile(name) && w.copiesItself(d)
}

// leaveVolumeFiles leaves out entries of the source of d that the system keeps for itself.
func (w *worker) leaveVolumeFiles(d *directory, entries []vfs.Entry) []vfs.Entry {
	if !d.atRoot {
		return entries
	}
	return slices.DeleteFunc(entries, func(e vfs.Entry) bool {
		if !w.keepsForItself(d, e.Name) {
			return false
		}
		if d.task.Kind == copyTask { // it is not told again
			w.Sink.Event(w.event(d, onSource, report.Event{Kind: report.VolumeFile, Name: e.Name, IsDir: e.Type.IsDir()}))
		}
		return true
	})
}
