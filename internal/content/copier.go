package content

import (
	"context"

	"psync/internal/pace"
)

// Options say how the bytes of files are copied.
type Options struct {
	Sparse      bool       // runs of zeros become holes, even where the source has none
	Dense       bool       // holes become zeros; with ReflinkNever only
	Pace        pace.Pacer // limits the bytes moved; nil means as fast as they go
	Reflink     Reflink    // whether the copy shares the blocks of its source
	Cache       Cache      // whether the bytes stay in the system's cache
	Preallocate bool       // blocks of a new file are allocated before data is written
}

// A Copier copies and compares files, one at a time.
type Copier struct {
	Options
	Progress  func(n int64) // called after n more bytes have arrived
	MaxBuffer int64         // in bytes; 0 means the largest size that pays
	Durable   bool          // a power cut never leaves an incomplete file that looks complete, see durable.go

	// Share offers the ranges of a file to other Copiers, which call Help. Share does not wait for them. The
	// function that Share returns ends the offer. If Share is nil, no file is shared.
	Share  func(r *Ranges) (done func())
	Cutoff int64 // in bytes: smaller files are not shared; 0 means that no file is shared

	Quiet bool // the copied bytes are not reported as progress, and the file is not shared

	plain   []byte  // for PlainBuffer
	granted int64   // bytes that Pace has granted and that are not moved yet
	helping *Ranges // the ranges of another Copier's file
	step    int64   // size of a range, if it differs from rangeSize
}

// paced returns how many of n bytes to move at once.
func (c *Copier) paced(n int64) int64 {
	if c.Pace == nil {
		return n
	}
	if most := c.Pace.Chunk(); most > 0 {
		n = min(n, most)
	}
	return n
}

// await waits until n bytes may be moved. It does not wait again for bytes that were granted before but not
// moved, because a way to copy was refused or moved fewer bytes.
func (c *Copier) await(ctx context.Context, n int64) error {
	if c.Pace == nil || n <= c.granted {
		return nil
	}
	if err := c.Pace.Wait(ctx, n-c.granted); err != nil {
		return err
	}
	c.granted = n
	return nil
}

// moved records that n of the granted bytes have arrived.
func (c *Copier) moved(n int64) {
	c.spend(n)
	c.arrived(n)
}

// spend records that n of the granted bytes are on their way.
func (c *Copier) spend(n int64) { c.granted = max(0, c.granted-n) }

// arrived reports to Progress that n bytes of the destination are in place, whether or not they were moved.
func (c *Copier) arrived(n int64) {
	if c.helping != nil {
		c.helping.helped.Add(n)
	}
	if !c.Quiet {
		c.Progress(n)
	}
}
