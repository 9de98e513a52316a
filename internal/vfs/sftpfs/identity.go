package sftpfs

import (
	"hash/maphash"
	"sync"
)

// identities gives entries numbers that stand for inode numbers. A number is derived from the path, except for the
// entries that were renamed last: the engine asks soon after a rename whether it has renamed the file that it made.
type identities struct {
	seed maphash.Seed

	mu    sync.Mutex // guards what follows
	moved map[string]uint64
	order []string // of the keys, the oldest first
}

// maxRenames is more than the number of workers.
const maxRenames = 1024

// of returns the number that identifies the entry at a path.
func (ids *identities) of(path string) uint64 {
	ids.mu.Lock()
	defer ids.mu.Unlock()
	if ino, ok := ids.moved[path]; ok {
		return ino
	}
	return max(maphash.String(ids.seed, path), 1)
}

// renamed records that an entry has a new path.
func (ids *identities) renamed(from, to string) {
	ino := ids.of(from)
	ids.mu.Lock()
	defer ids.mu.Unlock()
	delete(ids.moved, from)
	ids.moved[to] = ino
	if ids.order = append(ids.order, to); len(ids.order) > maxRenames {
		delete(ids.moved, ids.order[0])
		ids.order = ids.order[1:]
	}
}

// gone records that an entry was removed or replaced.
func (ids *identities) gone(path string) {
	ids.mu.Lock()
	defer ids.mu.Unlock()
	delete(ids.moved, path)
}
