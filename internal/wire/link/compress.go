package link

import (
	"time"

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
	frames   uint64    // that were sent over the channel of the probe, up to it
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
func (l *Link) probeLocked(c *channel, b *batch) {
	s := l.segment
	c.segment = s
	if s == nil {
		return
	}
	if s.took.bytes += len(b.bytes); s.took.bytes < s.size {
		return
	}
	b.bytes = appended(b.bytes, &wire.Probe{})
	b.frames++
	s.frames, s.last = c.retained.sent+b.frames, time.Now()
	c.underWay, l.segment = append(c.underWay, s), nil
}

// arrivedLocked deals with segments whose probes are among the frames of the channel that have arrived.
func (l *Link) arrivedLocked(c *channel, frames uint64) {
	for len(c.underWay) > 0 && c.underWay[0].frames <= frames {
		s, now := c.underWay[0], time.Now()
		c.underWay = c.underWay[1:]
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
	}
}

// gatherLocked waits for more to be compressed together, while a quarter of what queues on the path is being delivered.
// lastBulk is when the channel last finished writing a batch of at least bulk bytes.
func (l *Link) gatherLocked(c *channel, lastBulk time.Time) {
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
	for l.queued < batchSize && l.err == nil && !l.closed && !c.ended && time.Since(lastBulk) < wait {
		l.writable.Wait()
	}
	l.waitForBatchLocked(c) // unless another channel has taken it
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
