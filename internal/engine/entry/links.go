package entry

import (
	"psync/internal/engine/hardlink"
	"psync/internal/engine/pairs"
	"psync/internal/vfs"
)

type (
	linkTable = hardlink.Table[placedName, *Awaiting]
	linkGroup = hardlink.Group[placedName, *Awaiting]
	linkCopy  = hardlink.Copy[placedName]
)

// A placedName is a name that exists in the destination.
type placedName struct {
	dirs *pairs.Node
	name string
	path string // below the destination
}

// mayStay reports whether the destination's counterpart of an entry with the attributes attr, if left as it is, does
// not already stand for another entry.
func (w *Worker) mayStay(it *item, attr vfs.Attr) bool {
	if w.job.HardLinks && it.there.Nlink > 1 && !w.job.Compare && !w.shared.links.Claim(it.there.ID(), attr.ID()) {
		it.foreign = true
	}
	return !it.foreign
}
