package localfs

import (
	"golang.org/x/sys/unix"

	"psync/internal/sys"
	"psync/internal/vfs"
)

func (d *dir) Stat(name string) (vfs.Attr, error) {
	if err := check("stat", name); err != nil {
		return vfs.Attr{}, err
	}
	var st unix.Stat_t
	var err error
	if name == "." {
		err = sys.Fstat(d.fd, &st)
	} else {
		err = sys.Statat(d.fd, name, &st)
	}
	if err != nil {
		return vfs.Attr{}, pathError("stat", name, err)
	}
	return attr(&st), nil
}

// FollowDir follows no link that another user may have planted if d was opened by OpenTrusted.
func (d *dir) FollowDir(name string) (vfs.Dir, error) {
	if !d.checksLinks {
		return d.openDir(name, 0)
	}
	if err := checkEntry("open", name); err != nil {
		return nil, err
	}
	fd, err := newWalk(vfs.OpenOptions{}).openElement(d.fd, "", name, false)
	if err != nil {
		return nil, err
	}
	return listable(fd, name, d.noatime, d.checksLinks)
}

func (d *dir) FollowFile(name string) (vfs.File, error) {
	return d.openRead(name, 0)
}
