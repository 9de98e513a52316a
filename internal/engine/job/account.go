package job

import "sync/atomic"

// An Account counts what is left to do in a pair of directories.
type Account struct {
	Counted  *Budget      // counts removals from it, which other hosts add to theirs; nil: that of the run does
	Failures atomic.Int64 // failed entries, including the directory itself, that the journal does not know of yet

	entries atomic.Int32 // work on entries, after which the attributes are set
	tasks   atomic.Int32 // all tasks that are not done, including those that come later
	steps   atomic.Int32 // those of them that are steps of the plan
	holds   []*Dir       // see Hold
}

// AddEntries adds work on entries.
func (a *Account) AddEntries() { a.entries.Add(1) }

// EndEntries ends work on entries, and reports whether it was the last.
func (a *Account) EndEntries() (last bool) { return a.entries.Add(-1) == 0 }

// AddTask adds a task.
func (a *Account) AddTask(k Kind) {
	a.tasks.Add(1)
	if k.hasSteps() {
		a.steps.Add(1)
	}
}

// EndTask ends a task, and reports whether none is left. A task that was delivered twice is
// ended twice, so the count may fall below zero.
func (a *Account) EndTask() (last bool) { return a.tasks.Add(-1) <= 0 }

// HasOtherTasks reports whether a task is left beside the one that the caller is about to end.
func (a *Account) HasOtherTasks() bool { return a.tasks.Load() > 1 }

// Hold keeps a task in d from ending until no task is left here; see Held.
func (a *Account) Hold(d *Dir) { a.holds = append(a.holds, d) }

// Held returns the directories that were passed to Hold.
func (a *Account) Held() []*Dir { return a.holds }
