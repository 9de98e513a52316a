package engine

import (
	"sync/atomic"
	"time"
)

// Namer returns a function that returns a new name on each call. It is safe for concurrent use.
func (t Temporaries) Namer() func() string {
	var n atomic.Uint64
	return func() string { return t.name(n.Add(1)) }
}

// Abandoned reports whether name is that of a temporary whose process is known, from the name alone, to
// have ended.
func (t Temporaries) Abandoned(name string) bool {
	by, understood, _ := isTemporary(name)
	return understood && t.makerState(by, time.Time{}, time.Time{}, false) == makerDead
}
