package job

import (
	"io"

	"psync/internal/vfs"
)

// A FileHash gets the contents of a regular file, in order, and is recorded if the destination has that file.
type FileHash interface {
	io.Writer
	// Record is called when the file is complete in the destination, or was found current there. The path is relative
	// to the destination; attr has the size and the modification time of the source. Several workers may record at once.
	Record(path string, attr vfs.Attr)
}

// FileHashes say how the files of a run are hashed.
type FileHashes struct {
	New func() FileHash // nil: files are not hashed
	// OfDest has files of the destination hashed instead of those of the source: these are on another host, and would
	// have to be fetched once more.
	OfDest bool
}
