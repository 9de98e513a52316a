package engine

import (
	"errors"
	"slices"
	"strings"

	"psync/internal/engine/dirs"
	"psync/internal/engine/entry"
	"psync/internal/engine/job"
	"psync/internal/engine/pairs"
	"psync/internal/engine/source"
	"psync/internal/report"
	"psync/internal/vfs"
)

const (
	maxInBatch = 512       // directories that one request makes
	batchSize  = 256 << 10 // bytes of their names and attributes, unless it makes only one
	maxBatches = 16        // requests of one directory that are not answered
)

// emptyDirsFar makes empty subdirectories of a directory of a remote destination, with their attributes, many in one
// request. Each of them would take several otherwise.
type emptyDirsFar struct {
	w       *worker
	c       *dirClaim
	more    int          // how many other subdirectories may be tried
	batch   []vfs.NewDir // of the next request
	size    int          // bytes of batch, about
	pending []sentBatch
}

// sentBatch are the directories of a request that may not be answered yet.
type sentBatch struct {
	names []string
	wait  func() []error
}

// newEmptyDirsFar returns what makes subdirectories of c.dir, or nil, which makes none, if they have to be copied otherwise.
func newEmptyDirsFar(w *worker, c *dirClaim) *emptyDirsFar {
	d := c.dir
	if d.FarDest && d.DstVolume.KeepsAttrs && d.DstVolume.Ignored() == 0 && !d.SrcVolume.Network &&
		entry.CopiesEmptyDirs(w.entries, d) && d.Dst.Caps().Has(vfs.CanMkdirAsync|vfs.CanCreateAsync) {
		return &emptyDirsFar{w: w, c: c, more: maxMisses}
	}
	return nil
}

// copy copies a subdirectory if it is empty, while it keeps finding some. It does not wait for the result.
func (s *emptyDirsFar) copy(e vfs.Entry) (copied bool) {
	if s == nil || s.more == 0 {
		return false
	}
	dir, ok := s.look(e)
	if !ok {
		s.more--
		return false
	}
	s.more++
	n := encodedSize(&dir)
	if len(s.batch) == maxInBatch || s.size+n > batchSize {
		s.send()
	}
	s.batch, s.size = append(s.batch, dir), s.size+n
	return true
}

// encodedSize returns about how many bytes of a request a directory takes.
func encodedSize(dir *vfs.NewDir) int {
	const ofChange = 64 // without what follows
	n := len(dir.Name)
	for i := range dir.Changes {
		n += ofChange + len(dir.Changes[i].Xattr) + len(dir.Changes[i].Value)
	}
	return n
}

var errNotEmpty = errors.New("is not empty")

// look returns what makes the copy of a subdirectory, unless that is not empty or has to be copied otherwise.
func (s *emptyDirsFar) look(e vfs.Entry) (dir vfs.NewDir, ok bool) {
	j, d := s.w.job, s.c.dir
	src, err := source.OpenDir(d.Src, e.Name, false)
	if err != nil {
		return dir, false // it is reported later
	}
	defer src.Close()
	attr, err := vfs.Lstat(src, ".")
	if err != nil || attr.Dev != d.Attr.Dev || attr.ID() == j.Run.DestID ||
		src.ReadDir(func([]vfs.Entry) error { return errNotEmpty }) != nil {
		return dir, false
	}
	j.Attrs.Adjust(&attr, d.Dst, &d.Inherited)
	o, notes := j.Attrs.DesiredAt(d.Volumes(), src, vfs.Entry{Name: "."}, attr)
	defer o.Close()
	if len(notes) > 0 {
		return dir, false
	}
	dir.Name, dir.Perm = strings.Clone(e.Name), j.Attrs.WorkMode(d.Volumes(), d.Src, e, attr)
	dir.Changes, ok = j.Attrs.NewDirChanges(d.Volumes(), d.Dst, &d.Inherited, dir.Perm, o)
	return dir, ok
}

// send has the directories of the batch made.
func (s *emptyDirsFar) send() {
	if s == nil || len(s.batch) == 0 {
		return
	}
	s.await(s.w, maxBatches-1)
	s.w.job.PrepareChange(s.c.dir)
	p := sentBatch{names: make([]string, len(s.batch))}
	for i := range s.batch {
		p.names[i] = s.batch[i].Name
	}
	var err error
	if p.wait, err = s.c.dir.Dst.MakeDirs(s.batch); err != nil {
		p.wait = func() []error { return slices.Repeat([]error{err}, len(p.names)) }
	}
	s.pending, s.batch, s.size = append(s.pending, p), s.batch[:0], 0
}

// await waits until all requests but a number of them are answered, and has w report what came of them.
func (s *emptyDirsFar) await(w *worker, left int) {
	for s != nil && len(s.pending) > left {
		p := s.pending[0]
		s.pending = s.pending[1:]
		errs := p.wait()
		for i, name := range p.names {
			var err error
			if errs != nil {
				err = errs[i]
			}
			s.end(w.job, name, err)
		}
	}
}

// end reports that a subdirectory was made, or why not. One that is not complete is copied as others that this run has
// made.
func (s *emptyDirsFar) end(j *job.Worker, name string, err error) {
	d := s.c.dir
	_, partial := errors.AsType[*vfs.PartialError](err)
	switch {
	case err == nil || partial:
		dirs.Made(j, d, nil, name)
	case dirs.AwaitMade(j, d) == nil && d.Pending.Made(): // otherwise the failure is that of d
		j.FailDir(d, pairs.Dest, name, j.Collision(d, err))
	}
	if partial {
		id, _ := identify(j, s.c, name)
		putSubdirectory(j, s.c, name, id, true, nil)
	} else if err == nil {
		j.Count.Add(report.DirsSeen, 1)
		s.c.recorded.empty++
	}
}
