package localfs

import (
	"io"
	"os"

	"golang.org/x/sys/unix"

	"psync/internal/sys"
	"psync/internal/vfs"
)

// ReadDir uses package os. The version of Go in go.mod is the first that looks up an
// entry of unknown type in the directory being listed, not in the working directory.
func (d *dir) ReadDir(yield func([]vfs.Entry) error) error {
	fd, err := sys.Openat(d.fd, ".", unix.O_RDONLY|unix.O_DIRECTORY, 0)
	if err != nil {
		return pathError("readdir", ".", err)
	}
	f := os.NewFile(uintptr(fd), ".")
	defer f.Close()
	var entries []vfs.Entry
	for {
		list, err := f.ReadDir(1024)
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return err
		}
		entries = entries[:0]
		for _, e := range list {
			entries = append(entries, vfs.Entry{Name: e.Name(), Type: e.Type()})
		}
		if err := yield(entries); err != nil {
			return err
		}
	}
}
