// Package pace paces work: bytes a second, workers at a time.
//
// A [Limiter] holds a rate. A [Climber] finds the number of workers that gets
// the most done. It does no I/O and has no clock.
//
// How it climbs: the number in use, the base, has contests with a challenger, four
// times or a quarter of it at first, later twice or half. The two take turns, for a few
// hundredths of a second each, and the base-2 logarithms of their rates are compared. The
// contest ends when the sum of the differences is clear. A winner is the new base, and the climb
// goes on in its direction. When both directions have lost, the base rests for a second, and
// longer each time that nothing has changed. Then the contests begin again. A tie moves back
// toward the initial number, so that any other number must be better. By Little's law, workers =
// rate * latency, a latency that rises without throughput is such a tie, and one that rises
// faster is a loss. If the rate of the base doubles or halves, the storage or the tree is a
// different one, and the search starts over.
package pace
