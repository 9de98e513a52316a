package vfs

// As returns the directory or file of an implementation, L, that lies behind any wrappers of x, if there
// is one. A wrapper lets it through by a method Unwrap. Implementations need it for what concerns two
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
