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
// temporary of another host is left alone: whether its process lives cannot be known.
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
	if !strings.HasPrefix(name, temporaryPrefix) {
		return false
	}
	i := strings.LastIndexByte(name, '-')
	if checked(name[:i]) != name {
		return false
	}
	var host, run uint32
	var pid int
	var count uint64
	if _, err := fmt.Sscanf(name[len(temporaryPrefix):i], "%x-%d-%x-%d", &host, &pid, &run, &count); err != nil {
		return false
	}
	switch {
	case host != t.Host:
		return false
	case pid == t.PID:
		return run != t.Run
	}
	return !t.Alive(pid)
}

// sweep removes abandoned temporaries from the destination of d. Failing to
// is no failure of the copy.
func (w *worker) sweep(d *directory) {
	_ = d.dst.ReadDir(func(entries []vfs.Entry) error {
		for _, e := range entries {
			if !e.Type.IsDir() && w.Temporaries.abandoned(e.Name) {
				_ = d.dst.Remove(e.Name)
			}
		}
		return nil
	})
}
