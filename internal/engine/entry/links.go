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

// A placedName is a name that the destination has.
type placedName struct {
	dirs *pairs.Node
	name string
	path string // below the destination
}

// mayStay reports whether what the destination has for an entry whose attributes are attr, and
// would leave as it is, does not stand for another entry already.
func (w *Worker) mayStay(it *item, attr vfs.Attr) bool {
	if w.job.HardLinks && it.there.Nlink > 1 && !w.job.Compare && !w.shared.links.Claim(it.there.ID(), attr.ID()) {
		it.foreign = true
	}
	return !it.foreign
}
