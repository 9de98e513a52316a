package job

import "sync/atomic"

// An Account counts what is left to do in a pair of directories.
type Account struct {
	Failures atomic.Int64 // failed entries, including the directory itself, that the journal does not know of yet

	entries atomic.Int32 // work on entries, after which the attributes are set
	tasks   atomic.Int32 // all tasks that are not done, including those that come later
	holds   []*Dir       // see Hold
}

// AddEntries adds work on entries.
func (a *Account) AddEntries() { a.entries.Add(1) }

// EndEntries ends work on entries, and reports whether it was the last.
func (a *Account) EndEntries() (last bool) { return a.entries.Add(-1) == 0 }

// AddTask adds a task.
func (a *Account) AddTask() { a.tasks.Add(1) }

// EndTask ends a task, and reports whether none is left. That of a task that was delivered twice ends twice.
func (a *Account) EndTask() (last bool) { return a.tasks.Add(-1) <= 0 }

// HasMore reports whether more than one task is left.
func (a *Account) HasMore() bool { return a.tasks.Load() > 1 }

// Hold has a task in d end only when no task is left here.
func (a *Account) Hold(d *Dir) { a.holds = append(a.holds, d) }

// Held returns the arguments of Hold.
func (a *Account) Held() []*Dir { return a.holds }
