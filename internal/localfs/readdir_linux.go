package localfs

import (
	"io"
	"sync"

	"golang.org/x/sys/unix"

	"psync/internal/sys"
	"psync/internal/vfs"
)

// A listing is the buffer of ReadDir, reused from one directory to the next.
type listing struct {
	dirents [32 << 10]byte // what one getdents64(2) returns: some 1,000 entries
	names   []byte
	ends    []int
	entries []vfs.Entry
}

var listings = sync.Pool{New: func() any { return new(listing) }}

func (d *dir) ReadDir(yield func([]vfs.Entry) error) error {
	fd := d.fd
	if d.listed.Swap(true) {
		// All users of a descriptor share its position, so list by a new descriptor.
		var err error
		if fd, err = openToRead(d.fd, ".", unix.O_DIRECTORY, d.noatime); err != nil {
			return pathError("readdir", ".", err)
		}
		defer unix.Close(fd)
	} else if _, err := unix.Seek(fd, 0, io.SeekStart); err != nil {
		// Rewinding is necessary although nothing was read yet: btrfs lists what a directory
		// contained when it was opened.
		return pathError("readdir", ".", err)
	}
	l := listings.Get().(*listing)
	defer listings.Put(l)
	onNFS := nfsDevices.has(fd)
	for {
		n, err := sys.Getdents(fd, l.dirents[:])
		if err != nil {
			return pathError("readdir", ".", err)
		}
		if n == 0 {
			return nil
		}
		entries := l.parse(d, l.dirents[:n])
		if len(entries) == 0 {
			continue
		}
		if onNFS {
			keepAttrs(fd, entries)
		}
		if err := yield(entries); err != nil {
			return err
		}
	}
}

// parse turns a buffer of getdents64(2) into entries. All names of a chunk are
// slices of one string, so that their number costs no allocations. Callers may still hold the names of the last chunk.
func (l *listing) parse(d *dir, buf []byte) []vfs.Entry {
	l.names = l.names[:0]
	l.ends = l.ends[:0]
	l.entries = l.entries[:0]
	for {
		e, rest, ok := sys.NextDirent(buf)
		if !ok {
			break
		}
		buf = rest
		if string(e.Name) == "." || string(e.Name) == ".." {
			continue
		}
		l.names = append(l.names, e.Name...)
		l.ends = append(l.ends, len(l.names))
		l.entries = append(l.entries, vfs.Entry{Type: direntType(e.Type), Ino: e.Ino})
	}
	names, start := string(l.names), 0
	for i := range l.entries {
		e := &l.entries[i]
		e.Name = names[start:l.ends[i]]
		start = l.ends[i]
		if e.Type == unknownType {
			e.Type = d.typeOf(e.Name)
		}
	}
	return l.entries
}
