// Package mirror removes from a destination what its source lacks.
//
// Nothing is removed unless the source was listed to its end, and each entry is looked up there again right before it
// is removed; see [Premise]. Rules, backups and temporaries stay nevertheless; see guard.go. With a limit, everything
// is counted first; see [job.Budget].
//
// The caller decides when something is removed, and by which worker. [FindExtraneous] finds the extraneous entries of a
// directory. Entries that are not directories are removed at once. A directory is a [Removal], which one worker lists;
// the worker that removes the last of its entries removes it.
package mirror
