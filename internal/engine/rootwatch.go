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

// A RootError ends a run: the path of a root no longer leads to the directory that the run has opened.
type RootError struct {
	Label string // what the directory is called in messages
	Gone  bool   // the path leads nowhere; otherwise to another directory
}

func (e *RootError) Error() string {
	if e.Gone {
		return fmt.Sprintf("%s is gone, which this run works in", e.Label)
	}
	return fmt.Sprintf("%s leads to another directory than when this run opened it", e.Label)
}

// rootInterval is how often the paths of roots are looked up.
const rootInterval = 5 * time.Second

// watchRoots stops the run if a volume is mounted over a root, or no longer mounted there, or if a root is renamed. The
// run works beneath descriptors, so it would go on in a directory that nobody can reach by that path: after
// "umount -l" in a volume that is on its way out, and after a mount that came late in the directory beneath.
//
// Each root has a goroutine, which nobody waits for: its lookup takes as long as a server that does not answer.
func (r *run) watchRoots(ctx context.Context) (stop context.CancelFunc) {
	ctx, stop = context.WithCancel(ctx)
	for _, root := range r.job.Watched {
		go func() {
			if err := watchRoot(ctx, root); err != nil && ctx.Err() == nil {
				r.job.Stop(err)
			}
		}()
	}
	return stop
}

// watchRoot looks up a root again and again. It returns a *RootError when the path leads elsewhere twice in succession, for what
// a server restores is gone for a moment, and nil when ctx ends.
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

// lookUpRoot returns a *RootError if the path of a root leads elsewhere by now. With other errors the server may be away for a
// while, and entries report that.
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
