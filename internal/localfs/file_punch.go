package localfs

import "psync/internal/sys"

func (f *file) PunchHole(off, n int64) error {
	return pathError("fallocate", f.name, unsupported(sys.PunchHole(f.fd, off, n)))
}
