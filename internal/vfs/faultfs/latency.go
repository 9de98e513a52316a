package faultfs

import (
	"time"

	"psync/internal/vfs"
)

// NewLatency returns a Dir that sleeps before each operation on d and on all
// directories and files opened through it, as a network file system does.
// Concurrent operations sleep at the same time; closing a directory or a Node is free.
func NewLatency(d vfs.Dir, perOp time.Duration) vfs.Dir {
	return &hookedDir{Dir: d, self: root(), hook: func(op string, _ place) error {
		if op != "close" && op != "nclose" {
			time.Sleep(perOp)
		}
		return nil
	}}
}
