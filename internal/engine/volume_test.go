package engine

import (
	"io/fs"

	"psync/internal/vfs"
)

// A located directory is on a volume that reports about itself what a test wants.
type located struct {
	vfs.Dir
	volume vfs.Volume
	// creating, if not nil, is called with the method before a file is made. Its error becomes that of the operation.
	creating *func(way, name string) error
}

// onVolume returns d, and everything below it, on a volume.
func onVolume(d vfs.Dir, v vfs.Volume) vfs.Dir { return located{d, v, nil} }

// Unwrap returns the directory within.
func (l located) Unwrap() vfs.Dir { return l.Dir }

func (l located) Statfs() (vfs.Volume, error) { return l.volume, nil }

func (l located) OpenDir(name string, how vfs.Resolve) (vfs.Dir, error) {
	sub, err := l.Dir.OpenDir(name, how)
	if err != nil {
		return nil, err
	}
	return located{sub, l.volume, l.creating}, nil
}

func (l located) OpenFile(name string, mode vfs.OpenMode, perm fs.FileMode) (vfs.File, error) {
	if way := map[vfs.OpenMode]string{vfs.Create: "exclusive", vfs.OpenCreate: "open"}[mode]; way != "" {
		if err := l.record(way, name); err != nil {
			return nil, err
		}
	}
	return l.Dir.OpenFile(name, mode, perm)
}

func (l located) record(way, name string) error {
	if l.creating == nil {
		return nil
	}
	if err := (*l.creating)(way, name); err != nil {
		return &fs.PathError{Op: "create", Path: name, Err: err}
	}
	return nil
}
