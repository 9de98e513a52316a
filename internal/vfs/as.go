package vfs

// As returns the directory or file of the implementation L that is x itself or wrapped by x; ok is false if
// there is none. A wrapper makes it accessible by a method Unwrap. Implementations use As in operations on two
// directories or files.
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
