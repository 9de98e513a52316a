package facts

import (
	"errors"
	"fmt"
	"time"

	"psync/internal/vfs"
)

// A Tree is a root.
type Tree struct {
	Label string  // as messages call it
	Dir   vfs.Dir // nil: it does not exist
}

// An identity is what hosts can compare of a directory that they have mounted: device numbers differ from host to host. The
// inode alone says little, since the roots of all volumes of a kind have the same one, and an empty directory may be there
// where a mount is missing. No one can set the time of the last change of attributes; what is copied gets another one.
type identity struct {
	Ino     uint64
	Ctime   vfs.Stamp
	Network bool
	Entries []sample `json:",omitempty"`
}

// A sample is an entry of a root.
type sample struct {
	Name  []byte // which need not be UTF-8
	Ino   uint64
	Ctime vfs.Stamp
}

const maxSamples = 16 // of a root

// identify returns the identity of a root, without samples.
func identify(dir vfs.Dir) (id identity, err error) {
	attr, err := vfs.Lstat(dir, ".")
	if err != nil {
		return id, err
	}
	volume, err := dir.Statfs()
	if errors.Is(err, errors.ErrUnsupported) {
		err = nil
	}
	return identity{Ino: attr.Ino, Ctime: attr.Ctime, Network: volume.Network}, err
}

var errEnough = errors.New("enough entries")

// samples returns entries of a root by which it can be known again when it has changed. A root may have millions of entries.
func samples(dir vfs.Dir) (all []sample, err error) {
	err = dir.ReadDir(func(entries []vfs.Entry) error {
		for _, e := range entries {
			if attr, err := vfs.Lstat(dir, e.Name); err == nil {
				all = append(all, sample{[]byte(e.Name), attr.Ino, attr.Ctime})
			}
			if len(all) == maxSamples {
				return errEnough
			}
		}
		return nil
	})
	if errors.Is(err, errEnough) {
		err = nil
	}
	return all, err
}

// isOf reports whether a root that has the identity id is the one with the identity recorded, though it may have changed
// since.
func (id identity) isOf(dir vfs.Dir, recorded identity) bool {
	if id.Ino != recorded.Ino || id.Network != recorded.Network {
		return false
	}
	if id.Ctime == recorded.Ctime {
		return true
	}
	same, unchanged := 0, 0
	for _, e := range recorded.Entries {
		attr, err := vfs.Lstat(dir, string(e.Name))
		if err != nil || attr.Ino != e.Ino {
			continue
		}
		same++
		if attr.Ctime == e.Ctime {
			unchanged++
		}
	}
	return unchanged > 0 && 2*same >= len(recorded.Entries)
}

// String describes a root to people.
func (id identity) String() string {
	where := "on a volume of the host"
	if id.Network {
		where = "on a network file system"
	}
	return fmt.Sprintf("inode %d, changed %s, %s", id.Ino, id.Ctime.Time().UTC().Format(time.RFC3339Nano), where)
}
