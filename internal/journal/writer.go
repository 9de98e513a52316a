package journal

import (
	"crypto/rand"
	"errors"
	"io/fs"
	"os"
	"sync"
	"time"
)

const (
	// maxDirectories and maxDelay are those of a file; see Batch.
	maxDirectories = 1000
	maxDelay       = 100 * time.Millisecond
	// maxPending is how many bytes of records may be pending before workers have to wait.
	maxPending = 4 << 20
	// syncInterval is the time from one sync of the destination to the next.
	syncInterval = time.Minute
)

// A Batch bounds how many directories may be done, and for how long, before they are recorded.
type Batch struct {
	Directories int
	Delay       time.Duration
	Bytes       int // of records that are written at once; 0: any number
}

// A Writer appends to a journal. Its methods are safe for concurrent use.
type Writer struct {
	Key Key

	f      *os.File // nil: send has the records
	offset int64    // of the end of the file
	sum    uint32   // of its last frame
	synced time.Time
	boot   string // of the session
	batch  Batch
	send   func(records []byte) error

	wake   chan struct{}      // signals that records are pending
	full   chan struct{}      // signals that many records are pending
	demand chan chan struct{} // closed when the records that were pending are written
	closed chan struct{}      // closed when no records will follow
	ended  chan struct{}      // closed when all records are written
	flush  sync.Once
	syncs  chan int64 // offsets up to which everything is on the disk; 0 after a failure

	// Failed, unless it is nil, is called once if the journal cannot be written. SyncDest, unless it is nil, writes the
	// data of the run to the disk and reports whether that succeeded. It is called only if a crash of the system could
	// lose data. Both must be set before the first record.
	Failed   func(error)
	SyncDest func() bool

	mu      sync.Mutex // guards what follows
	taken   sync.Cond  // signalled when pending becomes empty
	pending []byte     // records
	cuts    cuts       // of pending
	n       int        // of directories in pending
	err     error
}

// An OpenFunc opens a file as [os.OpenFile] does.
type OpenFunc func(name string, flag int, perm fs.FileMode) (*os.File, error)

// Create creates a journal, which must not exist, in an existing directory. The errors are *[ExistsError] and those of
// open.
func Create(open OpenFunc, name string, j Job, s Session) (*Writer, error) {
	f, err := open(name, os.O_RDWR|os.O_CREATE|os.O_EXCL, 0o600)
	if errors.Is(err, fs.ErrExist) {
		return nil, &ExistsError{name}
	}
	if err != nil {
		return nil, err
	}
	w, err := lockAndBegin(f, name, j, s)
	if err != nil {
		_ = f.Close()
		return nil, errors.Join(err, os.Remove(name))
	}
	return w, nil
}

func lockAndBegin(f *os.File, name string, j Job, s Session) (*Writer, error) {
	if err := lock(f, name); err != nil {
		return nil, err
	}
	return begin(f, j, s)
}

// begin starts a journal in a new file, or in one without records.
func begin(f *os.File, j Job, s Session) (*Writer, error) {
	w := &Writer{f: f, offset: int64(len(magic))}
	_, _ = rand.Read(w.Key[:]) // never fails
	if err := f.Truncate(0); err != nil {
		return nil, err
	}
	if _, err := f.WriteAt([]byte(magic), 0); err != nil {
		return nil, err
	}
	records, err := appendJSON(nil, kindJob, newHeader(w.Key, j))
	if err != nil {
		return nil, err
	}
	return w, w.begin(records, s)
}

// begin writes records and the record of a session, and starts the goroutine that writes the others.
func (w *Writer) begin(records []byte, s Session) error {
	records, err := appendJSON(records, kindSession, s)
	if err != nil {
		return err
	}
	if err := w.write(records); err != nil {
		return err
	}
	if err := w.f.Sync(); err != nil {
		return err
	}
	w.synced, w.boot, w.batch = time.Now(), s.Boot, Batch{Directories: maxDirectories, Delay: maxDelay}
	w.start()
	return nil
}

func (w *Writer) start() {
	w.taken.L = &w.mu
	w.wake, w.full, w.demand = make(chan struct{}, 1), make(chan struct{}, 1), make(chan chan struct{})
	w.closed, w.ended = make(chan struct{}), make(chan struct{})
	w.syncs = make(chan int64, 1)
	go w.writeAll()
}

// write writes a frame.
func (w *Writer) write(records []byte) error {
	if w.f == nil {
		return w.send(records)
	}
	frame, sum := appendFrame(nil, w.sum, records)
	if _, err := w.f.WriteAt(frame, w.offset); err != nil {
		return err
	}
	w.offset, w.sum = w.offset+int64(len(frame)), sum
	return nil
}

// Directory records that a worker has finished the entries of a directory.
func (w *Writer) Directory(d *Directory) {
	if w.batch.Bytes == 0 {
		w.add(func(b []byte) []byte { return appendDirectory(b, d) })
		return
	}
	parts, completions := parts(d, w.batch.Bytes/2)
	for _, part := range parts {
		w.add(func(b []byte) []byte { return appendDirectory(b, part) })
	}
	for range completions {
		w.Completed(Completion{ID: d.ID})
	}
}

// Completed records that the work that had to wait in a directory is done.
func (w *Writer) Completed(s Completion) {
	w.add(func(b []byte) []byte { return appendCompletion(b, s) })
}

// Linked records that the entries of a directory that have several names are linked.
func (w *Writer) Linked(l Linked) {
	w.add(func(b []byte) []byte { return appendLinked(b, l) })
}

// Removed records that the entries of a directory that the source lacks are removed.
func (w *Writer) Removed(r Removed) {
	w.add(func(b []byte) []byte { return appendRemoved(b, r) })
}

// add adds a record to the pending ones. It waits while there are too many of them.
func (w *Writer) add(record func([]byte) []byte) {
	w.mu.Lock()
	defer w.mu.Unlock()
	for len(w.pending) >= maxPending && w.err == nil {
		w.taken.Wait()
	}
	if w.err != nil {
		return // Failed has reported it
	}
	begin := len(w.pending)
	w.pending = record(w.pending)
	w.cuts = w.cuts.add(begin, len(w.pending), w.batch.Bytes)
	if w.n++; w.n == 1 {
		signal(w.wake)
	}
	if w.n >= w.batch.Directories || len(w.pending) >= maxPending {
		signal(w.full)
	}
}

func signal(c chan struct{}) {
	select {
	case c <- struct{}{}:
	default:
	}
}

// writeAll writes pending records in batches until the writer is closed.
func (w *Writer) writeAll() {
	defer close(w.ended)
	syncing := false
	for {
		select {
		case <-w.wake:
			var demanded chan struct{}
			select {
			case <-w.full:
			case <-w.closed:
			case demanded = <-w.demand:
			case <-time.After(w.batch.Delay):
			}
			w.commit(nil)
			if demanded != nil {
				close(demanded)
			}
		case demanded := <-w.demand:
			w.commit(nil)
			close(demanded)
		case offset := <-w.syncs:
			syncing = false
			w.synced = time.Now()
			if offset > 0 {
				w.commit(appendSync(nil, offset))
			}
		case <-w.closed:
			if syncing {
				<-w.syncs
			}
			w.commit(nil)
			return
		}
		if w.SyncDest != nil && w.boot != "" && !syncing && time.Since(w.synced) >= syncInterval {
			syncing = true
			go w.sync(w.offset)
		}
	}
}

// sync writes the records up to offset, and the data that they describe, to the disk.
func (w *Writer) sync(offset int64) {
	if !w.SyncDest() || w.f.Sync() != nil {
		offset = 0
	}
	w.syncs <- offset
}

// commit writes the pending records, and then more.
func (w *Writer) commit(more []byte) {
	w.mu.Lock()
	records, cuts := w.pending, w.cuts
	w.pending, w.cuts, w.n = nil, nil, 0
	err := w.err
	w.mu.Unlock()
	records = append(records, more...)
	if err != nil || len(records) == 0 {
		return
	}
	if err = cuts.each(records, w.write); err == nil {
		w.taken.Broadcast()
		return
	}
	w.mu.Lock()
	w.err = err
	w.mu.Unlock()
	w.taken.Broadcast()
	if w.Failed != nil {
		w.Failed(err)
	}
}

// Flush writes the pending records. After that, only Close may be called. Flush returns the first write error.
func (w *Writer) Flush() error {
	w.flush.Do(func() { close(w.closed) })
	<-w.ended
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.err
}

// Close writes the pending records and the end of the session, and closes the journal.
func (w *Writer) Close(e End) error {
	defer func() { _ = w.f.Close() }() // the contents were synced
	if err := w.Flush(); err != nil {
		return err
	}
	record, err := appendJSON(nil, kindEnd, e)
	if err == nil {
		err = w.write(record)
	}
	if err == nil {
		err = w.f.Sync()
	}
	return err
}
