// Package lazymap sets entries of maps that exist only once they have any.
package lazymap

// Set sets m[k] to v, in a new map if m is nil.
func Set[K comparable, V any](m *map[K]V, k K, v V) {
	if *m == nil {
		*m = make(map[K]V)
	}
	(*m)[k] = v
}
