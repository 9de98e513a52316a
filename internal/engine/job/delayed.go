package job

import (
	"psync/internal/plan"
	"psync/internal/vfs"
)

// A DelayedFile is a file of a run with DelayUpdates that is complete except for its name, which it gets when all files
// are.
type DelayedFile struct {
	Name, Temp string
	Step       plan.Action
	Only       *vfs.Premise
	Size       int64
}

// Delay adds a file to those of d.
func (d *Dir) Delay(f DelayedFile) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.Delayed = append(d.Delayed, f)
}
