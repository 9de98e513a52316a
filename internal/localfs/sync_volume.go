package localfs

import "psync/internal/sys"

func (d *dir) SyncVolume() error {
	return pathError("sync", ".", sys.SyncVolume(d.fd))
}
