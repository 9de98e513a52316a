package printable

import "sync"

// A Tail keeps the last MaxLength bytes that are written to it.
type Tail struct {
	mu   sync.Mutex
	text []byte
}

func (t *Tail) Write(b []byte) (int, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	n := len(b)
	b = b[max(0, n-MaxLength):]
	t.text = append(t.text, b...)
	t.text = append(t.text[:0], t.text[max(0, len(t.text)-MaxLength):]...)
	return n, nil
}

func (t *Tail) String() string {
	t.mu.Lock()
	defer t.mu.Unlock()
	return string(t.text)
}
