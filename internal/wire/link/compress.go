package link

import (
	"errors"
	"time"

	"psync/internal/lazymap"
	"psync/internal/wire"
)

const (
	bulk      = 16 << 10 // bytes of a batch that others are gathered after
	maxGather = 50 * time.Millisecond
)

// A segment is a part of what is sent, from one probe to the next. All of it is compressed, or none.
type segment struct {
	compress bool
	size     int       // bytes, from which on a probe ends it
	began    time.Time // when the first batch was to be written
	last     time.Time // when the last one was
	written  time.Time // when that had been; zero: it has not
	took     cost
}

// compressionLocked returns CompressNever, or how the next batch is to be compressed.
func (l *Link) compressionLocked() wire.Compression {
	if l.compress == wire.CompressNever {
		l.segment = nil
		return wire.CompressNever
	}
	if l.segment == nil {
		l.segment = &segment{compress: true, size: segmentSize, began: time.Now()}
		if l.compress == wire.CompressAuto {
			l.segment.compress, l.segment.size = l.choice.next()
		}
	}
	if !l.segment.compress {
		return wire.CompressNever
	}
	return l.compress
}

// probeLocked adds a batch that is about to be written to the segment, and ends that if it is long enough.
func (l *Link) probeLocked(c *channel, b *[]byte) {
	s := l.segment
	c.segment = s
	if s == nil {
		return
	}
	if s.took.bytes += len(*b); s.took.bytes < s.size {
		return
	}
	l.probes++
	if probed, err := wire.Append(*b, wire.Frame{Message: &wire.Probe{Number: l.probes}}); err == nil { // it exceeds no limit
		*b = probed
	}
	s.last = time.Now()
	lazymap.Set(&l.underWay, l.probes, s)
	l.segment = nil
}

var errAck = errors.New("an answer to what was not sent")

// arrivedLocked ends the segment whose probe has been answered.
func (l *Link) arrivedLocked(probe uint64) error {
	s, now := l.underWay[probe], time.Now()
	if s == nil {
		return errAck
	}
	delete(l.underWay, probe)
	since := s.began
	if l.arrived.After(since) {
		since = l.arrived
	}
	l.arrived = now
	s.took.time = now.Sub(since)
	if l.compress == wire.CompressAuto {
		l.choice.arrived(s.compress, s.took, now.Sub(s.last))
	}
	if !s.written.IsZero() {
		l.leastDelay = min(l.leastDelay, now.Sub(s.written))
	}
	l.queue = now.Sub(s.last) - l.leastDelay
	return nil
}

// own deals with a frame if it is for the Link.
func (l *Link) own(m wire.Message) (forLink bool, err error) {
	switch m := m.(type) {
	case *wire.Ack:
		l.mu.Lock()
		defer l.mu.Unlock()
		return true, l.arrivedLocked(m.Number)
	case *wire.Probe:
		l.mu.Lock()
		defer l.mu.Unlock()
		// It does not wait for room in the queue: both sides might wait for each other.
		l.due = true
		l.writable.Signal()
		return true, l.queueLocked(wire.Frame{Message: &wire.Ack{Number: m.Number}})
	}
	return false, nil
}

// gatherLocked waits for more to be compressed together, while a quarter of what queues on the path is being delivered.
// lastBulk is when the channel last finished writing a batch of at least bulk bytes.
func (l *Link) gatherLocked(lastBulk time.Time) {
	wait := min(l.queue/4, maxGather)
	left := wait - time.Since(lastBulk)
	if left <= 0 {
		return
	}
	timer := time.AfterFunc(left, func() {
		l.mu.Lock()
		defer l.mu.Unlock()
		l.writable.Broadcast()
	})
	defer timer.Stop()
	for l.queued < batchSize && l.err == nil && !l.closed && time.Since(lastBulk) < wait {
		l.writable.Wait()
	}
	l.waitForBatchLocked() // unless another channel has taken it
}

// compressed returns a batch as it is written. The caller puts it back if it is another one.
func (l *Link) compressed(b []byte, how wire.Compression) (out []byte, shrank bool) {
	out, shrank = l.compressor.Compress(takeBatch(), b, how == wire.CompressAuto)
	if !shrank {
		putBatch(out)
		return b, false
	}
	return out, true
}
