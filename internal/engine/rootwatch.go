package engine

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"syscall"
	"time"

	"psync/internal/engine/job"
)

// A WatchedRoot is a directory that a run works beneath, with the means to look it up again.
type WatchedRoot = job.WatchedRoot

// A RootError ends a run: the path of a root no longer leads to the directory that the run opened.
type RootError struct {
	Label string // what the directory is called in messages
	Gone  bool   // nothing exists at the path; otherwise another directory does
}

func (e *RootError) Error() string {
	if e.Gone {
		return fmt.Sprintf("%s is gone, which this run works in", e.Label)
	}
	return fmt.Sprintf("%s leads to another directory than when this run opened it", e.Label)
}

// rootInterval is how often the paths of roots are looked up.
const rootInterval = 5 * time.Second

// watchRoots stops the run if a volume is mounted over a root or unmounted from it, or if a root is renamed. The run
// works beneath descriptors, so it would otherwise continue in a directory that can no longer be reached by that
// path: after "umount -l", in a volume that is being detached; after a late mount, in the directory beneath it.
//
// Each root has a goroutine that is not waited for, since its lookup takes as long as a server does not answer.
func (r *run) watchRoots(ctx context.Context) (stop context.CancelFunc) {
	ctx, stop = context.WithCancel(ctx)
	for _, root := range r.job.Job.Watched {
		go func() {
			if err := watchRoot(ctx, root); err != nil && ctx.Err() == nil {
				r.job.Stop(err)
			}
		}()
	}
	return stop
}

// watchRoot looks up a root again and again. It returns a *RootError when the path leads elsewhere twice in
// succession, since something that a server restores is gone for a moment. It returns nil when ctx ends.
func watchRoot(ctx context.Context, root WatchedRoot) error {
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

// lookUpRoot returns a *RootError if the path of a root now leads elsewhere. Other errors may mean that the server is
// temporarily away, and entries report those.
func lookUpRoot(root WatchedRoot) error {
	attr, err := root.Stat()
	switch {
	case errors.Is(err, fs.ErrNotExist), errors.Is(err, syscall.ENOTDIR):
		return &RootError{Label: root.Label, Gone: true}
	case err == nil && (attr.Dev != root.ID.Dev || attr.Ino != root.ID.Ino && !root.IsFar):
		return &RootError{Label: root.Label}
	}
	return nil
}
