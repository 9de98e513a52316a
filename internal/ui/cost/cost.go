// Package cost estimates how long work will take, from what earlier work took.
package cost

import (
	"math"
	"time"
)

const (
	farAway = 100 * 24 * time.Hour // a longer estimate is not useful

	// The age at which a period counts half is a quarter of the time so far, within bounds: a short run has to learn soon
	// that its work is of another kind now, and a long one is not to be led astray by a minute.
	leastHalfLife, greatestHalfLife = 3 * time.Second, time.Minute
)

// Costs are the time per file and the time per copied byte. They account for all the time of the run, with more
// weight for recent periods. The share of the time that is attributed to files is a least-squares fit to the work
// done in each period.
type Costs struct {
	elapsed            time.Duration
	time, files, bytes float64 // weighted sums; seconds
	// Weighted sums of products.
	files2, bytes2, filesBytes, filesTime, bytesTime, time2 float64
}

// Add records that work on files, and on bytes of them, took d. The number of bytes is negative if a file is copied once more.
func (c *Costs) Add(d time.Duration, files, bytes int64) {
	f, b, t := float64(max(0, files)), float64(max(0, bytes)), d.Seconds()
	c.elapsed += d
	halfLife := min(max(c.elapsed/4, leastHalfLife), greatestHalfLife)
	c.Discount(math.Exp2(-float64(d) / float64(halfLife)))
	for _, s := range []struct {
		sum   *float64
		value float64
	}{
		{&c.time, t},
		{&c.files, f},
		{&c.bytes, b},
		{&c.files2, f * f},
		{&c.bytes2, b * b},
		{&c.filesBytes, f * b},
		{&c.filesTime, f * t},
		{&c.bytesTime, b * t},
		{&c.time2, t * t},
	} {
		*s.sum += s.value
	}
}

// Discount has what was recorded so far count less, by a factor.
func (c *Costs) Discount(factor float64) {
	for _, sum := range []*float64{&c.time, &c.files, &c.bytes, &c.files2, &c.bytes2, &c.filesBytes, &c.filesTime, &c.bytesTime, &c.time2} {
		*sum *= factor
	}
}

// Of returns the time that work on files, and on bytes of them, will take, or 0 if that is unknown.
func (c *Costs) Of(files, bytes int64) time.Duration {
	file, byte := c.each()
	left := (file*float64(files) + byte*float64(bytes)) * float64(time.Second)
	if left > float64(farAway) {
		return 0
	}
	return time.Duration(left)
}

// each returns the seconds per file and per byte.
func (c *Costs) each() (file, byte float64) {
	switch {
	case c.files == 0 && c.bytes == 0:
		return 0, 0
	case c.files == 0:
		return 0, c.time / c.bytes
	case c.bytes == 0:
		return c.time / c.files, 0
	}
	// The time of a period is x if files take all of it, y if bytes do, and share*x + (1-share)*y in between. While
	// all periods have the same mix, x is y, and the share is one half.
	const doubt = 0.01
	file, byte = c.time/c.files, c.time/c.bytes
	square := file*file*c.files2 - 2*file*byte*c.filesBytes + byte*byte*c.bytes2                 // of x-y
	product := file*c.filesTime - byte*c.bytesTime - file*byte*c.filesBytes + byte*byte*c.bytes2 // (t-y)*(x-y)
	share := min(1, max(0, (product+doubt*c.time2/2)/(square+doubt*c.time2)))
	return share * file, (1 - share) * byte
}
