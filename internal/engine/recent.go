package engine

import (
	"context"
	"time"

	"psync/internal/content"
	"psync/internal/vfs"
)

const (
	// clockTick is the longest step of the clock by which systems stamp files: 1/100 s.
	clockTick = 10 * time.Millisecond
	// coarseTick is that of volumes which keep change times in whole seconds; FAT keeps every other one.
	coarseTick = 2 * time.Second
	// clockSkew is how far the clock of a server may be from ours.
	clockSkew = 2 * time.Second
	// writeCall and writeRate, in bytes a second, estimate how long one write call may take, and
	// longestWrite limits that. A file gets its times when the call begins.
	writeCall    = 250 * time.Millisecond
	writeRate    = 256 << 20
	longestWrite = time.Second
)

// untilDistinct returns how long to wait until every later change of a file shows in its
// change time: until the clock that stamped it has moved on, and, if a program has the file open
// for writing, until a write call that may be running has ended. For a file that nobody has
// touched for a while it is 0.
func untilDistinct(a vfs.Attr, now time.Time, far, writer bool) time.Duration {
	quiet := clockTick
	if a.Ctime%vfs.Stamp(time.Second) == 0 {
		quiet = coarseTick
	}
	if writer {
		quiet = max(quiet, min(longestWrite, writeCall+time.Duration(a.Size)*time.Second/writeRate))
	}
	age := now.Sub(a.Ctime.Time())
	switch {
	case !far && age < -quiet: // the clock was set back, and stamps otherwise now
		return 0
	case !far:
		return max(0, quiet-age)
	case age < -clockSkew:
		return 0
	}
	return max(0, min(quiet, quiet+clockSkew-age))
}

// awaitDistinct waits until changes of f will show, and returns its attributes: a, unless
// the file has changed meanwhile. If it keeps changing, the copy will find out.
func awaitDistinct(ctx context.Context, f vfs.File, a vfs.Attr, far bool) (vfs.Attr, error) {
	if a.Ctime == 0 {
		return a, nil
	}
	for range 2 {
		wait := untilQuiet(f, a, far)
		if wait == 0 {
			return a, nil
		}
		if err := sleep(ctx, wait); err != nil {
			return a, err
		}
		now, err := f.Stat()
		if err != nil {
			return a, &content.ReadError{Err: err}
		}
		if changeOf(a, now) == unchanged {
			return a, nil
		}
		a = now
	}
	return a, sleep(ctx, untilQuiet(f, a, far))
}

// untilQuiet is untilDistinct for an open file. Whether a program writes to it is asked only
// when it was changed so shortly before that this matters.
func untilQuiet(f vfs.File, a vfs.Attr, far bool) time.Duration {
	now := time.Now()
	if far || untilDistinct(a, now, far, true) == 0 {
		return untilDistinct(a, now, far, false)
	}
	c, ok := f.(vfs.WriterChecker)
	return untilDistinct(a, now, far, ok && c.HasWriter())
}

// sleep waits for a while, or until ctx is done.
func sleep(ctx context.Context, wait time.Duration) error {
	if wait == 0 {
		return nil
	}
	timer := time.NewTimer(wait)
	defer timer.Stop()
	select {
	case <-timer.C:
		return nil
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}
