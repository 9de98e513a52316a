package entry

import (
	"psync/internal/content"
	"psync/internal/engine/job"
	"psync/internal/report"
)

// Shared holds what the workers of a run share.
type Shared struct {
	shortcuts shortcuts
	links     linkTable
	removals  sourceRemovals

	PutLists func([]*CopiedList) // puts tasks to remove what these lists hold
}

// NewShared returns what the workers of r share.
func NewShared(r *job.Run) *Shared {
	s := &Shared{shortcuts: shortcutsOf(r)}
	s.links.NamesRepeat = r.Job.LinksRepeat()
	return s
}

// A Worker copies one entry at a time.
type Worker struct {
	job    *job.Worker // the job as this worker knows it, and how it reports
	shared *Shared     // by all workers

	item     item        // being copied, see CopyEntry
	copied   copiedBytes // of that item
	shortcut shortcut
}

// maxBuffers limits the memory of all workers' buffers together, in bytes.
const maxBuffers = 64 << 20

// NewWorker returns a new worker that reports through j. It calls shareRanges to let others help with ranges of a
// file until done is called; see [content.Copier].
func (s *Shared) NewWorker(j *job.Worker, shareRanges func(*content.Ranges) (done func())) *Worker {
	w := &Worker{job: j, shared: s}
	w.job.Copier.Share = func(r *content.Ranges) (done func()) {
		w.copied.share(r)
		return shareRanges(r)
	}
	w.job.Copier.MaxBuffer = maxBuffers / int64(w.job.Run.Job.Workers.Later())
	w.job.Copier.Progress = func(n int64) {
		w.job.Count.Add(report.BytesCopied, n)
		w.job.Count.Add(report.BytesLeft, -n)
		w.job.Current.AddBytes(n)
		w.copied.bytes += n
	}
	return w
}
