package job

import (
	"errors"
	"fmt"
	"strings"
	"syscall"

	"psync/internal/report"
	"psync/internal/vfs"
)

// A FatalError ends a run: nothing more can be written to the destination.
type FatalError struct {
	Err  syscall.Errno
	Need int64      // bytes that the failed file takes; 0 if unknown or not a file
	Room *vfs.Space // space left on a full volume; nil if unknown
}

func (e *FatalError) Error() string {
	var more []string
	if e.Room != nil {
		if more = append(more, size(e.Room.Free)+" free"); e.Room.LimitsInodes && e.Room.Inodes == 0 {
			more = append(more, "no inode free")
		}
	}
	if e.Need > 0 {
		more = append(more, "the file takes "+size(e.Need))
	}
	text := "nothing more can be written: " + e.Err.Error()
	if more != nil {
		text += " (" + strings.Join(more, ", ") + ")"
	}
	return text
}

func (e *FatalError) Unwrap() error { return e.Err }

// A NoRoomError says that copying a file was not started because it does not fit. It is an ENOSPC.
type NoRoomError struct{ Need, Free int64 }

func (e *NoRoomError) Error() string {
	return fmt.Sprintf("%v: it takes %s, and %s are free", syscall.ENOSPC, size(e.Need), size(e.Free))
}

func (*NoRoomError) Unwrap() error { return syscall.ENOSPC }

// Allocation returns how much space the contents of a file take when it is copied with its holes, as far as attr
// shows.
func Allocation(attr vfs.Attr) int64 {
	if attr.Blocks <= 0 {
		return attr.Size
	}
	return min(attr.Size, attr.Blocks*512)
}

// size returns a number of bytes as text.
func size(n int64) string {
	switch {
	case n < 10<<10:
		return fmt.Sprintf("%d bytes", n)
	case n < 10<<20:
		return fmt.Sprintf("%d KiB", n>>10)
	case n < 10<<30:
		return fmt.Sprintf("%d MiB", n>>20)
	}
	return fmt.Sprintf("%d GiB", n>>30)
}

// Fatal returns the FatalError that an error of the destination amounts to, or nil
// if other entries may still be written.
func Fatal(err error) *FatalError {
	switch errno, _ := errors.AsType[syscall.Errno](err); errno {
	case syscall.ENOSPC, syscall.EDQUOT, syscall.EROFS:
		return &FatalError{Err: errno}
	}
	return nil
}

// explain adds to e how much space the entry of the failed event takes and how much is left.
func (w *Worker) explain(e *FatalError, d *Dir, about report.Event) {
	switch e.Err {
	case syscall.ENOSPC:
		if d.Dst == nil {
			return
		}
		v, err := d.Dst.Statfs()
		if err != nil || v.Space == nil {
			return
		}
		e.Room = v.Space
	case syscall.EDQUOT:
	default:
		return
	}
	if d.Src != nil && about.Name != "" && !about.IsDir {
		if attr, err := w.Stat(d, vfs.Entry{Name: about.Name}); err == nil && attr.Mode.IsRegular() {
			e.Need = Allocation(attr)
		}
	}
}
