package content

import "context"

// Options say how the bytes of files are copied.
type Options struct {
	Sparse      bool    // runs of zeros become holes, also where the source has none
	Dense       bool    // holes become zeros; with ReflinkNever only
	Pace        Pacer   // limits the bytes moved; nil means as fast as they go
	Reflink     Reflink // whether the copy shares the blocks of its source
	Preallocate bool    // blocks of a new file are allocated before data is written
}

// A Copier copies and compares files, one at a time. It owns the buffer.
type Copier struct {
	Options
	Progress  func(n int64) // called after each n bytes that have arrived
	MaxBuffer int64         // in bytes; 0 means as large as pays
	Durable   bool          // no power cut leaves a file that looks complete and is not, see durable.go

	// Share offers the ranges of a file to others, who call Help, and does not wait for
	// them. The function that it returns ends the offer. If Share is nil, no file is shared.
	Share  func(r *Ranges) (done func())
	Cutoff int64 // in bytes: smaller files are not shared; 0 means that none is

	Quiet bool // what is copied is no progress, and not shared

	buf     []byte
	granted int64   // bytes that Pace has let pass and that are not moved yet
	helping *Ranges // of another Copier's file
	step    int64   // size of a range, if not rangeSize
}

// A Pacer limits how fast bytes are moved. Several Copiers may use one at once.
type Pacer interface {
	// Wait returns when n bytes may be moved, or the cause of ctx once that is done.
	Wait(ctx context.Context, n int64) error
	// Chunk returns how many bytes to ask for at once at most; 0 means any number.
	Chunk() int64
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

// await waits until n bytes may be moved. What was granted before and has not been
// moved, for a way was refused or came less far, is not waited for again.
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

// moved records that n bytes have arrived that were waited for.
func (c *Copier) moved(n int64) {
	c.granted = max(0, c.granted-n)
	c.arrived(n)
}

// arrived reports to Progress that n bytes are where they should be, moved or not.
func (c *Copier) arrived(n int64) {
	if c.helping != nil {
		c.helping.helped.Add(n)
	}
	if !c.Quiet {
		c.Progress(n)
	}
}

// buffer returns up to n bytes. It grows with the largest file so far, so that a
// thousand workers on small files stay small.
func (c *Copier) buffer(n int64) []byte {
	if c.MaxBuffer > 0 {
		n = min(n, max(c.MaxBuffer, smallFile))
	}
	if int64(len(c.buf)) < n {
		size := int64(smallFile)
		for size < n {
			size *= 4
		}
		c.buf = make([]byte, size)
	}
	return c.buf[:n]
}
