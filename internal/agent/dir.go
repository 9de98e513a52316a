package agent

import (
	"cmp"
	"errors"
	"io/fs"

	"psync/internal/vfs"
	"psync/internal/wire"
)

// opened returns the object, and the answer, for a directory that was opened, unless err is why it was not. The facts
// are those of a directory that is likely on the same volume, or zero.
func opened(d vfs.Dir, err error, near dirFacts) (object, wire.Message, error) {
	if err != nil {
		return object{}, nil, err
	}
	info, err := infoOf(d, near)
	if err != nil {
		d.Close()
		return object{}, nil, err
	}
	return object{dir: d, dirFacts: dirFacts{info.Attr.Dev, info.Volume}}, &wire.Opened{DirInfo: info}, nil
}

func infoOf(d vfs.Dir, near dirFacts) (info wire.DirInfo, err error) {
	if info.Attr, err = vfs.Lstat(d, "."); err != nil {
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

func (s *server) openDir(in vfs.Dir, name string, how vfs.Resolve) (vfs.Dir, error) {
	switch {
	case how == vfs.Follow && s.Root != "":
		return openElement(in, name)
	case how == vfs.Parent:
		return s.openParent(in)
	}
	return in.OpenDir(name, how)
}

func (s *server) openParent(in vfs.Dir) (vfs.Dir, error) {
	up, err := in.OpenDir("..", vfs.Parent)
	if err != nil || s.Root == "" {
		return up, err
	}
	if is, err := (beneath{s.Root}).holds(up); err != nil || !is {
		up.Close()
		return nil, cmp.Or(err, fs.ErrPermission) // it leads out of the directory that the client is confined to
	}
	return up, nil
}

// answerDir answers a request about a directory.
func (s *server) answerDir(r *request, at, other *object) (wire.Message, error) {
	d := at.dir
	switch m := r.frame.Message.(type) {
	case *wire.List:
		return s.list(r, m)
	case *wire.Count:
		return s.count(d), nil
	case *wire.Readlink:
		target, err := d.Readlink(m.Name)
		return &wire.Paths{Paths: []string{target}}, err
	case *wire.Sync:
		if m.Volume {
			return &wire.Done{}, d.SyncVolume()
		}
	case *wire.Put:
		return s.put(at, m)
	case *wire.Mkdir:
		return &wire.Opened{}, vfs.Mkdir(d, m.Name, m.Perm)
	case *wire.MakeDirs:
		return makeDirs(d, m.Dirs), nil
	case *wire.Symlink:
		return &wire.Done{}, vfs.Symlink(d, m.To, m.Name)
	case *wire.Mknod:
		return &wire.Done{}, vfs.Mknod(d, m.Name, m.Mode, m.Dev)
	case *wire.Link:
		from, err := other.directory()
		if err != nil {
			return nil, err
		}
		return &wire.Done{}, d.Link(from, m.Old.Name, m.Name)
	case *wire.Rename:
		from, err := other.directory()
		if err != nil {
			return nil, err
		}
		return &wire.Done{}, vfs.Rename(from, m.Old.Name, d, m.Name, m.Only)
	case *wire.Remove:
		return &wire.Done{}, s.remove(at, m)
	}
	return s.answerTarget(r.frame.Message, at)
}

// makeDirs makes directories in d.
func makeDirs(d vfs.Dir, dirs []vfs.NewDir) *wire.MadeDirs {
	var answer wire.MadeDirs
	for i := range dirs {
		if err := dirs[i].Make(d); err != nil {
			_, made := errors.AsType[*vfs.PartialError](err)
			answer.Failed = append(answer.Failed, wire.FailedDir{Index: uint32(i), Made: made, Error: wire.ErrorOf(err)})
		}
	}
	return &answer
}

func (s *server) remove(at *object, m *wire.Remove) error {
	if m.IsDir {
		return at.dir.Rmdir(m.Name)
	}
	if m.Only != nil && m.Only.Follow && s.Root != "" {
		if _, err := s.stat(at, &wire.Lstat{Target: m.Target, Follow: true}); err != nil {
			return err
		}
		m.Only.Follow = false // it is not a link
	}
	return at.dir.Remove(m.Name, m.Only)
}
