package link

// Retained returns how many bytes are retained.
func Retained(l *Link) (n int) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, c := range l.channels {
		for _, b := range c.retained.blocks {
			n += cap(b.bytes)
		}
	}
	return n
}
