package sftpfs

import (
	"hash/maphash"
	"sync"
)

// identities are numbers of entries. They follow from the paths, but for what was renamed last: the engine
// asks soon after whether it has renamed the file that it had made.
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

// renamed records that an entry has another path.
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
