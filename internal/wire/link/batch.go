package link

import (
	"sync"

	"psync/internal/wire"
)

// A batch is some frames, encoded one after the other.
type batch struct {
	bytes  []byte
	frames uint64
}

// batches holds buffers for batches.
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

// appended appends a message without fields to a batch.
func appended(batch []byte, m wire.Message) []byte {
	b, err := wire.Append(batch, wire.Frame{Message: m})
	if err != nil {
		panic(err) // it has no fields
	}
	return b
}
