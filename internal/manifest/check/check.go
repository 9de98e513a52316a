// Package check compares the files of a tree with a list of checksums.
package check

import (
	"context"
	"crypto/sha256"
	"io/fs"
	"slices"
	"strings"
	"sync"

	"psync/internal/content"
	"psync/internal/manifest"
	"psync/internal/vfs"
	"psync/internal/walk"
)

// A Kind is the kind of a Finding.
type Kind uint8

// The kinds.
const (
	Differs    Kind = iota // the file has other contents, or is not a regular file
	Missing                // there is no such file
	Additional             // the list lacks this file
	Failed                 // the file or directory could not be read
)

// A Finding is a path in the tree that differs from the list.
type Finding struct {
	Kind Kind
	Path string
	Err  error // for Failed
}

// A Job is a tree to check.
type Job struct {
	Dir     vfs.Dir
	List    map[string]manifest.Sum // Run removes the files that it finds
	Self    vfs.ID                  // of the file that holds the list, which is not Additional; or zero
	Workers *walk.Size              // the number of workers
	Found   func(Finding)           // called for each finding, in no particular order, by one worker at a time
}

// filesOfTask is how many files of a directory one task checks.
const filesOfTask = 16

// A task lists a directory, or checks the files with the given names in it.
type task struct {
	dir   string
	names []string
}

type checker struct {
	Job
	pool *walk.Pool[task, struct{}]

	mu   sync.Mutex // guards List, calls of Found, and what follows
	lost []string   // directories that could not be read
}

// Run compares the regular files below j.Dir with the list. It returns the cause of ctx if ctx ends first.
func Run(ctx context.Context, j Job) error {
	c := &checker{Job: j}
	c.pool = walk.NewPool(j.Workers, func() struct{} { return struct{}{} }, c.do)
	c.pool.Put(task{})
	c.pool.Run(ctx)
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	for path := range c.List {
		if !c.isLost(path) {
			j.Found(Finding{Kind: Missing, Path: path})
		}
	}
	return nil
}

func (c *checker) do(ctx context.Context, _ struct{}, claim *walk.Claim[task]) {
	defer claim.Ack()
	t := claim.Task()
	dir, err := vfs.Descend(c.Dir, t.dir, vfs.NoFollow.OpenDir)
	if err != nil {
		c.failDir(t.dir, err)
		return
	}
	if dir != c.Dir {
		defer dir.Close()
	}
	if t.names == nil {
		if err := c.list(dir, t.dir, claim); err != nil {
			c.failDir(t.dir, err)
		}
		return
	}
	for _, name := range t.names {
		if ctx.Err() != nil {
			return
		}
		c.check(ctx, dir, t.dir, name)
	}
}

// list adds tasks for the entries of a directory.
func (c *checker) list(dir vfs.Dir, path string, claim *walk.Claim[task]) error {
	return dir.ReadDir(func(entries []vfs.Entry) error {
		var names []string
		for _, e := range entries {
			switch e.Type {
			case fs.ModeDir:
				claim.Put(task{dir: vfs.Join(path, e.Name)})
			case 0:
				if names = append(names, e.Name); len(names) == filesOfTask {
					claim.Put(task{path, names})
					names = nil
				}
			default:
				c.other(vfs.Join(path, e.Name))
			}
		}
		if names != nil {
			claim.Put(task{path, names})
		}
		return nil
	})
}

// other handles an entry that is not a regular file. The list has it only if it was a regular file before.
func (c *checker) other(path string) {
	if _, listed := c.take(path); listed {
		c.found(Finding{Kind: Differs, Path: path})
	}
}

func (c *checker) check(ctx context.Context, dir vfs.Dir, in, name string) {
	path := vfs.Join(in, name)
	want, listed := c.take(path)
	if !listed {
		attr, err := vfs.Lstat(dir, name)
		if err != nil || c.Self == (vfs.ID{}) || attr.ID() != c.Self {
			c.found(Finding{Kind: Additional, Path: path})
		}
		return
	}
	sum, err := c.sum(ctx, dir, name)
	switch {
	case ctx.Err() != nil:
	case err != nil:
		c.found(Finding{Failed, path, err})
	case sum != want:
		c.found(Finding{Kind: Differs, Path: path})
	}
}

func (c *checker) sum(ctx context.Context, dir vfs.Dir, name string) (sum manifest.Sum, err error) {
	f, err := dir.OpenFile(name, vfs.ReadOnly, 0)
	if err != nil {
		return sum, err
	}
	defer vfs.CloseUnwritten(f)
	// Only a file whose attributes are known can be read on when the connection to its host was lost; and SFTP then asks
	// for no more than there is.
	if _, err := vfs.Stat(f); err != nil {
		return sum, err
	}
	h := sha256.New()
	if err := content.Digest(ctx, h, f); err != nil {
		return sum, err
	}
	h.Sum(sum[:0])
	return sum, nil
}

// take removes a path from the list, and reports whether it was there.
func (c *checker) take(path string) (sum manifest.Sum, listed bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	sum, listed = c.List[path]
	delete(c.List, path)
	return sum, listed
}

func (c *checker) found(f Finding) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.Found(f)
}

func (c *checker) failDir(path string, err error) {
	c.found(Finding{Failed, path, err})
	c.mu.Lock()
	defer c.mu.Unlock()
	c.lost = append(c.lost, path)
}

// isLost reports whether a path is below a directory that could not be read.
func (c *checker) isLost(path string) bool {
	return slices.ContainsFunc(c.lost, func(dir string) bool { return dir == "" || strings.HasPrefix(path, dir+"/") })
}
