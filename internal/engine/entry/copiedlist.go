package entry

import (
	"encoding/binary"
	"io/fs"
	"iter"
	"maps"
	"slices"
	"sync"
	"time"

	"psync/internal/engine/job"
	"psync/internal/lazymap"
	"psync/internal/vfs"
)

// sourceRemovals holds the entries of the source that will be removed later.
type sourceRemovals struct {
	mu      sync.Mutex // guards lists and waiting
	lists   map[job.Key]*CopiedList
	waiting int // entries in lists

	// linked has the entries of which one of several names is, or is about to be, removed. That changes the link count
	// and the change time of the entry, but not in one step: attributes that another worker reads in between may have
	// the new count and the old time. From then on, the change time does not show whether the entry is unchanged.
	linked job.Set[vfs.ID]
}

// A CopiedList holds entries of a source directory that were copied and will be removed. There may be one for each
// directory of a source, and a million entries, so it takes little memory: about 40 bytes per entry.
type CopiedList struct {
	At   job.Key
	Dir  *job.Dir      // the directory, which is done when its entries are removed; nil if nothing depends on that
	Keep *job.Uncopied // which of them are not removed after all
	data []byte
}

// add adds an entry.
func (l *CopiedList) add(name string, a vfs.Attr) {
	b := binary.AppendUvarint(l.data, uint64(len(name)))
	b = append(b, name...)
	for _, v := range []uint64{uint64(a.Mode), a.Dev, a.Ino, a.Nlink, uint64(a.Mtime.Nanosecond())} {
		b = binary.AppendUvarint(b, v)
	}
	for _, v := range []int64{a.Size, a.Mtime.Unix(), int64(a.Ctime)} {
		b = binary.AppendVarint(b, v)
	}
	l.data = b
}

// all returns the entries, with the attributes that show whether they are unchanged.
func (l *CopiedList) all() iter.Seq2[string, vfs.Attr] {
	return func(yield func(string, vfs.Attr) bool) {
		rest := l.data
		unsigned := func() uint64 { v, n := binary.Uvarint(rest); rest = rest[n:]; return v }
		signed := func() int64 { v, n := binary.Varint(rest); rest = rest[n:]; return v }
		for len(rest) > 0 {
			n := unsigned()
			name := string(rest[:n])
			rest = rest[n:]
			a := vfs.Attr{Mode: fs.FileMode(unsigned()), Dev: unsigned(), Ino: unsigned(), Nlink: unsigned()}
			nsec := int64(unsigned())
			a.Size, a.Mtime, a.Ctime = signed(), time.Unix(signed(), nsec), vfs.Stamp(signed())
			if !yield(name, a) {
				return
			}
		}
	}
}

// maxUnsynced is how many entries of the source may wait only for their copies to be on disk.
const maxUnsynced = 4096

// removeLater arranges for an entry of the source to be removed at the end of the run or, if it waits only for its copy
// to be on disk, when many others do too.
func (w *Worker) removeLater(d *job.Dir, name string, attr vfs.Attr) {
	r := &w.shared.removals
	r.mu.Lock()
	l := r.lists[d.Key()]
	if l == nil {
		l = &CopiedList{At: d.Key()}
		if w.job.Run.Job.Journal != nil {
			l.Dir = d
			d.Left.AddTask(job.RemoveCopied)
		}
		lazymap.Set(&r.lists, l.At, l)
	}
	l.add(name, attr)
	r.waiting++
	var ready map[job.Key]*CopiedList
	if r.waiting >= maxUnsynced && !w.job.Run.Job.RemovesSourceLast() {
		ready, r.lists, r.waiting = r.lists, nil, 0
	}
	r.mu.Unlock()
	if ready != nil && w.job.SyncAll() {
		w.shared.PutLists(slices.Collect(maps.Values(ready)))
	}
}

// CopiedLists returns the lists of what is left to remove at the end of a run.
func (s *Shared) CopiedLists() []*CopiedList { return slices.Collect(maps.Values(s.removals.lists)) }
