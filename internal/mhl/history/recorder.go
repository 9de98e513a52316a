// Package history starts or continues the ASC MHL history of a directory, with the hashes of the files that a run
// copied there or found current.
package history

import (
	"encoding/binary"
	"hash"
	"strings"
	"sync"
	"time"

	"psync/internal/mhl"
	"psync/internal/vfs"
)

// A Recorder remembers the hashes of files. Its methods are safe for concurrent use.
type Recorder struct {
	mu    sync.Mutex // guards files
	files map[string]record
}

// A record is what is known about a file whose contents were hashed.
type record struct {
	sum           uint64 // xxh64
	size          int64
	mtime, hashed vfs.Stamp
}

// NewRecorder returns a Recorder without files.
func NewRecorder() *Recorder { return &Recorder{files: make(map[string]record)} }

// A FileHash hashes the contents of a file that may be recorded.
type FileHash struct {
	hash.Hash
	recorder *Recorder
}

// NewFileHash returns a FileHash to which no contents have been written.
func (r *Recorder) NewFileHash() FileHash { return FileHash{mhl.NewHash(mhl.Format), r} }

// Record records the hash of the file, with its size and modification time.
func (h FileHash) Record(path string, attr vfs.Attr) {
	h.recorder.mu.Lock()
	defer h.recorder.mu.Unlock()
	h.recorder.files[strings.Clone(path)] = newRecord(h.Hash, attr)
}

func newRecord(h hash.Hash, attr vfs.Attr) record {
	return record{binary.BigEndian.Uint64(h.Sum(nil)), attr.Size, vfs.StampOf(attr.Mtime), vfs.StampOf(time.Now())}
}
