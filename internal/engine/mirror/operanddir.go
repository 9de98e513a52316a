package mirror

import (
	"psync/internal/engine/source"
	"psync/internal/vfs"
)

// An OperandDir is a directory that holds operands to remove. It is open from the time that its task is claimed until
// all of them are removed, so no more are open than there are workers. It is a [Base].
type OperandDir struct {
	Tree source.Tree

	dir vfs.Dir // opened by Tree.Open
}

// Path returns the empty path.
func (o *OperandDir) Path() string { return "" }

// Into returns the path that Tree has below the destination.
func (o *OperandDir) Into() string { return o.Tree.Into }

// Use returns the directory. The worker that claimed the task calls it first, and only then is it called for
// subdirectories, so it needs no lock.
func (o *OperandDir) Use() (vfs.Dir, error) {
	if o.Tree.Dir != nil {
		return o.Tree.Dir, nil
	}
	if o.dir != nil {
		return o.dir, nil
	}
	var err error
	o.dir, err = o.Tree.Open()
	return o.dir, err
}

// Done does nothing: the directory stays open until Release is called.
func (o *OperandDir) Done() {}

// Release closes the directory if Use opened it.
func (o *OperandDir) Release() {
	if o.dir != nil {
		o.dir.Close()
		o.dir = nil
	}
}
