package job

import (
	"sync"
	"time"
)

// A Relisting caches the names of a source directory that was listed again because the destination
// does not distinguish all names.
type Relisting struct {
	mu    sync.Mutex      // guards the fields below
	mtime time.Time       // of the source directory when it was listed again
	keys  map[string]bool // of its names; names that the destination does not distinguish share a key
}

// Has reports whether the directory has a name with this key. It calls list to find out the keys of all names unless it
// has done so since mtime, when the directory was last changed.
func (r *Relisting) Has(key string, mtime time.Time, list func() (map[string]bool, error)) (bool, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.keys == nil || !r.mtime.Equal(mtime) {
		keys, err := list()
		if err != nil {
			return false, err
		}
		r.mtime, r.keys = mtime, keys
	}
	return r.keys[key], nil
}
