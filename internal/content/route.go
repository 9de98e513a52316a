// Package content moves the bytes of one file, or compares them to those of another.
//
// There are three ways to move bytes, from cheap to certain: sharing blocks (FICLONE), copying within the
// kernel (copy_file_range), and reading and writing. Each way may turn out to be impossible before or after it
// has moved some bytes; the next way continues where it stopped. A way that a pair of devices refuses is not
// tried again for that pair.
//
// Between file systems that refuse copy_file_range, sendfile(2) would take 0.91 to 1.01 of the time of reading and
// writing 256 KiB (tmpfs to ext4 and back, 4 KiB to 256 MiB, medians of interleaved copies without attributes). That
// is too little for another way that may fail halfway.
//
// Of an older version of the file that another host has, blocks are copied over there, and only those that differ are
// moved; see patch.go.
//
// A sparse copy uses only the last way and skips zeros. Every way skips the holes of the source; where it does not
// report them, see hidden.go.
//
// Several Copiers may process a large file together; each takes ranges of the file. This changes neither the
// result nor the error of a failure, but a copy that is killed then has gaps.
package content

import (
	"errors"
	"sync"
	"sync/atomic"

	"psync/internal/lazymap"
)

// A Device is one side of a copy.
type Device struct {
	Dev     uint64
	Network bool // operations may take a round trip
}

// Routes records which ways work between pairs of devices. The zero value is ready to use.
type Routes struct {
	mu sync.Mutex // guards m
	m  map[[2]uint64]*Route
}

// Between returns the route from one device to another.
func (r *Routes) Between(src, dst Device) *Route {
	key := [2]uint64{src.Dev, dst.Dev}
	r.mu.Lock()
	defer r.mu.Unlock()
	if route := r.m[key]; route != nil {
		return route
	}
	route := &Route{far: src.Network || dst.Network, same: src.Dev == dst.Dev}
	if route.far && !route.same {
		// Across mounts the kernel would turn copy_file_range into 64 KiB
		// writes, measured at 2.65 times the time of 1 MiB ones.
		route.ranges.refuse()
	}
	lazymap.Set(&r.m, key, route)
	return route
}

// A Route records which ways work between two devices.
type Route struct {
	far      bool // one side is a network file system
	same     bool // both sides are on one file system
	clone    way
	ranges   way
	punch    way
	prealloc way
	holes    way // files report their holes
}

// FarBuffer is the size in bytes of each read and write if one side is a network file system.
const FarBuffer = 1 << 20

// bufferSize is the size of one read and write, in bytes.
func (r *Route) bufferSize() int64 {
	if r.far {
		return FarBuffer
	}
	return 256 << 10
}

// smallFile is the size in bytes below which, without shared blocks, one read and
// one write beat copy_file_range (by 10 to 30 % on ext4).
const smallFile = 64 << 10

// A way starts untried. Once a way has worked, it stays open whatever single files return. A way that is
// refused before it has ever worked is closed for good.
type way struct{ state atomic.Int32 }

const (
	untried = iota
	works
	closed
)

func (w *way) open() bool   { return w.state.Load() != closed }
func (w *way) worked() bool { return w.state.Load() == works }
func (w *way) refuse()      { w.state.CompareAndSwap(untried, closed) }

// learn records the outcome of an attempt, and returns it.
func (w *way) learn(err error) error {
	switch {
	case err == nil:
		w.succeed()
	case errors.Is(err, errors.ErrUnsupported):
		w.refuse()
	}
	return err
}

func (w *way) succeed() {
	if w.state.Load() == untried { // reading first keeps the cache line shared
		w.state.CompareAndSwap(untried, works)
	}
}
