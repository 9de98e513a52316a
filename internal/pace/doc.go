// Package pace paces work: bytes a second, workers at a time.
//
// A [Limiter] holds a rate. A [Climber] finds the number of workers that gets
// the most done. It does no I/O and has no clock: it is given what happened, and answers.
//
// How it climbs: the number in use, the base, has contests with a challenger, four
// times or a quarter of it at first, later twice or half. Both work in turns, for
// a few hundredths of a second each, and the base-2 logarithms of their rates are
// compared; the contest ends once the sum of the differences is clear. A winner is the new base,
// and the climb goes on in its direction. When both directions have lost, the base rests
// for a second, and for longer the more often nothing has changed; then the contests
// begin again. A tie draws back to the number at the start, so that any other must
// earn its place. By Little's law, workers = rate * latency, a latency that rises
// without throughput is such a tie, and one that rises faster is a loss.
// When the base's own rate doubles or halves, the storage or the tree is
// another one, and the search starts over.
package pace
