package mirror

import (
	"sync"
	"time"

	"psync/internal/engine/job"
	"psync/internal/vfs"
)

const (
	// maxAsked is how many names may be checked with a source on another host at a time, ahead of the removals.
	maxAsked = 256
	// recent is the maximum age of its answer when an entry is removed. An older answer is checked again.
	recent = 250 * time.Millisecond
)

// An Asker checks names with a source on another host before the workers remove the entries, so the workers do not
// wait for a round trip each. A nil *Asker checks none.
type Asker struct {
	in   *job.Dir
	room chan struct{} // holds an element for each answer that no worker has taken
	quit chan struct{} // closed when no more checks should start
	work sync.WaitGroup

	mu  sync.Mutex        // guards the fields below, and started of each element
	all map[string]*asked // that no worker has taken
}

// An asked is a name to check.
type asked struct {
	premise Premise
	started bool
	done    chan struct{} // closed when premise has the answer
}

// NewAsker returns an Asker for entries of d, or nil if asking ahead does not pay: see hasFarSource. When no more entries
// are to be removed, the caller calls Stop.
func NewAsker(j *job.Worker, d *job.Dir) *Asker {
	if j.Run.Job.DryRun || !hasFarSource(d) {
		return nil
	}
	return &Asker{in: d, room: make(chan struct{}, maxAsked), quit: make(chan struct{}), all: make(map[string]*asked)}
}

// Ask starts checking entries that will be removed unless the source has them.
func (a *Asker) Ask(r *job.Run, entries []vfs.Entry) {
	if a == nil {
		return
	}
	names := make([]string, 0, len(entries))
	a.mu.Lock()
	defer a.mu.Unlock()
	for _, e := range entries {
		if a.all[e.Name] != nil {
			continue // the destination lists it twice
		}
		names = append(names, e.Name)
		a.all[e.Name] = &asked{premise: Premise{Name: e.Name, In: a.in, Src: a.in.Src}, done: make(chan struct{})}
	}
	a.work.Go(func() { a.ask(r, names) })
}

// Stop waits until no more checks are running.
func (a *Asker) Stop() {
	if a != nil {
		close(a.quit)
		a.work.Wait()
	}
}

func (a *Asker) ask(r *job.Run, names []string) {
	for _, name := range names {
		select {
		case a.room <- struct{}{}:
		case <-a.quit:
			return
		}
		a.mu.Lock()
		n := a.all[name]
		if n != nil {
			n.started = true
		}
		a.mu.Unlock()
		if n == nil {
			<-a.room // a worker was faster
			continue
		}
		a.work.Go(func() {
			defer close(n.done)
			_, _, _ = n.premise.ask(r) // the worker checks again unless the premise holds
		})
	}
}

// Premise returns why an entry of d is removed, and waits for the source's answer if the check has started.
func (a *Asker) Premise(d *job.Dir, name string) *Premise {
	if a == nil {
		return &Premise{Name: name, In: d, Src: d.Src}
	}
	a.mu.Lock()
	n := a.all[name]
	delete(a.all, name)
	a.mu.Unlock()
	if n == nil {
		return &Premise{Name: name, In: d, Src: d.Src}
	}
	if n.started {
		<-n.done
		<-a.room
	}
	return &n.premise
}
