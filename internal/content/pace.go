package content

import "context"

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

// moved tells that n bytes have arrived that were waited for.
func (c *Copier) moved(n int64) {
	c.granted = max(0, c.granted-n)
	c.arrived(n)
}

// arrived tells that n bytes are where they should be, moved or not.
func (c *Copier) arrived(n int64) {
	if c.helping != nil {
		c.helping.helped.Add(n)
	}
	c.Progress(n)
}
