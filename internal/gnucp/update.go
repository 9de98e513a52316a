package gnucp

import (
	"time"

	"psync/internal/gnucp/entry"
)

// current reports whether the destination is not older than the source, which --update leaves alone.
func (w *worker) current(it *item) bool {
	return notOlder(it.was.Mtime, it.attr.Mtime, w.Preserve.Timestamps, func() time.Duration { return granularity(it) })
}

// notOlder compares times. If the destination may have got the time of the source once, what a
// file system cannot keep of that does not count.
func notOlder(dst, src time.Time, kept bool, granularity func() time.Duration) bool {
	if !dst.Before(src) {
		return true
	}
	if !kept || src.Sub(dst) > 2*time.Second { // no file system in use is coarser
		return false
	}
	tick := granularity()
	return tick > 0 && !dst.Before(time.Unix(0, src.UnixNano()/int64(tick)*int64(tick)))
}

// granularity returns what the destination counts times in, 0 if it keeps all of them.
func granularity(it *item) time.Duration {
	at, err := it.dst.At.Peek(entry.DirName(it.dst.Name))
	if err != nil {
		return 0
	}
	defer at.Close()
	v, _ := at.Statfs() // nothing known is 0
	return v.Granularity
}

// skipCurrent leaves a file as it is. But if the links of the source are preserved, and it is one of several names
// there, it becomes one here.
func (w *worker) skipCurrent(it *item) bool {
	if w.tracked(it) {
		earlier, mine := w.copies.claim(it)
		if mine {
			w.copies.settle(earlier, true)
		} else if <-earlier.done; earlier.ok && !w.linkCopy(it, earlier) {
			return false
		}
	}
	w.skip(it)
	return true
}
