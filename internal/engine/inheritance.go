package engine

import "sync"

// An inheritance holds what a run passes on to the tasks of directories, from those of their parents
// or from earlier ones of their own.
type inheritance[T any] struct {
	mu sync.Mutex // guards m
	m  map[key]*T
}

// leave passes v on to the next task of the directory at k, unless v is nil.
func (h *inheritance[T]) leave(k key, v *T) {
	if v == nil {
		return
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.m == nil {
		h.m = make(map[key]*T)
	}
	h.m[k] = v
}

// take returns and forgets what was passed on to the directory at k, or returns nil.
func (h *inheritance[T]) take(k key) *T {
	h.mu.Lock()
	defer h.mu.Unlock()
	v := h.m[k]
	delete(h.m, k)
	return v
}
