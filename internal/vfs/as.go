package vfs

// As returns x as an L, if x is one, or the L that x wraps; ok is false if there is none. A wrapper gives access to
// what it wraps by a method Unwrap. Implementations use As in operations on two directories or files.
func As[L, T any](x T) (l L, ok bool) {
	for {
		if l, ok := any(x).(L); ok {
			return l, true
		}
		w, ok := any(x).(interface{ Unwrap() T })
		if !ok {
			return l, false
		}
		x = w.Unwrap()
	}
}
