package engine

import (
	"sync/atomic"
	"time"
)

// Namer returns a function that returns another name each time.
func (t Temporaries) Namer() func() string {
	var n atomic.Uint64
	return func() string { return t.name(n.Add(1)) }
}

// Abandoned reports whether name is that of a temporary whose process is gone, as far as the name
// tells.
func (t Temporaries) Abandoned(name string) bool {
	by, understood, _ := isTemporary(name)
	return understood && t.owner(by, time.Time{}, time.Time{}, false) == dead
}
