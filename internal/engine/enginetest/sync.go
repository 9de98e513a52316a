// Package enginetest synchronizes trees with the engine, for tests of file systems.
package enginetest

import (
	"fmt"
	"sync"
	"testing"

	"psync/internal/engine"
	"psync/internal/engine/source"
	"psync/internal/report"
	"psync/internal/tempname"
	"psync/internal/vfs"
)

// Events is a sink that keeps what failed and what was done.
type Events struct {
	mu          sync.Mutex // guards the fields below
	bad, copied []string
}

// Event implements [report.Sink].
func (r *Events) Event(e report.Event) {
	r.mu.Lock()
	defer r.mu.Unlock()
	switch e.Kind {
	case report.Fail, report.Vanish:
		r.bad = append(r.bad, fmt.Sprint(e.Path(), ": ", e.Err))
	case report.Mkdir, report.Copy, report.Replace, report.Symlink, report.SetAttr, report.Delete:
		r.copied = append(r.copied, e.Path())
	}
}

// Failed returns the paths of entries that failed or vanished, and the reasons.
func (r *Events) Failed() []string {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.bad
}

// Changed returns the paths of entries that were made, changed or removed.
func (r *Events) Changed() []string {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.copied
}

// NewJob returns the job of a sync that deletes.
func NewJob(from, to vfs.Dir, o engine.Options, sink report.Sink) engine.Job {
	job := engine.Job{
		Options:   o,
		Sources:   []source.Tree{{Dir: from, Label: "SRC"}},
		Dest:      to,
		DestLabel: "DST",
		Stats:     new(report.Stats),
		Sink:      sink,
		Process: func() tempname.Process {
			return tempname.Process{Host: 1, Boot: 1, PID: 2, Run: 3, Alive: func(int, uint64) bool { return false }}
		},
	}
	job.Policy.Sync, job.Delete.On = true, true
	return job
}

// Run runs a job whose sink is r, and returns the paths of entries that were made, changed or removed. No entry may
// fail.
func Run(t *testing.T, job engine.Job, r *Events) []string {
	t.Helper()
	if err := engine.Run(t.Context(), job); err != nil {
		t.Fatal(err)
	}
	if failed := r.Failed(); failed != nil {
		t.Errorf("unexpected: %q", failed)
	}
	return r.Changed()
}
