package retry

import (
	"errors"
	"io/fs"
	"sync"

	"psync/internal/lazymap"
	"psync/internal/vfs"
	"psync/internal/vfs/retry/outcome"
)

// Make implements [vfs.Dir].
func (d *dir) Make(name string, s vfs.Spec) error {
	if s.Async {
		d.async.add(name, s)
	}
	return d.doOnce(name, func(in vfs.Dir, mayBeDone bool) error {
		err := in.Make(name, s)
		if !mayBeDone || !errors.Is(err, fs.ErrExist) {
			return err
		}
		switch s.Mode.Type() {
		case fs.ModeDir:
			if d.volume.conn != nil {
				return outcome.RemakeDir(in, name, s, err)
			}
			return outcome.UnlessEmptyDir(in, name, err)
		case fs.ModeSymlink:
			return outcome.UnlessLinkTo(in, name, s.Target, err)
		}
		return outcome.UnlessSpecial(in, name, s.Mode, s.Dev, err)
	})
}

// asyncDirs are directories that are made asynchronously, until they are opened: when the connection is lost, it is not
// known which of them were made.
type asyncDirs struct {
	mu     sync.Mutex // guards byName
	byName map[string]asyncDir
}

type asyncDir struct {
	spec vfs.Spec
	err  error // why it could not be made again
}

// add records that a directory will be made.
func (l *asyncDirs) add(name string, s vfs.Spec) {
	l.mu.Lock()
	defer l.mu.Unlock()
	s.Async = false
	lazymap.Set(&l.byName, name, asyncDir{spec: s})
}

// opened records that a directory has been opened. It returns the error of making it again.
func (l *asyncDirs) opened(name string) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	err := l.byName[name].err
	delete(l.byName, name)
	return err
}

// remake makes the directories again in the directory that they belong to, as opened again. The error says that the
// connection is lost.
func (l *asyncDirs) remake(in vfs.Dir) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	for name, dir := range l.byName {
		err := in.Make(name, dir.spec)
		if errors.Is(err, fs.ErrExist) {
			err = outcome.UnlessMade(in, name, dir.spec, err)
		}
		if outcome.IsLost(err) {
			return err
		}
		dir.err = err
		l.byName[name] = dir
	}
	return nil
}
