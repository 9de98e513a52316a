package retry

import (
	"errors"

	"psync/internal/report"
	"psync/internal/vfs"
)

// A root describes how to open the root of a tree.
type root struct {
	label string
	dev   uint64
	open  func() (vfs.Dir, error)
	calls *report.Durations // those of the tree's side of the run
}

// reopen opens the root by its path. It returns an error if another volume is mounted there, or none any more.
func (r *root) reopen() (vfs.Dir, error) {
	d, err := r.open()
	if err != nil {
		return nil, err
	}
	attr, err := vfs.Lstat(d, ".")
	if err == nil && attr.Dev != r.dev {
		err = errOtherVolume
	}
	if err != nil {
		return nil, vfs.JoinErrors(err, d.Close())
	}
	return d, nil
}

var errOtherVolume = errors.New("is on another volume than before")
