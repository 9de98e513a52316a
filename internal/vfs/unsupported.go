package vfs

import "errors"

// UnsupportedFile is embedded by implementations of [File] that lack some of its operations. Those
// that they do not override return [errors.ErrUnsupported].
type UnsupportedFile struct{}

func (UnsupportedFile) Caps() Caps       { return 0 }
func (UnsupportedFile) Clone(File) error { return errors.ErrUnsupported }

func (UnsupportedFile) CopyRange(File, int64, int64) (int64, error) { return 0, errors.ErrUnsupported }

func (UnsupportedFile) NextData(int64) (start, end int64, err error) {
	return 0, 0, errors.ErrUnsupported
}

func (UnsupportedFile) PunchHole(_, _ int64) error { return errors.ErrUnsupported }

func (UnsupportedFile) Preallocate(int64) error { return errors.ErrUnsupported }
