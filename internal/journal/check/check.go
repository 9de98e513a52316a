// Package check finds directories that are done according to a journal, and that the destination does not
// have.
package check

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"sync"
	"syscall"

	"psync/internal/journal"
	"psync/internal/vfs"
	"psync/internal/walk"
)

// A Job is a journal and the trees to check against it.
type Job struct {
	File    *journal.File
	Dests   []vfs.Dir  // what each root of the job was copied to; nil if it is missing
	Follow  bool       // a link to a directory may stand for one
	MayLack bool       // a root is missing unless the destination had it, which is no fault
	Workers *walk.Size // the number of workers
}

// A Result is the result of a check.
type Result struct {
	Found int64     // directories of the journal that DST has
	Wrong []Finding // in the order of their paths
}

// A Finding is a directory that differs from the journal.
type Finding struct {
	Root int
	Path string // below that
	Err  error
}

// ErrMissing says that the destination does not have a directory.
var ErrMissing = errors.New("is missing")

// An EmptyDirsError says that the destination lacks empty directories, which journals count, and do not name.
type EmptyDirsError struct{ Lacking int64 }

func (e *EmptyDirsError) Error() string {
	if e.Lacking == 1 {
		return "lacks an empty directory"
	}
	return fmt.Sprintf("lacks %d empty directories", e.Lacking)
}

// A task lists the destination directory with the identifier id.
type task struct {
	id   journal.ID
	root int
	path string
}

type checker struct {
	Job
	below map[journal.ID]journal.Below
	pool  *walk.Pool[task, struct{}]

	mu     sync.Mutex // guards what follows
	result Result
}

// Run checks each directory that the journal names, except for those below a missing one. It returns the cause of ctx
// if ctx ends first.
func Run(ctx context.Context, j Job) (*Result, error) {
	below, err := j.File.Below()
	if err != nil {
		return nil, err
	}
	c := &checker{Job: j, below: below}
	c.pool = walk.NewPool(j.Workers, func() struct{} { return struct{}{} }, c.do)
	for i, dest := range j.Dests {
		id := j.File.Key.Root(i)
		if dest != nil {
			c.pool.Put(task{id: id, root: i})
			continue
		}
		recorded, err := j.File.Recorded(id)
		if err != nil {
			return nil, err
		}
		if recorded && !(j.MayLack && len(below[id].Names) == 0) {
			c.result.Wrong = append(c.result.Wrong, Finding{i, "", ErrMissing})
		}
	}
	c.pool.Run(ctx)
	if ctx.Err() != nil {
		return nil, context.Cause(ctx)
	}
	slices.SortFunc(c.result.Wrong, func(a, b Finding) int {
		return cmp.Or(cmp.Compare(a.Root, b.Root), cmp.Compare(a.Path, b.Path))
	})
	return &c.result, nil
}

func (c *checker) do(_ context.Context, _ struct{}, claim *walk.Claim[task]) {
	defer claim.Ack()
	t := claim.Task()
	found, err := c.check(t, claim)
	c.mu.Lock()
	defer c.mu.Unlock()
	c.result.Found += found
	if err != nil {
		c.result.Wrong = append(c.result.Wrong, Finding{t.root, t.path, err})
	}
}

// check checks a directory, and adds tasks for the subdirectories that it should have. found counts the directory
// itself and the empty ones in it.
func (c *checker) check(t task, claim *walk.Claim[task]) (found int64, err error) {
	root := c.Dests[t.root]
	follow := vfs.NoFollow
	if c.Follow {
		follow = vfs.Follow
	}
	dir, err := vfs.Descend(root, t.path, follow.OpenDir)
	switch {
	case errors.Is(err, fs.ErrNotExist), errors.Is(err, syscall.ENOTDIR), errors.Is(err, syscall.ELOOP):
		return 0, ErrMissing
	case err != nil:
		return 0, err
	}
	if dir != root {
		defer dir.Close()
	}
	want := c.below[t.id]
	for _, name := range want.Names {
		claim.Put(task{c.File.Key.Child(t.id, name), t.root, vfs.Join(t.path, name)})
	}
	if want.Empty == 0 {
		return 1, nil
	}
	others := int64(0)
	err = dir.ReadDir(func(entries []vfs.Entry) error {
		for _, e := range entries {
			if _, named := slices.BinarySearch(want.Names, e.Name); e.Type.IsDir() && !named {
				others++
			}
		}
		return nil
	})
	if err == nil && others < want.Empty {
		err = &EmptyDirsError{want.Empty - others}
	}
	return 1 + min(others, want.Empty), err
}
