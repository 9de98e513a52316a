// Package delayfs mounts a directory a second time through FUSE, and counts and delays the operations on the
// mount. Tests and benchmarks use the mount in place of a network mount: each operation stands for one round
// trip.
//
// Operations are counted as the kernel sends them: operations that the kernel answers from its caches are not
// counted, and operations that the kernel adds are counted. INIT, DESTROY, FORGET and INTERRUPT are not
// counted, since no program waits for them, and neither are operations that go-fuse refuses once and for all,
// such as POLL and STATX. RELEASE and RELEASEDIR are counted and delayed, although programs do not wait for
// them either.
//
// Use the mount from other processes than the serving one. The serving process would wait for itself: if it
// were killed meanwhile, neither the process nor the mount could end.
package delayfs

import (
	"maps"
	"sync"
	"sync/atomic"
	"time"
)

// Options say how a mount behaves.
type Options struct {
	// Delay is how long each operation waits before it is carried out and answered. Operations wait in parallel,
	// like requests on their way to a server.
	Delay time.Duration

	// CacheFor is how long the kernel may cache entries and attributes. 0 means one second, as on network mounts;
	// a negative value disables caching. A test that counts exactly should set CacheFor to more than the test can
	// last.
	CacheFor time.Duration

	// Umask holds the rwx bits that the server clears in the mode of each new entry.
	Umask uint32
	// Forgets says that the server accepts changes of modes and owners, but keeps the old modes and owners.
	Forgets bool
}

// Counts maps the FUSE protocol's names of operations, LOOKUP, GETATTR, CREATE and so on, to the number of
// operations received. RENAME includes RENAME2.
type Counts map[string]int

// An FS is a mounted file system. Its methods may be called at the same time.
type FS struct {
	delay   atomic.Int64 // time.Duration
	unmount func() error

	mu     sync.Mutex // guards counts
	counts Counts
}

// SetDelay changes the delay of operations that arrive from now on.
func (f *FS) SetDelay(d time.Duration) { f.delay.Store(int64(d)) }

// Counts returns the number of operations since the mount, or since the last Reset. A RELEASE of a program that
// has ended may arrive a moment later.
func (f *FS) Counts() Counts {
	f.mu.Lock()
	defer f.mu.Unlock()
	return maps.Clone(f.counts)
}

// Reset sets all counts to zero.
func (f *FS) Reset() {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.counts = make(Counts)
}

// Unmount ends the mount. If the mount is in use, Unmount detaches the mount from its users, whose operations
// fail from then on, and returns an error. Unmounting twice is not an error.
func (f *FS) Unmount() error { return f.unmount() }

func (f *FS) count(op string) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.counts[op]++
}
