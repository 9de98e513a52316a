package content

import (
	"errors"

	"psync/internal/vfs"
)

// MinHole returns the number of zero bytes between data that is worth a hole. Shorter runs are written, because each
// hole costs an extent and a separate write: on ext4, writing 64 MiB of alternating data and holes took 14
// times as long as without holes for pieces of 4 KiB, and 4.7 times for pieces of 16 KiB. Runs shorter than
// that held 0.1 % of the zeros in images of file systems.
func (r *Route) MinHole() int {
	if r.far { // every write may be a round trip
		return 64 << 10
	}
	return 16 << 10
}

// PunchHole turns a range of f into a hole, if f supports that. It ignores the error: if the error matters,
// writing zeros will return it.
func (r *Route) PunchHole(f vfs.File, off, n int64) bool {
	return r.punch.open() && r.punch.learn(f.Fallocate(vfs.PunchHole, off, n)) == nil
}

// Reclaim frees what the file system may have allocated beyond the end of f in expectation of more data, where
// a hole follows instead. XFS would keep the space: 50 pieces of 1 MiB, 3 MiB apart, took 96 MiB. On other file
// systems Reclaim takes some microseconds.
func (r *Route) Reclaim(f vfs.File, off, n int64) {
	if !r.far {
		r.PunchHole(f, off, n)
	}
}

// share makes dst share the blocks of src, if that was not refused before.
func (r *Route) share(dst, src vfs.File) error {
	if !r.clone.open() || !dst.Caps().Has(vfs.CanClone) {
		return errors.ErrUnsupported
	}
	return r.clone.learn(dst.Clone(src))
}
