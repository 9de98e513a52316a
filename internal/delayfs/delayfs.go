// Package delayfs mounts a directory a second time through FUSE, and counts and
// delays the operations that reach it. Tests and benchmarks use it in place of a
// network mount: each operation stands for one round trip.
//
// Operations are counted as the kernel sends them, so what it answers from its own
// caches does not appear, and what it adds does. Of what it sends INIT, DESTROY,
// FORGET and INTERRUPT are not counted, since no program waits for them, and neither
// are operations that go-fuse refuses once and for all, such as POLL and STATX.
// RELEASE and RELEASEDIR are counted and delayed, though programs do not wait for
// them either.
//
// Use the mount by other processes than the one that serves it. That one would wait
// for itself: killed meanwhile it could not end, and neither could the mount.
package delayfs

import (
	"maps"
	"sync"
	"sync/atomic"
	"time"
)

// Options say how a mount behaves.
type Options struct {
	// Delay is how long each operation waits before it is carried out and answered.
	// Operations wait side by side, as those that are on their way to a server do.
	Delay time.Duration

	// CacheFor is for how long the kernel may keep entries and attributes. 0 is one
	// second, as network mounts have it; below 0 it keeps none. A test that counts
	// exactly should choose more than it can last.
	CacheFor time.Duration

	// Umask are rwx bits that the server takes away from whatever is made.
	Umask uint32
	// Forgets says that the server takes modes and owners, and keeps those that it has.
	Forgets bool
}

// Counts says how often each operation came, by its name in the FUSE protocol:
// LOOKUP, GETATTR, CREATE and so on. RENAME counts RENAME2, too.
type Counts map[string]int

// An FS is a mounted file system. Its methods may be called at the same time.
type FS struct {
	delay   atomic.Int64 // time.Duration
	unmount func() error

	mu     sync.Mutex // guards counts
	counts Counts
}

// SetDelay changes the delay of operations that come from now on.
func (f *FS) SetDelay(d time.Duration) { f.delay.Store(int64(d)) }

// Counts returns what came since the mount, or since the last Reset.
// A program that has ended may have left a RELEASE that comes a moment later.
func (f *FS) Counts() Counts {
	f.mu.Lock()
	defer f.mu.Unlock()
	return maps.Clone(f.counts)
}

// Reset begins to count anew.
func (f *FS) Reset() {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.counts = make(Counts)
}

// Unmount ends the mount. One that is in use is cut off from its users, whose
// operations fail from then on, and that is an error. Unmounting twice is none.
func (f *FS) Unmount() error { return f.unmount() }

func (f *FS) count(op string) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.counts[op]++
}
