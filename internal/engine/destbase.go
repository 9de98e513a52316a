package engine

import (
	"psync/internal/engine/job"
	"psync/internal/engine/pairs"
	"psync/internal/vfs"
)

// A destBase is a directory of a copy's destination from which others are removed.
type destBase struct {
	d    *job.DirInfo // includes the source, which is checked before each removal
	dest *pairs.Node
}

func (b *destBase) Path() string { return b.d.Task.Path }
func (b *destBase) Into() string { return b.d.Into }
func (b *destBase) Done()        { b.dest.Done() }
func (b *destBase) Removed()     { b.d.TimesChanged.Store(true) }

func (b *destBase) Use() (vfs.Dir, error) {
	p, _, err := b.dest.Use()
	return p.Dst, err
}

func (b *destBase) Release() {
	b.dest.Release()
	b.d.Task.Dirs.Release()
}
