// Package history continues the ASC MHL history of a directory, or begins it, with the hashes of the files that a run
// has copied there or found current.
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

// A record is what is known of a file whose contents were hashed.
type record struct {
	sum           uint64 // xxh64
	size          int64
	mtime, hashed vfs.Stamp
}

// NewRecorder returns a Recorder that knows no file.
func NewRecorder() *Recorder { return &Recorder{files: make(map[string]record)} }

// A FileHash gets the contents of a file that may be recorded.
type FileHash struct {
	hash.Hash
	recorder *Recorder
}

// NewFileHash returns the hash of a file that has no contents yet.
func (r *Recorder) NewFileHash() FileHash { return FileHash{mhl.NewHash(mhl.Format), r} }

// Record remembers the file, with its size and its modification time.
func (h FileHash) Record(path string, attr vfs.Attr) {
	h.recorder.mu.Lock()
	defer h.recorder.mu.Unlock()
	h.recorder.files[strings.Clone(path)] = newRecord(h.Hash, attr)
}

func newRecord(h hash.Hash, attr vfs.Attr) record {
	return record{binary.BigEndian.Uint64(h.Sum(nil)), attr.Size, vfs.StampOf(attr.Mtime), vfs.StampOf(time.Now())}
}
