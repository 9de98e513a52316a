package job

import (
	"io"

	"psync/internal/vfs"
)

// A FileHash is written the contents of a regular file, in order, and is recorded if the destination has that file.
type FileHash interface {
	io.Writer
	// Record is called when the file is complete in the destination, or was found current there. The path is relative
	// to the destination; attr holds the size and modification time of the source. Several workers may call Record at
	// once.
	Record(path string, attr vfs.Attr)
}

// FileHashes say how the files of a run are hashed.
type FileHashes struct {
	New func() FileHash // nil: files are not hashed
	// OfDest means that files of the destination are hashed instead of those of the source, which are on another host
	// and would have to be fetched again.
	OfDest bool
}
