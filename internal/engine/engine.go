// Package engine runs workers that claim directories and apply planned steps.
//
// A worker claims one directory of the source, makes its subdirectories in the
// destination and puts them into the queue at once, copies its files one after
// the other, and sets the directory's attributes when its own entries are done.
// Entries further below do not change those, so no worker waits for a subtree.
//
// What keeps an interrupted or failed run from doing harm:
//   - A file under a new name is written in place and removed if copying it
//     fails. Its modification time is set last, so that what a killed process
//     leaves behind never looks current.
//   - A file under an existing name is written under a temporary name and renamed:
//     a reader sees the old contents or the whole new ones. Temporaries of a
//     process that is gone are removed by the next run; see [Temporaries].
//   - A directory is made with all rights for its owner. Where the source has
//     less, that is set once nothing needs to be done inside any more.
//
// A small file copied with its times into a new directory takes eight system
// calls on Linux: openat and fstat of the source, openat of the destination, pread
// and pwrite (above 64 KiB one copy_file_range instead), utimensat, and two closes.
package engine

import (
	"cmp"
	"context"
	"errors"
	"sync"
	"sync/atomic"

	"psync/internal/content"
	"psync/internal/plan"
	"psync/internal/queue"
	"psync/internal/report"
	"psync/internal/vfs"
)

// Options say how to copy.
type Options struct {
	Threads  int  // number of workers, at least 1
	DryRun   bool // decide and tell, but change nothing
	Keep     plan.Keep
	UID, GID int // owner and group that new entries get by themselves

	// OpenDirs limits the directories kept open for tasks not yet claimed,
	// on each side. Zero means 256.
	OpenDirs int
}

// A Source is one directory to copy from.
type Source struct {
	Dir vfs.Dir
	// Label is what Dir is called in messages.
	Label string
	// Names are the entries of Dir to copy. If there are none, the whole
	// contents and the attributes of Dir itself are copied.
	Names []string
	// Into is the name of a directory within the destination that takes the
	// place of the destination, or "".
	Into string
}

// A Job is what Run needs. The caller closes the directories in it.
type Job struct {
	Options
	Sources []Source
	// Dest is the destination's root. It is nil in a dry run whose destination does not exist.
	Dest      vfs.Dir
	DestLabel string // what Dest is called in messages
	DestIsNew bool   // nothing is in Dest yet

	Queue       queue.Queue
	Sink        report.Sink
	Stats       *report.Stats
	Temporaries Temporaries
}

// Run copies what j describes. It returns nil when every directory was dealt
// with, whether or not single entries failed (the sink and the statistics tell);
// a *[FatalError] when the destination was full or read-only; and the cause of
// ctx if that ended first. In any case no file in hand is left half done under
// its final name.
func Run(ctx context.Context, j Job) error {
	ctx, stop := context.WithCancelCause(ctx)
	defer stop(nil)
	r := &run{Job: j, stop: stop}
	r.handles.dryRun = j.DryRun
	r.handles.limit = cmp.Or(j.OpenDirs, 256)
	defer r.close()

	if err := r.start(); err != nil {
		return err
	}
	var workers sync.WaitGroup
	for range max(1, j.Threads) {
		workers.Go(func() { r.work(ctx) })
	}
	workers.Wait()
	r.settle()

	return context.Cause(ctx)
}

// run is the state that the workers share.
type run struct {
	Job
	stop    context.CancelCauseFunc
	handles handles
	routes  content.Routes
	volumes volumes
	destID  vfs.ID
	opened  []pair // whose destinations are not the job's

	temps    atomic.Uint64 // temporary names used
	stopped  atomic.Bool   // a fatal error was told
	mu       sync.Mutex    // guards what follows
	deferred []deferredMode
}

// start queues a task for each source.
func (r *run) start() error {
	var root vfs.Attr
	if r.Dest != nil {
		var err error
		if root, err = r.Dest.Lstat("."); err != nil {
			return err
		}
		r.destID = root.ID()
	}
	w := r.worker()
	for i, s := range r.Sources {
		t := queue.Task{Source: i, New: r.DestIsNew}
		p := pair{src: s.Dir, dst: r.Dest}
		if s.Into != "" {
			var ok bool
			if p.dst, t.New, ok = w.into(&directory{task: t, pair: p, destAttr: root}, s.Into); !ok {
				continue
			}
			r.opened = append(r.opened, p)
		}
		r.handles.addRoot(i, p)
		if err := r.Queue.Put(t); err != nil {
			return err
		}
	}
	return nil
}

// close closes what the run has opened itself.
func (r *run) close() {
	r.handles.closeAll()
	for _, p := range r.opened {
		pair{dst: p.dst}.close()
	}
}

// into makes and opens the directory called name in the destination.
func (w *worker) into(d *directory, name string) (dst vfs.Dir, fresh, ok bool) {
	fresh, ok = w.subdirectory(d, ".", name)
	if !ok || w.DryRun && fresh {
		return nil, fresh, ok
	}
	dst, err := w.Dest.OpenDir(name)
	if err != nil {
		w.failDir(d, onDest, name, err)
		return nil, false, false
	}
	return dst, fresh, true
}

// maxBuffers limits the memory of all workers' buffers together, in bytes.
const maxBuffers = 64 << 20

// worker returns a new worker.
func (r *run) worker() *worker {
	w := &worker{run: r, count: r.Stats.Counter()}
	w.copier.MaxBuffer = maxBuffers / int64(max(1, r.Threads))
	w.copier.Progress = func(n int64) {
		w.count.Add(report.BytesCopied, n)
		w.inHand += n
	}
	return w
}

// work deals with directories until there are none left or ctx is done.
func (r *run) work(ctx context.Context) {
	w := r.worker()
	for {
		c, err := r.Queue.Claim(ctx)
		if err != nil {
			return
		}
		err = w.directory(ctx, c)
		if err = errors.Join(err, c.Ack()); err != nil {
			r.stop(err)
			return
		}
	}
}

// A worker copies one directory at a time.
type worker struct {
	*run
	count  *report.Counter
	copier content.Copier
	inHand int64 // bytes copied of the file in hand
}

// volumes remembers which devices are network file systems.
type volumes struct {
	mu sync.Mutex // guards m
	m  map[uint64]content.Device
}

// device tells about the device that dir, whose attributes are attr, is on.
func (v *volumes) device(dir vfs.Dir, attr vfs.Attr) content.Device {
	v.mu.Lock()
	defer v.mu.Unlock()
	d, ok := v.m[attr.Dev]
	if !ok {
		d.Dev = attr.Dev
		if s, ok := dir.(vfs.Statfser); ok {
			// A volume that cannot be asked is treated as a local one:
			// that is right, only perhaps slower.
			volume, _ := s.Statfs()
			d.Network = volume.Network
		}
		if v.m == nil {
			v.m = make(map[uint64]content.Device)
		}
		v.m[attr.Dev] = d
	}
	return d
}
