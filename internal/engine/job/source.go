package job

import (
	"io/fs"

	"psync/internal/engine/pairs"
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
		Lineage:      d.Lineage,
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
	attr, err := source.Stat(d.Src, e, w.Run.Links.Follows() || w.Run.LeadsOn(d, e.Name))
	w.Attrs.Want(&attr, d.Dst, &d.Inherited)
	return attr, err
}

// LeadsOn reports whether the list of files to copy makes an entry of the source a directory, even if a link leads to
// it.
func (r *Run) LeadsOn(d *Dir, name string) bool {
	return r.Files != nil && r.Files.Follows(d.Path(name))
}

// Open opens a file of the source, following links as Stat does.
func (r *Run) Open(d *Dir, name string) (vfs.File, error) {
	return source.OpenFile(d.Src, name, r.Links.Follows())
}

// OpenSource opens the source of the directory at k. The caller calls closeDir when it is done.
func (r *Run) OpenSource(k Key) (dir vfs.Dir, closeDir func(), err error) {
	return r.openBelow(k.Source, k.Path, r.Links.Follows())
}

// openBelow opens the directory at path below the root of the i-th source, for which there is none if it was left out.
func (r *Run) openBelow(i int, path string, follow bool) (dir vfs.Dir, closeDir func(), err error) {
	at := r.Roots[i]
	if at == nil {
		return nil, nil, fs.ErrNotExist
	}
	root, _, err := at.Use()
	if err != nil {
		return nil, nil, err
	}
	return pairs.OpenKept(root.Src, path, follow, at.Done)
}
