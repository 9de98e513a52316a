package gnucp

import (
	"context"
	"io/fs"
	"sync/atomic"

	"psync/internal/gnucp/entry"
	"psync/internal/gnucp/policy"
	"psync/internal/vfs"
	"psync/internal/walk"
)

// A linkScan looks in two trees for symbolic links through which a name may be reached in more than one way:
//   - In a destination that exists, linkScan looks for links that will be written through. The target of such a
//     link may also be written by its own name, and which of the two writes comes last must not be left to
//     chance.
//   - In a source whose links are followed, linkScan looks for links to directories, where the destination may
//     be found, and for links to entries of the destination: what cp reads there depends on its order.
type linkScan struct {
	pool  *pool
	open  atomic.Int32  // tasks that are not done, plus one while more tasks may follow
	done  chan struct{} // closed when open reaches 0
	found atomic.Bool
}

// hasLinks scans an operand and its destination, with the help of other workers.
func (w *worker) hasLinks(ctx context.Context, it *item) bool {
	through, follows := !it.New && w.WritesThroughLinks(), w.Follow == policy.FollowAll
	if it.op.inOrder || !through && !follows {
		return it.op.inOrder
	}
	s := &linkScan{pool: w.pool(ctx, it), done: make(chan struct{})}
	s.open.Store(1)
	if through {
		s.pool.Put(s.task(it.Dst.String(), written(it.Src.String())))
	}
	if follows {
		into := it.Dst.String()
		if w.listsSources {
			into = entry.DirName(into) // where other operands go
		}
		attr, err := w.Host.Stat(into, vfs.Follow)
		if err != nil {
			return true
		}
		s.pool.Put(s.task(it.Src.String(), followed(attr.ID())))
	}
	s.taskDone()
	select {
	case <-s.done:
		return s.found.Load()
	case <-ctx.Done(): // no worker takes further tasks
		return true
	}
}

// A look examines an entry that is a link or a directory. For a directory whose entries may matter, it returns
// the look for these entries.
type look func(s *linkScan, w *worker, path string, e vfs.Entry) look

// task returns the task that examines each entry of a directory by l.
func (s *linkScan) task(path string, l look) task {
	s.open.Add(1)
	return func(w *worker, c *walk.Claim[task]) {
		defer s.taskDone()
		if !s.found.Load() && s.list(w, c, path, l) != nil {
			s.found.Store(true) // a link cannot be ruled out
		}
	}
}

// taskDone ends a task.
func (s *linkScan) taskDone() {
	if s.open.Add(-1) == 0 {
		close(s.done)
	}
}

// list examines the entries of a directory. Entries below them are left to new tasks.
func (s *linkScan) list(w *worker, c *walk.Claim[task], path string, l look) error {
	if attr, err := w.Host.Stat(path, vfs.Follow); err == nil {
		w.scanned.LoadOrStore(attr.ID(), attr.Atime) // before this scan changes the access time
	}
	dir, err := w.Host.Open(path, vfs.OpenOptions{Noatime: true})
	if err != nil {
		return err
	}
	defer dir.Close()
	return dir.ReadDir(func(entries []vfs.Entry) error {
		for _, e := range entries {
			if !e.Type.IsDir() && e.Type != fs.ModeSymlink {
				continue
			}
			name := entry.Join(path, e.Name)
			if below := l(s, w, name, e); below != nil {
				c.Put(s.task(name, below))
			}
		}
		return nil
	})
}

// followed returns the look for the entries of a source whose copies go into the directory into.
func followed(into vfs.ID) look {
	var l look
	l = func(s *linkScan, w *worker, path string, e vfs.Entry) look {
		if e.Type.IsDir() {
			return l
		}
		if attr, err := w.Host.Stat(path, vfs.Follow); err == nil && attr.Mode.IsDir() || entry.LeadsInto(w.Host, path, into) {
			s.found.Store(true)
		}
		return nil
	}
	return l
}

// written returns the look for the entries of a destination whose source is dir.
func written(dir string) look {
	return func(s *linkScan, w *worker, _ string, e vfs.Entry) look {
		src := entry.Join(dir, e.Name)
		how := vfs.NoFollow
		if w.Follow == policy.FollowAll {
			how = vfs.Follow
		}
		attr, err := w.Host.Stat(src, how)
		switch {
		case err != nil || policy.IsLink(attr.Mode):
			// Nothing is written, or the link is replaced.
		case e.Type.IsDir():
			if attr.Mode.IsDir() {
				return written(src)
			}
		case attr.Mode.IsDir() && !w.KeepDirlinks:
			// Copying over this entry is an error.
		default:
			s.found.Store(true)
		}
		return nil
	}
}
