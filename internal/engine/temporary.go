package engine

import (
	"fmt"
	"hash/crc32"
	"strings"

	"psync/internal/vfs"
)

// Temporaries makes names for files that are not complete, and recognises those
// that a process which is gone has left behind. A name tells who made it:
//
//	.psync-HOST-PID-RUN-NUMBER-CHECK
//
// all but PID and NUMBER in hexadecimal. CHECK is a checksum of what stands
// before it, so that no name that merely looks similar is taken for one. A
// temporary of another host is left alone, unless everything extraneous is removed:
// whether its process lives cannot be known.
type Temporaries struct {
	Host  uint32             // identifies the host, and within it the space of process numbers
	PID   int                // of this process
	Run   uint32             // random, to tell this process from an earlier one of the same number
	Alive func(pid int) bool // reports whether a process of this host is running
}

const temporaryPrefix = ".psync-"

// name returns the n-th name.
func (t Temporaries) name(n uint64) string {
	return checked(fmt.Sprintf("%s%08x-%d-%08x-%d", temporaryPrefix, t.Host, t.PID, t.Run, n))
}

func checked(name string) string {
	return fmt.Sprintf("%s-%08x", name, crc32.ChecksumIEEE([]byte(name)))
}

// abandoned reports whether name is that of a temporary whose process is gone.
func (t Temporaries) abandoned(name string) bool {
	ours, alive := t.recognise(name)
	return ours && !alive
}

// inUse reports whether name is that of a temporary whose process is running.
func (t Temporaries) inUse(name string) bool {
	ours, alive := t.recognise(name)
	return ours && alive
}

// recognise reports whether name is that of a temporary of this host, and
// whether its process is running.
func (t Temporaries) recognise(name string) (ours, alive bool) {
	if !strings.HasPrefix(name, temporaryPrefix) {
		return false, false
	}
	i := strings.LastIndexByte(name, '-')
	if checked(name[:i]) != name {
		return false, false
	}
	var host, run uint32
	var pid int
	var count uint64
	if _, err := fmt.Sscanf(name[len(temporaryPrefix):i], "%x-%d-%x-%d", &host, &pid, &run, &count); err != nil {
		return false, false
	}
	switch {
	case host != t.Host || t.Alive == nil:
		return false, false
	case pid == t.PID:
		return true, run == t.Run
	}
	return true, t.Alive(pid)
}

// mayHoldTemporaries reports whether an earlier run can have left temporaries in
// the destination of d. One that has the time of its source was finished, and
// no entry was made in it since, so nothing is to be looked for there. On a
// network file system listing it brings the attributes of its entries as well.
func (w *worker) mayHoldTemporaries(d *directory) bool {
	return !w.DryRun && d.dst != nil && !d.fresh() &&
		(d.farDest || !w.Keep.Mtime || !d.attr.Mtime.Equal(d.destAttr.Mtime))
}

// sweep removes abandoned temporaries from the destination of d. Failing to
// is no failure of the copy. What else it has is remembered in d.had, if that helps.
func (w *worker) sweep(d *directory) {
	var had *names
	if d.farDest || d.names != nil {
		had = new(names)
	}
	err := d.dst.ReadDir(func(entries []vfs.Entry) error {
		for _, e := range entries {
			switch {
			case !w.Temporaries.abandoned(e.Name):
				if had != nil {
					had.add(e.Name)
				}
			case e.Type.IsDir():
				w.touch(d)
				_ = d.dst.Rmdir(e.Name)
			default:
				w.touch(d)
				_ = d.dst.Remove(e.Name)
			}
		}
		return nil
	})
	if err == nil && had != nil {
		had.sort()
		d.had = had
	}
}
