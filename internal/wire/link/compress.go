package link

import (
	"time"

	"psync/internal/wire"
)

const (
	asItIs       = 256 << 10            // bytes that are never compressed at the start, which may be all
	bulk         = 16 << 10             // bytes of a batch, from which on its delay is measured
	queued       = 5 * time.Millisecond // what the least delay grows by when batches queue on the way
	slow         = 32 << 20             // bytes a second, below which the way is slower than compressing
	enough       = 2                    // measurements that a decision takes
	remembered   = 8                    // measurements that count most
	mostPatience = 512
	mostGather   = 50 * time.Millisecond
)

// A way is what is known of the way to the other side, from how long batches take until they are acknowledged.
//
// Compressing pays if batches queue on a slow way. It is tried until that is known, for what goes out first fills such a way
// for seconds. As it may end the queue, that there is none says little then: it ends for the first one of such
// measurements, but each time that it begins again for eight times as many.
type way struct {
	written      int           // bytes of all batches, as they were written
	least        time.Duration // delay of a batch that has been written
	delays       time.Duration // the sum of those measured, from when the batch was to be written
	bytes        int           // that were written meanwhile
	measurements int
	off          bool // compressing does not pay
	calm         int  // measurements without a queue, while it did
	patience     int  // how many of these end it
}

func (w *way) add(delay, least time.Duration, bytes int) {
	w.least = min(w.least, least)
	w.delays += delay
	w.bytes += bytes
	if w.measurements++; w.measurements < enough {
		return
	}
	if w.measurements == remembered {
		w.delays, w.bytes, w.measurements = w.delays/2, w.bytes/2, w.measurements/2
	}
	switch isSlow := w.queue() > queued && float64(w.bytes) < w.delays.Seconds()*slow; {
	case isSlow && w.off:
		w.off, w.patience = false, min(max(8*w.patience, 8), mostPatience)
		w.delays, w.bytes, w.measurements = 0, 0, 0
	case isSlow || w.off:
		w.calm = 0
	default:
		if w.calm++; w.calm > w.patience {
			w.off = true
			w.delays, w.bytes, w.measurements = 0, 0, 0
		}
	}
}

// queue returns how long a batch waits on the way for those before it.
func (w *way) queue() time.Duration {
	if w.measurements == 0 {
		return 0
	}
	return w.delays/time.Duration(w.measurements) - w.least
}

// A probe is a batch whose delay is being measured.
type probe struct {
	frames  uint64    // that were sent over the channel before it, and with it
	taken   time.Time // when it was to be written; zero: there is no probe
	written time.Time // when it had been; zero: it has not
	before  int       // bytes of the way until then
}

// probeLocked begins to measure the delay of a batch that is about to be written, if that matters.
func (l *Link) probeLocked(c *channel, b *batch) {
	if l.compress != wire.CompressNever && len(b.bytes) >= bulk && c.probe.taken.IsZero() {
		b.bytes = appended(b.bytes, &wire.Probe{})
		b.frames++
		c.probe = probe{frames: c.retained.sent + b.frames, taken: time.Now(), before: l.way.written}
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
	l.way.add(time.Since(p.taken), least, l.way.written-p.before)
}

// compressionLocked returns CompressNever, or how the next batch is to be compressed.
func (l *Link) compressionLocked() wire.Compression {
	if l.compress == wire.CompressAuto && (l.way.off || l.way.written < asItIs) {
		return wire.CompressNever
	}
	return l.compress
}

// gatherLocked waits for more to be compressed together, while a quarter of what queued on the way is being delivered. The
// channel has written the last batch that was not small at some time.
func (l *Link) gatherLocked(c *channel, bulky time.Time) {
	wait := min(l.way.queue()/4, mostGather)
	left := wait - time.Since(bulky)
	if left <= 0 {
		return
	}
	timer := time.AfterFunc(left, func() {
		l.mu.Lock()
		defer l.mu.Unlock()
		l.writable.Broadcast()
	})
	defer timer.Stop()
	for l.queued < batchSize && l.err == nil && !l.closed && !c.ended && time.Since(bulky) < wait {
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
