// Package growstack makes the stack of a goroutine as large as it needs at once. A stack that doubles several times, with deep
// calls on it, is copied as often, by tables of all functions on it, each in pages that nothing else touches.
package growstack

// Grow makes the stack of the goroutine that calls it 16 KiB large.
func Grow() { grow(0) }

// grow has a large frame, for which its first instructions make room, and does not touch it.
//
//go:noinline
func grow(n int) byte {
	if n == 0 {
		return 0
	}
	var frame [10 << 10]byte
	frame[n] = 1
	return frame[n/2]
}
