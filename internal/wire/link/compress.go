package link

import (
	"time"

	"psync/internal/wire"
)

const (
	asItIs      = 256 << 10            // bytes that are never compressed at the start, which may be all
	bulk        = 16 << 10             // bytes of a batch, from which on its delay is measured in any case
	between     = 64 << 10             // bytes between measurements of smaller batches
	queued      = 5 * time.Millisecond // what the least delay grows by when batches queue on the path
	slow        = 32 << 20             // bytes a second, below which the path is slower than compressing
	enough      = 2                    // measurements that a decision takes
	remembered  = 8                    // measurements that count most
	maxPatience = 512
	maxGather   = 50 * time.Millisecond
)

// A path holds what is known of the network path to the other side, measured by how long batches take to be acknowledged.
//
// Compressing pays if batches queue on a slow path. It stays on until that is known, because what goes out first would
// otherwise fill such a path for seconds. Since compressing may itself dissolve the queue, finding none proves little: at
// first, one measurement without a queue turns it off, but each time that it has to be turned on again, eight times as many
// are required, up to maxPatience.
type path struct {
	written      int           // bytes of all batches, as they were written
	probed       int           // of them, when the last measurement began
	least        time.Duration // delay of a batch that has been written
	delays       time.Duration // the sum of those measured, from when the batch was to be written
	bytes        int           // that were written meanwhile
	measurements int
	off          bool // compressing does not pay
	calm         int  // measurements without a queue, while it did
	patience     int  // how many of these end it
}

// add adds a measurement. Above a queue of most, the path may be slow.
func (p *path) add(delay, least time.Duration, bytes int, most time.Duration) {
	p.least = min(p.least, least)
	p.delays += delay
	p.bytes += bytes
	if p.measurements++; p.measurements < enough {
		return
	}
	if p.measurements == remembered {
		p.delays, p.bytes, p.measurements = p.delays/2, p.bytes/2, p.measurements/2
	}
	switch isSlow := p.queue() > most && float64(p.bytes) < p.delays.Seconds()*slow; {
	case isSlow && p.off:
		p.off, p.calm, p.patience = false, 0, min(max(8*p.patience, 8), maxPatience)
		p.delays, p.bytes, p.measurements = 0, 0, 0
	case isSlow || p.off:
		p.calm = 0
	default:
		if p.calm++; p.calm > p.patience {
			p.off = true
			p.delays, p.bytes, p.measurements = 0, 0, 0
		}
	}
}

// queue returns how long a batch waits on the path for those before it.
func (p *path) queue() time.Duration {
	if p.measurements == 0 {
		return 0
	}
	return p.delays/time.Duration(p.measurements) - p.least
}

// A probe is a batch whose delay is being measured.
type probe struct {
	frames  uint64    // that were sent over the channel before it, and with it
	taken   time.Time // when it was to be written; zero: there is no probe
	written time.Time // when it had been; zero: it has not
	before  int       // bytes of the path until then
	most    time.Duration
}

// probeLocked begins to measure the delay of a batch that is about to be written, if that matters.
func (l *Link) probeLocked(c *channel, b *batch) {
	due, most := l.path.written-l.path.probed >= between, 10*queued // busy processors delay small batches, too
	if len(b.bytes) >= bulk {
		due, most = true, queued
	}
	if l.compress != wire.CompressNever && due && c.probe.taken.IsZero() {
		b.bytes = appended(b.bytes, &wire.Probe{})
		b.frames++
		c.probe = probe{frames: c.retained.sent + b.frames, taken: time.Now(), before: l.path.written, most: most}
		l.path.probed = l.path.written
	}
}

// measureLocked ends the measurement if the probe is among the frames of the channel that have arrived.
func (l *Link) measureLocked(c *channel, frames uint64) {
	p := c.probe
	if p.taken.IsZero() || frames < p.frames {
		return
	}
	c.probe = probe{}
	least := time.Duration(0)
	if !p.written.IsZero() {
		least = time.Since(p.written)
	}
	l.path.add(time.Since(p.taken), least, l.path.written-p.before, p.most)
}

// compressionLocked returns CompressNever, or how the next batch is to be compressed.
func (l *Link) compressionLocked() wire.Compression {
	if l.compress == wire.CompressAuto && (l.path.off || l.path.written < asItIs) {
		return wire.CompressNever
	}
	return l.compress
}

// gatherLocked waits for more to be compressed together, while a quarter of what queues on the path is being delivered.
// lastBulk is when the channel last finished writing a batch of at least bulk bytes.
func (l *Link) gatherLocked(c *channel, lastBulk time.Time) {
	wait := min(l.path.queue()/4, maxGather)
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
