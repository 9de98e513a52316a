package changed

import (
	"context"
	"time"

	"psync/internal/content"
	"psync/internal/pace"
	"psync/internal/plan"
	"psync/internal/vfs"
)

const (
	// clockTick is the coarsest step of the clock that kernels take file times from: 1/100 s.
	clockTick = 10 * time.Millisecond
	// coarseTick is the coarsest step of file times on disk, that of FAT.
	coarseTick = 2 * time.Second
	// clockSkew is the largest difference expected between the clock of a server and ours.
	clockSkew = 2 * time.Second
	// A file gets its times when a write(2) call begins. writeCall plus the size of the file divided by writeRate, in
	// bytes per second, estimates how long the call may take, up to longestWrite.
	writeCall    = 250 * time.Millisecond
	writeRate    = 256 << 20
	longestWrite = time.Second
)

// racyFor returns how much longer a change of a file may leave its change time as it is, so that the change cannot be
// detected (git calls such a file racily clean): until the clock that the time was taken from has moved on and, if a
// program has the file open for writing, until a write(2) call that may be in progress has returned. It is 0 for a
// file that has not changed for a while.
func racyFor(a vfs.Attr, now time.Time, far, writer bool) time.Duration {
	quiet := clockTick
	if a.Ctime%vfs.Stamp(time.Second) == 0 {
		quiet = coarseTick
	}
	if writer {
		quiet = max(quiet, writeTime(a.Size))
	}
	age := now.Sub(a.Ctime.Time())
	switch {
	case !far && age < -quiet: // the clock has been set back since, so the next change will show
		return 0
	case !far:
		return max(0, quiet-age)
	case age < -clockSkew:
		return 0
	}
	return max(0, min(quiet, quiet+clockSkew-age))
}

// AtRest returns how long ago a file of at most size bytes must have changed to be no longer racy, even if a program has
// it open for writing. fine says that its file system keeps the times of the kernel's clock.
func AtRest(size int64, fine bool) time.Duration {
	if !fine {
		return coarseTick
	}
	return clockTick + writeTime(size)
}

// writeTime returns how long a write(2) call may take that changes a file of this size.
func writeTime(size int64) time.Duration {
	return min(longestWrite, writeCall+time.Duration(size)*time.Second/writeRate)
}

// AwaitNotRacy waits until f is no longer racy, and returns its attributes, which are a unless the file has changed
// in the meantime. If the file keeps changing, AwaitNotRacy gives up, and Since detects it later. It returns the
// cause of ctx when ctx is done.
func AwaitNotRacy(ctx context.Context, f vfs.File, a vfs.Attr, far bool) (vfs.Attr, error) {
	if a.Ctime == 0 {
		return a, nil
	}
	for range 2 {
		wait := fileRacyFor(f, a, far)
		if wait == 0 {
			return a, nil
		}
		if err := pace.Sleep(ctx, wait); err != nil {
			return a, err
		}
		now, err := vfs.Stat(f)
		if err != nil {
			return a, &content.ReadError{Err: err}
		}
		if plan.ChangeOf(a, now) == plan.Unchanged {
			return a, nil
		}
		a = now
	}
	return a, pace.Sleep(ctx, fileRacyFor(f, a, far))
}

// fileRacyFor is racyFor for an open file. It checks for writers only if the file was changed so
// recently that they matter.
func fileRacyFor(f vfs.File, a vfs.Attr, far bool) time.Duration {
	now := time.Now()
	if far || racyFor(a, now, far, true) == 0 {
		return racyFor(a, now, far, false)
	}
	return racyFor(a, now, far, f.HasWriter())
}
