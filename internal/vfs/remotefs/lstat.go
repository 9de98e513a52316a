package remotefs

import (
	"errors"
	"time"

	"psync/internal/vfs"
	"psync/internal/vfs/remotefs/session"
	"psync/internal/wire"
)

// Statx implements [vfs.Dir]. It asks the server, except with StatxAll about the directory itself.
func (d *Dir) Statx(name string, want vfs.StatxWant) (vfs.Attr, error) {
	switch {
	case want == vfs.StatxFollow:
		return d.stat("stat", name, true)
	case want == vfs.StatxAll && name == ".":
		return d.lstatSelf()
	case want == vfs.StatxID:
		return vfs.Attr{}, session.PathError("lstat", name, errors.ErrUnsupported)
	}
	return d.stat("lstat", name, false)
}

// stale is the age from which the attributes of the directory itself are asked for again.
const stale = 10 * time.Second

func (d *Dir) lstatSelf() (vfs.Attr, error) {
	d.mu.Lock()
	changed := d.changed
	d.mu.Unlock()
	if !changed {
		info, err := d.facts()
		if err != nil {
			return vfs.Attr{}, err
		}
		d.mu.Lock()
		recent := time.Since(d.asked) < stale
		d.mu.Unlock()
		if recent {
			return info.Attr, nil
		}
	}
	return d.stat("lstat", ".", false)
}

func (d *Dir) stat(op, name string, follow bool) (vfs.Attr, error) {
	t, done := d.target(name)
	defer done()
	return d.s.AskAttr(op, name, &wire.Lstat{Target: t, Follow: follow})
}

// Readlink implements [vfs.Dir].
func (d *Dir) Readlink(name string) (string, error) {
	t, done := d.target(name)
	defer done()
	a, err := session.Ask[*wire.Paths](d.s.Session, &wire.Readlink{Target: t})
	if err != nil {
		return "", session.PathError("readlink", name, err)
	}
	if len(a.Paths) != 1 {
		return "", d.s.Reject("more or less than one target of a link")
	}
	return a.Paths[0], nil
}
