package link

import (
	"errors"
	"slices"

	"psync/internal/wire"
)

// compactBelow is the size in bytes below which a batch is copied to be retained, together with others. Its own buffer
// is much larger.
const compactBelow = 64 << 10

// maxRetained limits the memory that retained frames take, in bytes. It is never reached if the other side acknowledges what
// it receives.
const maxRetained = 48 << 20

// retained are the frames that were sent over a channel and may not have arrived. They are sent again over other
// channels if it is lost.
type retained struct {
	arrived uint64 // frames that were sent before those in blocks, and have arrived
	sent    uint64 // frames
	size    int    // bytes of memory that blocks take
	blocks  []*block
}

// A block holds frames that are retained.
type block struct {
	batch
	compact bool // the bytes are a copy, to which others may be added
	writing bool // the bytes are being written to the channel
}

// add retains a batch that is about to be written. It returns the block that has the bytes of the batch itself, or nil
// if they were copied.
func (r *retained) add(b batch) *block {
	r.sent += b.frames
	if len(b.bytes) >= compactBelow {
		own := &block{batch: b, writing: true}
		r.blocks = append(r.blocks, own)
		r.size += cap(b.bytes)
		return own
	}
	last := len(r.blocks) - 1
	if last < 0 || !r.blocks[last].compact || len(r.blocks[last].bytes)+len(b.bytes) > cap(r.blocks[last].bytes) {
		r.blocks = append(r.blocks, &block{batch: batch{bytes: takeBatch()}, compact: true})
		last++
		r.size += cap(r.blocks[last].bytes)
	}
	r.blocks[last].bytes = append(r.blocks[last].bytes, b.bytes...)
	r.blocks[last].frames += b.frames
	return nil
}

var errReceived = errors.New("an impossible count of received frames")

// ack forgets frames that have arrived: as many as that of all that were sent.
func (r *retained) ack(frames uint64) error {
	if frames > r.sent {
		return errReceived
	}
	for len(r.blocks) > 0 && r.arrived+r.blocks[0].frames <= frames {
		b := r.blocks[0]
		r.arrived += b.frames
		r.size -= cap(b.bytes)
		r.blocks = slices.Delete(r.blocks, 0, 1)
		if !b.writing {
			putBatch(b.bytes)
		}
	}
	return nil
}

// takeAfter returns the frames after so many that have arrived, and forgets them: they are sent over another channel.
func (r *retained) takeAfter(frames uint64) (batches []batch, err error) {
	if frames < r.arrived || frames > r.sent {
		return nil, errReceived
	}
	skip := frames - r.arrived
	for _, b := range r.blocks {
		rest := b.batch
		for ; skip > 0 && rest.frames > 0; skip-- {
			n, err := wire.Length(rest.bytes)
			if err != nil {
				return nil, err
			}
			rest.bytes = rest.bytes[wire.LengthSize+n:]
			rest.frames--
		}
		if rest.frames > 0 {
			rest.bytes = append(takeBatch(), rest.bytes...) // its own may still be in use
			batches = append(batches, rest)
		}
	}
	*r = retained{arrived: frames, sent: frames}
	return batches, nil
}
