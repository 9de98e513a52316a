package manifest

import (
	"crypto/sha256"
	"hash"

	"psync/internal/vfs"
)

// A FileHash hashes the contents of a file that may be added to a list.
type FileHash struct {
	hash.Hash
	list *Writer
}

// NewFileHash returns a FileHash to which no contents have been written.
func (w *Writer) NewFileHash() FileHash { return FileHash{sha256.New(), w} }

// Record adds the file to the list.
func (h FileHash) Record(path string, _ vfs.Attr) { h.list.Add(Sum(h.Sum(nil)), path) }
