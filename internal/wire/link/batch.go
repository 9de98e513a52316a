package link

import "sync"

// batches holds buffers for batches: frames that are encoded one after the other.
var batches = sync.Pool{New: func() any {
	b := make([]byte, 0, 2*batchSize)
	return &b
}}

func takeBatch() []byte { return (*batches.Get().(*[]byte))[:0] }

// putBatch keeps the buffer of a batch, unless a large frame has made it large.
func putBatch(b []byte) {
	if cap(b) <= 4*batchSize {
		batches.Put(&b)
	}
}
