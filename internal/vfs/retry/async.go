package retry

import (
	"errors"
	"io/fs"
	"maps"
	"sync"
	"syscall"

	"psync/internal/lazymap"
	"psync/internal/vfs"
	"psync/internal/vfs/retry/outcome"
)

// asyncDirs are directories that were made asynchronously, until it is known that they were: when the connection is lost, they
// are made again where they are not there.
type asyncDirs struct {
	mu     sync.Mutex // guards byName
	byName map[string]asyncDir
}

type asyncDir struct {
	spec   vfs.Spec
	opened bool
	err    error // why it could not be made again
}

// add records that a directory will be made.
func (l *asyncDirs) add(name string, s vfs.Spec) {
	l.mu.Lock()
	defer l.mu.Unlock()
	lazymap.Set(&l.byName, name, asyncDir{spec: s})
}

// opening records that a directory is being opened. It returns the error of making it again.
func (l *asyncDirs) opening(name string) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	dir, ok := l.byName[name]
	if ok {
		dir.opened = true
		l.byName[name] = dir
	}
	return dir.err
}

// drop records that a directory is known to have been made, or is there no more.
func (l *asyncDirs) drop(name string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	delete(l.byName, name)
}

// dropAll records that all directories are known to have been made.
func (l *asyncDirs) dropAll() {
	l.mu.Lock()
	defer l.mu.Unlock()
	clear(l.byName)
}

// maxRemaking is how many directories are made again at a time.
const maxRemaking = 64

// remake makes the directories again in the directory that they belong to, as opened again. The error says that the
// connection is lost.
func (l *asyncDirs) remake(in vfs.Dir) (lost error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	var mu sync.Mutex // guards the map, and lost
	var remaking sync.WaitGroup
	room := make(chan struct{}, maxRemaking)
	for name, dir := range maps.Clone(l.byName) {
		room <- struct{}{}
		remaking.Go(func() {
			defer func() { <-room }()
			err := dir.remake(in, name)
			mu.Lock()
			defer mu.Unlock()
			if outcome.IsLost(err) {
				lost = err
				return
			}
			dir.err = err
			l.byName[name] = dir
		})
	}
	remaking.Wait()
	return lost
}

// remakeOne is remake for the directory called name. If that is not one of them, the error matches fs.ErrNotExist.
func (l *asyncDirs) remakeOne(in vfs.Dir, name string) error {
	l.mu.Lock()
	dir, known := l.byName[name]
	l.mu.Unlock()
	if !known {
		return &fs.PathError{Op: "open", Path: name, Err: syscall.ENOENT}
	}
	return dir.remake(in, name)
}

// remake makes the directory, unless it is there: then there may be entries in it only if it was opened.
func (d asyncDir) remake(in vfs.Dir, name string) error {
	err := vfs.Mkdir(in, name, d.spec.Mode)
	switch {
	case !errors.Is(err, fs.ErrExist):
		return err
	case d.opened:
		return nil
	}
	return outcome.UnlessMade(in, name, d.spec, err)
}

// knowMade records that the directory is known to have been made, if it was made asynchronously.
func (d *dir) knowMade() {
	if d.up != nil && !d.made.Load() {
		d.made.Store(true)
		d.up.async.drop(d.name)
	}
}
