package mirror

import (
	"sync"
	"time"

	"psync/internal/vfs"
)

const (
	// mostAsked is how many names a source on another host is asked for at a time, ahead of the removals.
	mostAsked = 256
	// recent is how old its answer may be when an entry is removed. Otherwise it is asked again.
	recent = 250 * time.Millisecond
)

// An asker asks a source on another host for names before the workers do who remove the entries, so that
// these do not wait for a round trip each.
type asker struct {
	dir  *Dir
	room chan struct{} // has an element for each answer that no worker has taken
	quit chan struct{} // closed when no more is to be asked
	work sync.WaitGroup

	mu  sync.Mutex        // guards what follows, and started of each
	all map[string]*asked // that no worker has taken
}

// An asked is a name that is to be asked for.
type asked struct {
	premise Premise
	started bool
	done    chan struct{} // closed when premise has the answer
}

// AskAhead has the source asked for entries of d that RemoveEntry will be called for, if that is on another host. After
// that, the caller calls StopAsking.
func (r *Remover) AskAhead(d *Dir, entries []vfs.Entry) {
	if r.DryRun || !d.FarSource || d.Premise != nil || d.Counterpart == nil {
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
	a.work.Go(func() { a.ask(names) })
}

// StopAsking waits until nothing is asked for d any more.
func (d *Dir) StopAsking() {
	if d.asker != nil {
		close(d.asker.quit)
		d.asker.work.Wait()
	}
}

func (a *asker) ask(names []string) {
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
			_, _, _ = n.premise.ask() // the worker asks again unless it holds
		})
	}
}

// premise returns why an entry is removed, and waits for the answer of the source if that was asked.
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
