// Package mirror decides what is removed from a destination because its source lacks it, and when.
//
// Nothing goes unless the source was listed to its end, and each entry is looked up in it once more
// right before, see [Premise]. What must stay all the same, a [Guard] tells. With a limit, everything is
// counted first, see [Budget].
package mirror
