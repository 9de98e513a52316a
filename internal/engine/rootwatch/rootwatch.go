// Package rootwatch finds out that the path of a directory leads elsewhere than before.
package rootwatch

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"syscall"
	"time"

	"psync/internal/engine/job"
)

// An Error ends a run: the path of a root no longer leads to the directory that the run opened.
type Error struct {
	Label string // what the directory is called in messages
	Gone  bool   // nothing exists at the path; otherwise another directory does
}

func (e *Error) Error() string {
	if e.Gone {
		return fmt.Sprintf("%s is gone, which this run works in", e.Label)
	}
	return fmt.Sprintf("%s leads to another directory than when this run opened it", e.Label)
}

// rootInterval is how often the paths of roots are looked up.
const rootInterval = 5 * time.Second

// Watch calls fail with an *Error if a volume is mounted over a root or unmounted from it, or if a root is renamed. The run
// works beneath descriptors, so it would otherwise continue in a directory that can no longer be reached by that
// path: after "umount -l", in a volume that is being detached; after a late mount, in the directory beneath it.
//
// Each root has a goroutine that is not waited for, since its lookup takes as long as a server does not answer.
func Watch(ctx context.Context, roots []job.WatchedRoot, fail func(error)) (stop context.CancelFunc) {
	ctx, stop = context.WithCancel(ctx)
	for _, root := range roots {
		go func() {
			if err := watchRoot(ctx, root); err != nil && ctx.Err() == nil {
				fail(err)
			}
		}()
	}
	return stop
}

// watchRoot looks up a root again and again. It returns an *Error when the path leads elsewhere twice in
// succession, since something that a server restores is gone for a moment. It returns nil when ctx ends.
func watchRoot(ctx context.Context, root job.WatchedRoot) error {
	ticker := time.NewTicker(rootInterval)
	defer ticker.Stop()
	for suspect := false; ; {
		select {
		case <-ctx.Done():
			return nil
		case <-ticker.C:
		}
		err := lookUpRoot(root)
		if err != nil && suspect {
			return err
		}
		suspect = err != nil
	}
}

// lookUpRoot returns an *Error if the path of a root now leads elsewhere. Other errors may mean that the server is
// temporarily away, and entries report those.
func lookUpRoot(root job.WatchedRoot) error {
	attr, err := root.Stat()
	switch {
	case errors.Is(err, fs.ErrNotExist), errors.Is(err, syscall.ENOTDIR):
		return &Error{Label: root.Label, Gone: true}
	case err == nil && (attr.Dev != root.ID.Dev || attr.Ino != root.ID.Ino && !root.IsFar):
		return &Error{Label: root.Label}
	}
	return nil
}
