package job

import (
	"psync/internal/engine/mirror"
	"psync/internal/engine/pairs"
	"psync/internal/vfs"
)

// A counterpart is the source of a pair of directories, which is checked before anything is removed from the
// destination.
type counterpart struct {
	*Run
	d    *DirInfo
	open pairs.Pair // zero: opened for each check
}

// Use returns the source; see [mirror.Counterpart].
func (c *counterpart) Use() (s mirror.Source, onSource bool, err error) {
	p := c.open
	if p.Src == nil {
		var side pairs.Side
		if p, side, err = c.d.Task.Dirs.Use(); err != nil {
			return s, side == pairs.Source, err
		}
	}
	d := Dir{DirInfo: c.d, Pair: p}
	return mirror.Source{
		Dir:       c.SourceDir(&d),
		Listed:    d.Attr,
		IsRoot:    d.Task.Path == "",
		Follow:    c.Links.Follows(),
		Selector:  c.Selector,
		Relisting: d.Relisting,
		Resolve:   func() (vfs.Dir, func(), error) { return c.OpenSource(c.d.Key()) },
	}, true, nil
}

// Done ends what Use began.
func (c *counterpart) Done() {
	if c.open.Src == nil {
		c.d.Task.Dirs.Done()
	}
}
