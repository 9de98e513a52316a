package mirror

import (
	"sync"
	"time"

	"psync/internal/engine/job"
	"psync/internal/vfs"
)

const (
	// mostAsked is how many names may be checked with a source on another host at a time, ahead of the removals.
	mostAsked = 256
	// recent is the maximum age of its answer when an entry is removed. An older answer is checked again.
	recent = 250 * time.Millisecond
)

// An asker checks names with a source on another host before the workers remove the entries, so the workers do not
// wait for a round trip each.
type asker struct {
	dir  *Dir
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

// AskAhead starts checking the entries of d that RemoveEntry will be called for with the source, if that is on
// another host. Afterwards the caller calls StopAsking.
func AskAhead(j *job.Worker, d *Dir, entries []vfs.Entry) {
	if j.Run.DryRun || !d.hasFarSource() || d.Premise != nil || !d.isCounterpart() {
		return
	}
	if d.asker == nil {
		d.asker = &asker{
			dir: d, room: make(chan struct{}, mostAsked), quit: make(chan struct{}), all: make(map[string]*asked),
		}
	}
	a := d.asker
	names := make([]string, 0, len(entries))
	a.mu.Lock()
	defer a.mu.Unlock()
	for _, e := range entries {
		if a.all[e.Name] != nil {
			continue // the destination lists it twice
		}
		names = append(names, e.Name)
		a.all[e.Name] = &asked{premise: Premise{Name: e.Name, In: d}, done: make(chan struct{})}
	}
	a.work.Go(func() { a.ask(j.Run, names) })
}

// StopAsking waits until no more checks for d are running.
func (d *Dir) StopAsking() {
	if d.asker != nil {
		close(d.asker.quit)
		d.asker.work.Wait()
	}
}

func (a *asker) ask(r *job.Run, names []string) {
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

// premise returns why an entry is removed, and waits for the source's answer if the check has started.
func (a *asker) premise(name string) *Premise {
	a.mu.Lock()
	n := a.all[name]
	delete(a.all, name)
	a.mu.Unlock()
	if n == nil {
		return &Premise{Name: name, In: a.dir}
	}
	if n.started {
		<-n.done
		<-a.room
	}
	return &n.premise
}
