package retry_test

import (
	"cmp"
	"io/fs"
	"path/filepath"
	"sync"
	"syscall"
	"testing"
	"time"

	"psync/internal/report"
	"psync/internal/vfs"
	"psync/internal/vfs/faultfs"
	"psync/internal/vfs/fstest"
	"psync/internal/vfs/memfs"
	"psync/internal/vfs/retry"
)

// A server has a volume that clients may or may not be able to reach.
type server struct {
	*memfs.Host

	mu     sync.Mutex
	export int                         // handles of earlier exports are stale
	stale  error                       // of calls on those; nil: ESTALE
	fails  func(op, name string) error // returns why a call is not made; nil: never
	silent func(op, name string) error // returns the error of a call although it was made; nil: never
	hangs  func(name string)
	lazy   bool           // clients close files that were written without asking the server
	asked  map[string]int // how often each operation was called
}

func newServer(t testing.TB, tree string) *server {
	m := memfs.New()
	s := &server{Host: &memfs.Host{FS: m}, asked: make(map[string]int)}
	fstest.Fill(t, m.TestRoot(t), tree)
	return s
}

// from makes calls fail, from now on, for which f returns an error.
func (s *server) from(f func(op, name string) error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.fails = f
}

// down returns a function that makes all calls fail until d has passed.
func down(d time.Duration, err error) func(op, name string) error {
	end := time.Now().Add(d)
	return func(string, string) error {
		if time.Now().Before(end) {
			return err
		}
		return nil
	}
}

// reexport makes all handles stale.
func (s *server) reexport() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.export++
}

// hang makes calls concerning an entry return only when until is closed.
func (s *server) hang(name string, until <-chan struct{}) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.hangs = func(of string) {
		if of == name {
			<-until
		}
	}
}

// remove removes an entry without the clients' knowledge.
func (s *server) remove(path string) error {
	dir, name := filepath.Split(path)
	d, err := s.Host.Open("/"+dir, vfs.OpenOptions{})
	if err != nil {
		return err
	}
	defer d.Close()
	return d.Remove(name, nil)
}

// Open implements [vfs.Host].
func (s *server) Open(path string, o vfs.OpenOptions) (vfs.Dir, error) {
	s.mu.Lock()
	export := s.export
	s.mu.Unlock()
	call := func(op, name string) error {
		s.mu.Lock()
		hangs := s.hangs
		s.mu.Unlock()
		if hangs != nil {
			hangs(name)
		}
		s.mu.Lock()
		defer s.mu.Unlock()
		s.asked[op]++
		switch {
		case op == "close" || op == "nclose" || op == "rclose" || op == "fclose" && s.lazy:
			return nil
		case export != s.export:
			return cmp.Or[error](s.stale, syscall.ESTALE)
		case s.fails == nil:
			return nil
		}
		return s.fails(op, name)
	}
	if err := call("root", path); err != nil {
		return nil, &fs.PathError{Op: "open", Path: path, Err: err}
	}
	d, err := s.Host.Open(path, o)
	if err != nil {
		return nil, err
	}
	return forgetful{faultfs.New(d, call), s}, nil
}

// answer returns the error with which a call that returned err is answered.
func (s *server) answer(op, name string, err error) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if err != nil || s.silent == nil {
		return err
	}
	if err = s.silent(op, name); err != nil {
		return &fs.PathError{Op: op, Path: name, Err: err}
	}
	return nil
}

// A forgetful directory makes calls whose answers are lost.
type forgetful struct {
	vfs.Dir
	s *server
}

func (d forgetful) Unwrap() vfs.Dir { return d.Dir }

func (d forgetful) OpenDir(name string, how vfs.Resolve) (vfs.Dir, error) {
	sub, err := d.Dir.OpenDir(name, how)
	if err != nil {
		return nil, err
	}
	return forgetful{sub, d.s}, nil
}

func (d forgetful) OpenFile(name string, mode vfs.OpenMode, perm fs.FileMode) (vfs.File, error) {
	f, err := d.Dir.OpenFile(name, mode, perm)
	if mode != vfs.Create {
		return f, err
	}
	if err = d.s.answer("create", name, err); err != nil && f != nil {
		_ = f.Close()
		return nil, err
	}
	return f, err
}

func (d forgetful) Make(name string, s vfs.Spec) error {
	return d.s.answer(s.Op(), name, d.Dir.Make(name, s))
}

func (d forgetful) Link(oldDir vfs.Dir, oldname, newname string) error {
	return d.s.answer("link", newname, d.Dir.Link(oldDir, oldname, newname))
}

func (d forgetful) Rename(oldname string, to vfs.Dir, newname string, only *vfs.Premise) error {
	op := "rename"
	switch {
	case only != nil:
		op = "replace"
	case to != nil:
		op = "move"
	}
	return d.s.answer(op, newname, d.Dir.Rename(oldname, to, newname, only))
}

func (d forgetful) Remove(name string, only *vfs.Premise) error {
	op := "remove"
	if only != nil {
		op = "remove unchanged"
	}
	return d.s.answer(op, name, d.Dir.Remove(name, only))
}

func (d forgetful) Rmdir(name string) error { return d.s.answer("rmdir", name, d.Dir.Rmdir(name)) }

// A log is a sink that keeps the events it gets.
type log struct {
	volumes *retry.Volumes

	mu     sync.Mutex
	events []report.Event
}

func (l *log) Event(e report.Event) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.events = append(l.events, e)
}

// lines returns what was reported.
func (l *log) lines() (lines []string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, e := range l.events {
		lines = append(lines, e.Path()+": "+e.Err.Error())
	}
	return lines
}

// mount returns the root of a server, wrapped for a run that waits up to a minute for it, and the log of what is
// reported.
func mount(t testing.TB, s *server) (vfs.Dir, *log) {
	t.Helper()
	return mountFor(t, s, time.Minute)
}

func mountFor(t testing.TB, s *server, wait time.Duration) (vfs.Dir, *log) {
	t.Helper()
	l := new(log)
	vs := retry.NewVolumes(retry.Options{VolumeTimeout: wait, AllVolumes: true})
	l.volumes = vs
	t.Cleanup(vs.Start(t.Context(), l))
	d, err := vs.Host(s, &vs.DestCalls).Open("/", vfs.OpenOptions{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = d.Close() })
	return d, l
}
