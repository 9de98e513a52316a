package localfs

import (
	"io/fs"

	"golang.org/x/sys/unix"

	"psync/internal/localfs/stat"
	"psync/internal/sys"
	"psync/internal/vfs"
)

// listChunk is how many entries of a stream are passed to yield at a time.
const listChunk = 1024

// list yields the entries that next returns until it reports false.
//
//lint:ignore U1000 where listings are not read as a stream, only tests call it
func (d *dir) list(next func() (sys.Dirent, bool, error), yield func([]vfs.Entry) error) error {
	entries := make([]vfs.Entry, 0, listChunk)
	for {
		e, ok, err := next()
		if err != nil {
			return vfs.PathError("readdir", ".", err)
		}
		if ok && string(e.Name) != "." && string(e.Name) != ".." {
			entry := vfs.Entry{Name: string(e.Name), Type: direntType(e.Type)}
			if entry.Type == unknownType {
				entry.Type = d.typeOf(entry.Name)
			}
			entries = append(entries, entry)
		}
		if len(entries) > 0 && (!ok || len(entries) == listChunk) {
			if err := yield(entries); err != nil {
				return err
			}
			entries = entries[:0]
		}
		if !ok {
			return nil
		}
	}
}

// unknownType is the type of an entry whose type a listing does not report.
const unknownType = fs.ModeIrregular

// direntType converts a DT_ constant of dirent.h as DTTOIF does there.
func direntType(t byte) fs.FileMode { return stat.FileMode(uint32(t) << 12).Type() }

// typeOf looks up the type of an entry where the listing does not report it, as on NFS
// (nfs_vnops.c:6881). After an error it returns the type of a regular file: opening the entry fails
// with the same error, and can report the name. That holds also for an entry that is listed but
// cannot be found, because macOS may merely hide it.
func (d *dir) typeOf(name string) fs.FileMode {
	var st unix.Stat_t
	if sys.Lstatat(d.fd, name, &st) != nil {
		return 0
	}
	return stat.FileMode(uint32(st.Mode)).Type()
}
