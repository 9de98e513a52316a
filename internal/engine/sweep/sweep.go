// Package sweep finds the temporaries of earlier runs in directories of a destination, and removes
// those whose processes have ended.
package sweep

import (
	"strings"
	"time"

	"psync/internal/engine/volume"
	"psync/internal/tempname"
	"psync/internal/vfs"
)

// A Sweeper removes temporaries, and determines which of them belong to running processes.
type Sweeper struct {
	Process func() tempname.Process // returns this one
	Lifter  Lifter
	Volumes *volume.Table
}

// A Lifter removes entries even if their locks or ACLs forbid it, provided the run may lift those.
type Lifter interface {
	Remove(in vfs.Dir, name string, only *vfs.Premise) error
	Rmdir(in vfs.Dir, name string) error
}

// A Result is what was found in a directory.
type Result struct {
	Live []string    // temporaries of running processes
	Left []Temporary // other temporaries that stay, in the order of the listing
}

// A Temporary is a temporary file that was not removed.
type Temporary struct {
	Name  string
	IsDir bool
	Size  int64
	Err   error // why it could not be removed; nil: its process may still be running
}

// Sweep removes the temporaries of dead processes from a directory that has the attributes attr. It calls
// beforeRemoval before each removal, and stays for each entry that stays. The error is that of listing the directory.
func (s *Sweeper) Sweep(dir vfs.Dir, attr vfs.Attr, beforeRemoval func(), stays func(vfs.Entry)) (r Result, err error) {
	err = dir.ReadDir(func(entries []vfs.Entry) error {
		for _, e := range entries {
			by, found := s.Maker(dir, attr, e.Name)
			t := Temporary{Name: e.Name, IsDir: e.Type.IsDir(), Size: found.Size}
			switch by {
			case tempname.Dead:
				beforeRemoval()
				if t.Err = s.remove(dir, e); t.Err != nil {
					r.add(t)
				}
				continue
			case tempname.Running:
				r.Live = append(r.Live, strings.Clone(e.Name))
			case tempname.Unknown:
				r.add(t)
			}
			stays(e)
		}
		return nil
	})
	return r, err
}

// Again checks temporaries of processes that were running once more, removes those whose processes have ended since,
// and returns the others that still exist. A killed process remains visible for a while until it has ended.
func (s *Sweeper) Again(dir vfs.Dir, dirAttr vfs.Attr, names []string, beforeRemoval func()) (left []Temporary) {
	for _, name := range names {
		attr, err := vfs.Lstat(dir, name)
		if err != nil {
			continue
		}
		t := Temporary{Name: name, IsDir: attr.Mode.IsDir(), Size: attr.Size}
		if by, _ := s.Maker(dir, dirAttr, name); by == tempname.Dead {
			beforeRemoval()
			if t.Err = s.remove(dir, vfs.Entry{Name: name, Type: attr.Mode.Type()}); t.Err == nil {
				continue
			}
		}
		left = append(left, t)
	}
	return left
}

func (r *Result) add(t Temporary) {
	t.Name = strings.Clone(t.Name) // otherwise it would keep the whole listing in memory
	r.Left = append(r.Left, t)
}

func (s *Sweeper) remove(dir vfs.Dir, e vfs.Entry) error {
	var err error
	if e.Type.IsDir() {
		err = s.Lifter.Rmdir(dir, e.Name)
	} else {
		err = s.Lifter.Remove(dir, e.Name, nil)
	}
	return vfs.IgnoreNotExist(err)
}

// Maker returns the state of the process that made an entry of a directory, if the entry is a temporary, and the
// attributes of the entry if it had to look them up. dirAttr holds the attributes of the directory.
func (s *Sweeper) Maker(dir vfs.Dir, dirAttr vfs.Attr, name string) (tempname.State, vfs.Attr) {
	by, understood, is := tempname.Parse(name)
	switch {
	case !is:
		return tempname.None, vfs.Attr{}
	case tempname.IsOfJob(name):
		return tempname.Shared, vfs.Attr{}
	}
	if understood {
		if state := s.Process().State(by, time.Time{}, time.Time{}, false); state != tempname.Unknown {
			return state, vfs.Attr{}
		}
	}
	attr, err := vfs.Lstat(dir, name)
	if err != nil || !understood {
		return tempname.Unknown, attr
	}
	local := !s.Volumes.Of(dir, dirAttr).Network
	return s.Process().State(by, attr.Ctime.Time(), time.Now(), local), attr
}

// MakerOfExtraneous is Maker for an entry that will be removed if possible: a process that may be running counts as
// dead if it has not changed the entry for [tempname.MaxIdle].
func (s *Sweeper) MakerOfExtraneous(dir vfs.Dir, dirAttr vfs.Attr, name string) (tempname.State, vfs.Attr) {
	state, attr := s.Maker(dir, dirAttr, name)
	if state == tempname.Unknown && attr.Ctime != 0 && time.Since(attr.Ctime.Time()) > tempname.MaxIdle {
		state = tempname.Dead
	}
	return state, attr
}
