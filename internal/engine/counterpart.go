package engine

import (
	"psync/internal/engine/mirror"
	"psync/internal/engine/pairs"
	"psync/internal/vfs"
)

// A counterpart is the source of a pair of directories, which is asked before anything is removed from
// the destination.
type counterpart struct {
	*jobRun
	d    *dirInfo
	open pairs.Pair // zero: it is opened for each question
}

// Use returns the source; see [mirror.Counterpart].
func (c *counterpart) Use() (s mirror.Source, onSource bool, err error) {
	p := c.open
	if p.Src == nil {
		var side pairs.Side
		if p, side, err = c.d.task.dirs.Use(); err != nil {
			return s, side == pairs.Source, err
		}
	}
	d := jobDir{dirInfo: c.d, Pair: p}
	return mirror.Source{
		Dir:       c.sourceDir(&d),
		Listed:    d.attr,
		IsRoot:    d.task.Path == "",
		Follow:    c.Links.Follows(),
		Selector:  c.selector,
		Relisting: d.relisting,
		Resolve:   func() (vfs.Dir, func(), error) { return c.openSource(c.d.key()) },
	}, true, nil
}

// Done ends what Use began.
func (c *counterpart) Done() {
	if c.open.Src == nil {
		c.d.task.dirs.Done()
	}
}
