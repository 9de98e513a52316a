package sftpfs

import (
	"hash/maphash"
	"sync"
)

// identities gives entries numbers that stand for inode numbers. A number is derived from the path, except for the
// entries that were renamed last: the engine asks soon after a rename whether it has renamed the file that it made.
type identities struct {
	seed maphash.Seed

	mu     sync.Mutex // guards what follows
	moved  recent[uint64]
	linked recent[bool] // paths of entries that have, or may have, other names, too
}

// recent holds what is known of the last paths.
type recent[V any] struct {
	byPath map[string]V
	order  []string // the oldest first
}

// maxRecent is more than the number of workers.
const maxRecent = 1024

func (r *recent[V]) set(path string, v V) {
	if r.byPath == nil {
		r.byPath = make(map[string]V)
	}
	r.byPath[path] = v
	if r.order = append(r.order, path); len(r.order) > maxRecent {
		delete(r.byPath, r.order[0])
		r.order = r.order[1:]
	}
}

// of returns the number that identifies the entry at a path.
func (ids *identities) of(path string) uint64 {
	ids.mu.Lock()
	defer ids.mu.Unlock()
	if ino, ok := ids.moved.byPath[path]; ok {
		return ino
	}
	return max(maphash.String(ids.seed, path), 1)
}

// renamed records that an entry has a new path.
func (ids *identities) renamed(from, to string) {
	ino := ids.of(from)
	ids.mu.Lock()
	defer ids.mu.Unlock()
	delete(ids.moved.byPath, from)
	delete(ids.linked.byPath, to)
	ids.moved.set(to, ino)
}

// link records that an entry was made, or may have been made, as another name of one.
func (ids *identities) link(path string) {
	ids.mu.Lock()
	defer ids.mu.Unlock()
	ids.linked.set(path, true)
}

// isLink reports whether link was called for the entry at a path.
func (ids *identities) isLink(path string) bool {
	ids.mu.Lock()
	defer ids.mu.Unlock()
	return ids.linked.byPath[path]
}

// gone records that an entry was removed or replaced.
func (ids *identities) gone(path string) {
	ids.mu.Lock()
	defer ids.mu.Unlock()
	delete(ids.moved.byPath, path)
	delete(ids.linked.byPath, path)
}
