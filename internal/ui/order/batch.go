package order

// batchSize is how many bytes of lines about what is copied a batch has. In rsync, that depends on buffers, and on how far the
// processes are ahead of each other.
const batchSize = 32 << 10

// A batch collects lines.
type batch struct {
	print func([]byte)
	text
}

func (b *batch) add(t text) {
	size := 0
	for i := range t {
		b.text[i] = append(b.text[i], t[i]...)
		size += len(b.text[i])
	}
	if size > batchSize {
		b.flush()
	}
}

// flush prints the lines.
func (b *batch) flush() {
	for i, lines := range b.text {
		if len(lines) > 0 {
			b.print(lines)
		}
		if cap(lines) > 4*batchSize {
			lines = nil // those of a large directory
		}
		b.text[i] = lines[:0]
	}
}
