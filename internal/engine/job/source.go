package job

import (
	"psync/internal/engine/source"
	"psync/internal/vfs"
)

// Scope returns what decides which entries of the source of d take part.
func (r *Run) Scope(d *Dir) source.Scope {
	rules := d.InForce().Source
	if r.HasOperands(d) {
		rules = source.RulesOfOperands(rules)
	}
	return source.Scope{
		Path:         d.Path(""),
		Lineage:      d.Task.Lineage,
		AtVolumeRoot: r.KeepsVolumeFiles(d),
		Rules:        rules,
		AppleDouble:  d.SrcVolume != nil && d.SrcVolume.AppleDouble,
	}
}

// KeepsVolumeFiles reports whether d may have entries that the system keeps for itself.
func (r *Run) KeepsVolumeFiles(d *Dir) bool { return d.AtRoot && r.CopiesItself(d) }

// Stat returns the attributes of an entry of the source, or of its target if the entry was admitted as what it leads
// to. They are the attributes that the copy should have.
func (w *Worker) Stat(d *Dir, e vfs.Entry) (vfs.Attr, error) {
	attr, err := source.Stat(d.Src, e, w.Run.Job.Links.Follows() || w.Run.IsListedDir(d, e.Name))
	w.Attrs.Adjust(&attr, d.Dst, &d.Inherited)
	return attr, err
}

// IsListedDir reports whether the list of files to copy makes an entry of the source a directory, even if a link leads to
// it.
func (r *Run) IsListedDir(d *Dir, name string) bool {
	return r.Job.Files != nil && r.Job.Files.Follows(d.Path(name))
}

// Open opens a file of the source, following links as Stat does.
func (r *Run) Open(d *Dir, name string) (vfs.File, error) {
	return source.OpenFile(d.Src, name, r.Job.Links.Follows())
}
