package volume

import (
	"errors"
	"sync"
	"sync/atomic"

	"psync/internal/lazymap"
	"psync/internal/report"
)

// A Feature is something that a volume may not support: an attribute or, because file systems may support
// some and not others, the extended attributes of a namespace.
type Feature struct {
	Attr      report.Attr
	Namespace string
}

// unsupported holds the features that a volume has refused.
type unsupported struct {
	any atomic.Bool // m is not empty

	mu sync.Mutex // guards m
	m  map[Feature]error
}

// Unsupported returns the error with which the volume refused a feature before, or nil. It returns nil for
// a nil volume.
func (v *Volume) Unsupported(f Feature) error {
	if v == nil || !v.unsupported.any.Load() {
		return nil
	}
	v.unsupported.mu.Lock()
	defer v.unsupported.mu.Unlock()
	return v.unsupported.m[f]
}

// LearnUnsupported records an error from using a feature if the error says that the whole volume does
// not support it. For a nil volume it does nothing.
func (v *Volume) LearnUnsupported(f Feature, err error) {
	if v == nil || !errors.Is(err, errors.ErrUnsupported) {
		return
	}
	v.unsupported.mu.Lock()
	defer v.unsupported.mu.Unlock()
	lazymap.Set(&v.unsupported.m, f, err)
	v.unsupported.any.Store(true)
}
