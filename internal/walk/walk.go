// Package walk runs workers that process tasks. Each task may lead to more tasks, as a directory of a tree
// does.
//
// A worker that has claimed a task puts further tasks that it finds, such as subdirectories, into the pool, and
// acknowledges the claimed task at the end. Because children are put before their parent is acknowledged, "no
// open task" is exactly the end.
//
// What must wait until such an end is a task of a later phase: no worker claims it before all tasks of earlier phases
// are acknowledged.
//
// A worker may also share entries of its task with idle workers through a [SharedEntries]. Such an offer never
// leaves the process, and it needs no acknowledgement.
//
// A [Cache] keeps the directories of tasks open, within bounds.
package walk
