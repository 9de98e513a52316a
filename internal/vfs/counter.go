package vfs

import "context"

// A Counter is a [Dir] of another host, which can count what is there.
type Counter interface {
	// Count returns how many regular files are below the directory, and the sum of their sizes. Links are not followed,
	// and what cannot be read is left out. known is false if that is not all.
	Count(ctx context.Context) (files, bytes int64, known bool)
}
