package engine

import (
	"psync/internal/engine/source"
	"psync/internal/vfs"
)

// sourceDir returns the source of d.
func (r *jobRun) sourceDir(d *jobDir) source.Dir {
	return source.Dir{
		Dir:          d.Src,
		Path:         d.path(""),
		Lineage:      d.lineage,
		AtVolumeRoot: r.keepsVolumeFiles(d),
		AppleDouble:  d.srcVolume != nil && d.srcVolume.AppleDouble,
	}
}

// keepsVolumeFiles reports whether d may have entries that the system keeps for itself.
func (r *jobRun) keepsVolumeFiles(d *jobDir) bool { return d.atRoot && r.copiesItself(d) }

// stat returns the attributes of an entry of the source: for one that was
// admitted as what it leads to, of that. They are as the copy is to have them.
func (w *jobWorker) stat(d *jobDir, name string) (vfs.Attr, error) {
	attr, err := source.Stat(d.Src, name, w.Links.Follows())
	w.attrs.Want(&attr, d.asParent())
	return attr, err
}

// open opens a file of the source likewise.
func (w *jobWorker) open(d *jobDir, name string) (vfs.File, error) {
	return source.OpenFile(d.Src, name, w.Links.Follows())
}
