package mirror

import (
	"psync/internal/engine/job"
	"psync/internal/engine/pairs"
	"psync/internal/vfs"
)

// A destDir is a directory of a copy's destination from which others are removed. It is a [Base].
type destDir struct {
	path, into string
	both       *pairs.Node // includes the source, which is checked before each removal
	dest       *pairs.Node
}

// InDest is In for the destination of d.
func (rs *Removals) InDest(d *job.Dir) *Removal {
	b := &destDir{path: d.Task.Path, into: d.Into, both: d.Task.Dirs, dest: d.Task.Dirs.Dest()}
	b.both.Retain()
	b.dest.Retain()
	b.dest.Expect(d.DestAttr.ID())
	rm := rs.In(b, d.Task.Source)
	rm.Original, rm.Rules, rm.Premise = d.Task.Original, d.InForce().Dest, &Premise{In: d}
	return rm
}

func (b *destDir) Path() string { return b.path }
func (b *destDir) Into() string { return b.into }
func (b *destDir) Done()        { b.dest.Done() }

func (b *destDir) Use() (vfs.Dir, error) {
	p, _, err := b.dest.Use()
	return p.Dst, err
}

func (b *destDir) Release() {
	b.dest.Release()
	b.both.Release()
}
