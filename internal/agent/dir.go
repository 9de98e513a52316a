package agent

import (
	"cmp"
	"errors"
	"io/fs"

	"psync/internal/vfs"
	"psync/internal/wire"
)

// errOutside refuses what leads out of the directory that the client is confined to.
var errOutside = fs.ErrPermission

// opened returns the object, and the answer, for a directory that was opened. The facts are those of a directory
// that is likely on the same volume, or zero.
func opened(d vfs.Dir, near dirFacts) (object, wire.Message, error) {
	info, err := infoOf(d, near)
	if err != nil {
		d.Close()
		return object{}, nil, err
	}
	return object{dir: d, dirFacts: dirFacts{info.Attr.Dev, info.Volume}}, &wire.Opened{DirInfo: info}, nil
}

func infoOf(d vfs.Dir, near dirFacts) (info wire.DirInfo, err error) {
	if info.Attr, err = d.Lstat("."); err != nil {
		return info, err
	}
	if near.dev != 0 && info.Attr.Dev == near.dev {
		info.Volume = near.volume
	} else if info.Volume, err = d.Statfs(); err != nil {
		return info, err
	}
	info.Caps, info.HasDefaultACL = d.Caps(), d.HasDefaultACL()
	return info, nil
}

type openDir wire.OpenDir

func (r *openDir) needs() needs { return needs{at: r.Dir, opens: r.New} }

func (r *openDir) open(s *server, at *object) (object, wire.Message, error) {
	in, err := at.directory()
	if err != nil {
		return object{}, nil, err
	}
	d, err := s.openDir(in, r.Name, r.How)
	if err != nil {
		return object{}, nil, err
	}
	return opened(d, at.dirFacts)
}

func (s *server) openDir(in vfs.Dir, name string, how wire.OpenHow) (vfs.Dir, error) {
	switch how {
	case wire.OpenPlain:
		return in.OpenDir(name)
	case wire.OpenFollow:
		if s.Root != "" {
			return openElement(in, name)
		}
		return in.FollowDir(name)
	case wire.OpenWithin:
		return in.OpenDirWithin(name)
	case wire.OpenUp:
		return s.openParent(in)
	}
	return nil, errors.ErrUnsupported
}

func (s *server) openParent(in vfs.Dir) (vfs.Dir, error) {
	up, err := in.OpenParent()
	if err != nil || s.Root == "" {
		return up, err
	}
	if is, err := (beneath{s.Root}).holds(up); err != nil || !is {
		up.Close()
		return nil, cmp.Or(err, errOutside)
	}
	return up, nil
}

type mkdir wire.Mkdir

func (r *mkdir) needs() needs { return needs{at: r.Dir, opens: r.New, changes: true} }

func (r *mkdir) open(_ *server, at *object) (object, wire.Message, error) {
	in, err := at.directory()
	if err != nil {
		return object{}, nil, err
	}
	if err := in.Mkdir(r.Name, r.Perm); err != nil {
		return object{}, nil, err
	}
	if r.New == 0 {
		return object{}, &wire.Opened{}, nil
	}
	d, err := in.OpenDir(r.Name)
	if err != nil {
		return object{}, nil, err
	}
	return opened(d, at.dirFacts)
}

type lstat wire.Lstat

func (r *lstat) needs() needs { return needs{at: r.Dir} }

func (r *lstat) answer(s *server, at, _ *object) (wire.Message, error) {
	a, err := s.stat(at, r.Name, r.Follow)
	return &wire.AttrAnswer{Attr: a}, err
}

func (s *server) stat(at *object, name string, follow bool) (vfs.Attr, error) {
	if name == "" {
		f, err := at.openFile()
		if err != nil {
			return vfs.Attr{}, err
		}
		return f.Stat()
	}
	d, err := at.directory()
	if err != nil {
		return vfs.Attr{}, err
	}
	if follow && s.Root == "" {
		return d.Stat(name)
	}
	a, err := d.Look(name)
	if err == nil && follow && a.Mode.Type() == fs.ModeSymlink {
		err = errOutside
	}
	return a, err
}

type readlink wire.Readlink

func (r *readlink) needs() needs { return needs{at: r.Dir} }

func (r *readlink) answer(_ *server, at, _ *object) (wire.Message, error) {
	d, err := at.directory()
	if err != nil {
		return nil, err
	}
	target, err := d.Readlink(r.Name)
	return &wire.Paths{Paths: []string{target}}, err
}

// changeIn answers a request that changes a directory, which at should be.
func changeIn(at *object, change func(d vfs.Dir) error) (wire.Message, error) {
	d, err := at.directory()
	if err != nil {
		return nil, err
	}
	return &wire.Done{}, change(d)
}

type symlink wire.Symlink

func (r *symlink) needs() needs { return needs{at: r.Dir, changes: true} }

func (r *symlink) answer(_ *server, at, _ *object) (wire.Message, error) {
	return changeIn(at, func(d vfs.Dir) error { return d.Symlink(r.To, r.Name) })
}

type hardLink wire.Link

func (r *hardLink) needs() needs { return needs{at: r.Dir, other: r.Old.Dir, changes: true} }

func (r *hardLink) answer(_ *server, at, old *object) (wire.Message, error) {
	from, err := old.directory()
	if err != nil {
		return nil, err
	}
	return changeIn(at, func(d vfs.Dir) error { return d.Link(from, r.Old.Name, r.Name) })
}

type mknod wire.Mknod

func (r *mknod) needs() needs { return needs{at: r.Dir, changes: true} }

func (r *mknod) answer(_ *server, at, _ *object) (wire.Message, error) {
	return changeIn(at, func(d vfs.Dir) error { return d.Mknod(r.Name, r.Mode, r.Dev) })
}

type rename wire.Rename

func (r *rename) needs() needs { return needs{at: r.Dir, other: r.Old.Dir, changes: true} }

func (r *rename) answer(_ *server, at, old *object) (wire.Message, error) {
	from, err := old.directory()
	if err != nil {
		return nil, err
	}
	return changeIn(at, func(d vfs.Dir) error {
		if r.Only != nil {
			return d.Replace(from, r.Old.Name, r.Name, *r.Only)
		}
		return vfs.Rename(from, r.Old.Name, d, r.Name)
	})
}

type remove wire.Remove

func (r *remove) needs() needs { return needs{at: r.Dir, changes: true} }

func (r *remove) answer(s *server, at, _ *object) (wire.Message, error) {
	return changeIn(at, func(d vfs.Dir) error {
		switch {
		case r.IsDir:
			return d.Rmdir(r.Name)
		case r.Only == nil:
			return d.Remove(r.Name)
		case r.Only.Follow && s.Root != "":
			if _, err := s.stat(at, r.Name, true); err != nil {
				return err
			}
			r.Only.Follow = false // it is not a link
		}
		return d.RemoveUnchanged(r.Name, *r.Only)
	})
}

type statfs wire.Statfs

func (r *statfs) needs() needs { return needs{at: r.Handle} }

func (r *statfs) answer(_ *server, at, _ *object) (wire.Message, error) {
	if f, err := at.openFile(); err == nil {
		v, err := f.Statfs()
		return &wire.VolumeAnswer{Volume: v}, err
	}
	d, err := at.directory()
	if err != nil {
		return nil, err
	}
	v, err := d.Statfs()
	return &wire.VolumeAnswer{Volume: v}, err
}

// syncTask is a wire.Sync.
type syncTask wire.Sync

func (r *syncTask) needs() needs { return needs{at: r.Handle} }

func (r *syncTask) answer(_ *server, at, _ *object) (wire.Message, error) {
	if r.Volume {
		return changeIn(at, vfs.Dir.SyncVolume)
	}
	f, err := at.openFile()
	if err != nil {
		return nil, err
	}
	if at.in == nil {
		if err := f.Uncache(); !errors.Is(err, errors.ErrUnsupported) {
			return &wire.Done{}, err
		}
	}
	return &wire.Done{}, f.Sync()
}
