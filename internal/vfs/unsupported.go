package vfs

import (
	"context"
	"errors"
)

// UnsupportedFile is embedded by implementations of [File] that lack some of its methods. Those
// that they do not override return [errors.ErrUnsupported], or do nothing if they return no error.
type UnsupportedFile struct{ UnsupportedNode }

func (UnsupportedFile) Caps() Caps       { return 0 }
func (UnsupportedFile) Clone(File) error { return errors.ErrUnsupported }
func (UnsupportedFile) Sync() error      { return errors.ErrUnsupported }
func (UnsupportedFile) Commit([]Change, bool) ([]error, error) {
	return nil, errors.ErrUnsupported
}

func (UnsupportedFile) Sums(_, _, _ int64, _ []byte) ([]byte, error) {
	return nil, errors.ErrUnsupported
}
func (UnsupportedFile) HasWriter() bool     { return false }
func (UnsupportedFile) Advise(Advice) error { return errors.ErrUnsupported }

func (UnsupportedFile) Fallocate(FallocateMode, int64, int64) error {
	return errors.ErrUnsupported
}

func (UnsupportedFile) CopyRange(File, int64, int64) (int64, error) {
	return 0, errors.ErrUnsupported
}

func (UnsupportedFile) NextData(int64) (start, end int64, err error) {
	return 0, 0, errors.ErrUnsupported
}

// UnsupportedDir is embedded by implementations of [Dir] that lack some of its methods. Those that they do not override
// return [errors.ErrUnsupported], or zero values if they return no error.
type UnsupportedDir struct{}

func (UnsupportedDir) Caps() Caps                            { return 0 }
func (UnsupportedDir) Statx(string, StatxWant) (Attr, error) { return Attr{}, errors.ErrUnsupported }

func (UnsupportedDir) CopyPlain(Dir, string, *PlainOptions) (int64, error) {
	return 0, errors.ErrUnsupported
}

func (UnsupportedDir) MakeDirs([]NewDir) (func() []error, error) { return nil, errors.ErrUnsupported }

func (UnsupportedDir) QuickCheck(Dir, string, *QuickCheckOptions) (int64, bool) { return 0, false }

func (UnsupportedDir) CloneFile(File, string, bool) (File, error) { return nil, errors.ErrUnsupported }

func (UnsupportedDir) Link(Dir, string, string) error { return errors.ErrUnsupported }

func (UnsupportedDir) Node(string) (Node, error) { return nil, errors.ErrUnsupported }

func (UnsupportedDir) Statfs() (Volume, error) { return Volume{}, errors.ErrUnsupported }

func (UnsupportedDir) CountTree(context.Context) (files, bytes int64, known bool) { return 0, 0, false }
func (UnsupportedDir) HasDefaultACL() bool                                        { return false }
func (UnsupportedDir) SyncVolume() error                                          { return errors.ErrUnsupported }
