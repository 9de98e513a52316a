// Package mirror decides what is removed from a destination because its source lacks it, and when.
//
// Nothing is removed unless the source was listed to its end, and each entry is looked up there once more
// right before it is removed; see [Premise]. A [Guard] decides which entries must stay all the same. With a
// limit, everything is counted first; see [Budget].
package mirror
