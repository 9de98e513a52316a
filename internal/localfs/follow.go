package localfs

import "psync/internal/vfs"

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
