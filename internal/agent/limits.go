package agent

import (
	"runtime"
	"sync"
)

const (
	maxHandles     = 1 << 16  // directories and files that are open, or waited for
	maxParked      = 1 << 16  // requests that wait for a handle
	maxParkedBytes = 24 << 20 // bytes that these hold

	workingBytes = 16 << 20 // of requests that are being answered
	memoryBytes  = 24 << 20 // that are read to be sent
)

// limit returns how many requests are answered at a time.
func limit() int { return max(256, 64*runtime.GOMAXPROCS(0)) }

// minCost is the least cost of a request, by which no more than limit of them are answered at a time.
func minCost() int { return workingBytes / limit() }

// A budget is a number of bytes that goroutines share.
type budget struct {
	mu    sync.Mutex
	freed sync.Cond // left has grown
	left  int
	total int
}

func newBudget(total int) *budget {
	b := &budget{left: total, total: total}
	b.freed.L = &b.mu
	return b
}

// acquire takes n bytes, or all if n is more than that, as soon as they are there. It returns what it has taken.
func (b *budget) acquire(n int) int {
	n = min(n, b.total)
	b.mu.Lock()
	defer b.mu.Unlock()
	for b.left < n {
		b.freed.Wait()
	}
	b.left -= n
	return n
}

// release gives n bytes back.
func (b *budget) release(n int) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.left += n
	b.freed.Broadcast()
}
