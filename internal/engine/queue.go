package engine

import (
	"strings"

	"psync/internal/engine/backup"
	"psync/internal/engine/entry"
	"psync/internal/engine/job"
	"psync/internal/engine/mirror"
	"psync/internal/walk"
)

// The phases of a run; see [walk.Pool].
const (
	copyPhase   = iota << 16 // names of files that others copy are linked in the next phases
	placePhase               // delayed files get their names
	removePhase              // deferred removals are carried out
	endPhase                 // nothing more happens to entries

	lastPhase = 1 << 30       // of roots, see lastPhaseOf
	syncPhase = lastPhase + 1 // the destination is complete; copied entries are removed from the sources
)

// lastPhaseOf returns the phase in which deferred operations are applied to what has this path in its tree: the deepest
// come first.
func lastPhaseOf(path string) int {
	if path == "" {
		return lastPhase
	}
	return lastPhase - 1 - strings.Count(path, "/")
}

// A task is to process one directory, or to do work that came up there. It holds no open handle.
type task struct {
	job.Task
	dir      *job.Dir             // whose account holds the task; nil: none, or that which is made when the task begins
	links    []*entry.AwaitedLink // what to link
	removal  *mirror.Removal      // what to remove
	deferral *job.Deferral        // what to apply
	backup   *backup.DirAttrs     // likewise
	copied   *entry.CopiedList    // what to remove from the source
}

// deliverBy returns a function for [walk.Pool.DeliverBy] that lets deliver decide. Only tasks to process directories get
// lost or are delivered again: queues that hosts share never hold others, because anyone able to add a task that removes
// something could have anything removed.
func deliverBy(deliver func(waiting int) walk.Delivery) func(int, func(int) task) walk.Delivery {
	return func(waiting int, task func(int) task) walk.Delivery {
		d := deliver(waiting)
		if k := task(d.Index).Kind; k != job.Copy && k != job.Clear {
			d.Lost, d.Again = false, false
		}
		return d
	}
}

// again returns the task for a repeated delivery. By then the destination may hold anything.
func (t task) again() task {
	t.New, t.DefaultACL, t.MadeIn = false, false, nil
	t.Dirs.Reenter()
	return t
}

type claim = walk.Claim[task]

// put puts a task, which the account of its directory holds until it is acknowledged.
func (r *run) put(t task) {
	t.Bundle.Add(1)
	if t.dir != nil {
		t.dir.Left.AddTask(t.Kind)
	}
	r.pool.Put(t)
}

// putLater is put for a task of the n-th phase.
func (r *run) putLater(n int, t task) {
	if t.dir != nil {
		t.dir.Left.AddTask(t.Kind)
	}
	r.pool.PutLater(n, t)
}
