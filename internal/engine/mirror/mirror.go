// Package mirror removes from a destination what its source lacks.
//
// Nothing is removed unless the source was listed to its end, and each entry is looked up there once more
// right before it is removed; see [Premise]. A [Guard] decides which entries must stay all the same. With a
// limit, everything is counted first; see [Budget].
//
// The caller decides when something is removed, and by which worker: each worker has a [Remover]. What is
// extraneous in a directory is found by [Remover.Extraneous]. Entries that are not directories are removed at once.
// A directory is a [Removal], which is listed by one worker and removed by the one that removes the last of
// what is in it.
package mirror
