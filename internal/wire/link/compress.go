package link

import "time"

// These limits were measured from end to end, by pushing the source of Go through a proxy of some rate on two cores. At
// 1000 Mbit/s 151 MB took 1.5 s without compression, with CompressAuto 1.5 s and with CompressAlways 2.4 s. At 100 Mbit/s
// 61 MB took 4.4, 2.0 and 1.3 s, at 10 Mbit/s 19 MB 13.2, 6.2 and 4.5 s: CompressAuto begins when the window of the
// channel is full, because before it takes bytes as fast as they come. Random bytes took the same time in all ways.
const (
	queuedFrom = 64 << 10 // bytes in the queue, from which on frames are compressed
	triedFrom  = 512      // bytes of a frame, below which one of many is not worth compressing
	slow       = 64 << 20 // bytes a second, below which channels are slower than compressing
	remembered = 4 << 20  // bytes, the speed of which counts most
	maxSkipped = 63       // frames that are not tried after some that did not shrink
)

// A speed is how fast channels take bytes: several of them together as fast as one would if it wrote all the time.
type speed struct {
	bytes int
	took  time.Duration
}

func (s *speed) add(n int, took time.Duration) {
	s.bytes += n
	s.took += took
	if s.bytes > remembered {
		s.bytes /= 2
		s.took /= 2
	}
}

// below reports whether fewer than rate bytes are written in a second by n channels that write at a time.
func (s *speed) below(rate, n int) bool {
	return s.bytes > 0 && time.Duration(s.bytes)*time.Second/time.Duration(rate)*time.Duration(n) < s.took
}

// A trial counts frames that are not compressed because those before them did not shrink.
type trial struct{ skip, skipped int }

// due reports whether the next frame is to be tried.
func (t *trial) due() bool {
	if t.skipped < t.skip {
		t.skipped++
		return false
	}
	return true
}

// result says whether the frame shrank. Each failure doubles the frames until the next trial.
func (t *trial) result(shrank bool) {
	t.skipped = 0
	if shrank {
		t.skip = 0
	} else {
		t.skip = min(2*t.skip+1, maxSkipped)
	}
}
