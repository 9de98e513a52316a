// Package walk runs workers that process tasks, each of which may lead to more, as a directory of a tree does.
//
// A worker that has claimed a task puts what it finds while working on it, such as subdirectories,
// into the pool, and acknowledges it at the end. Because children are put before
// their parent is acknowledged, "no open task" is exactly the end.
//
// A worker may also share entries of its task with those that are idle, by a [Worklist]. Such an offer
// never leaves the process, and there is nothing to acknowledge.
//
// The directories that tasks are about are kept open by a [Cache], within bounds.
package walk
