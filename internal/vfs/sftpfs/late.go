package sftpfs

import (
	"io/fs"
	"sync"
)

// maxMaking is how many directories mkdirAsync makes at a time.
const maxMaking = 64

// makings are the directories that mkdirAsync makes, by path, until they are opened. Making one takes up to three
// requests, each of which waits for the one before, so the directories of one level of a tree are made concurrently.
type makings struct {
	room chan struct{} // has an element for each that is being made

	mu      sync.Mutex // guards what follows
	byPath  map[string]*making
	running map[string]int // how many are being made in each directory
	ended   sync.Cond      // making a directory has ended
}

// A making is a directory that is being made, has been made, or could not be made.
type making struct {
	done chan struct{} // closed when err is valid
	err  error
}

func (ms *makings) init() {
	ms.room, ms.byPath, ms.running = make(chan struct{}, maxMaking), make(map[string]*making), make(map[string]int)
	ms.ended.L = &ms.mu
}

// wait waits until no directory is being made in the one at a path: that would change its modification time.
func (ms *makings) wait(path string) {
	ms.mu.Lock()
	defer ms.mu.Unlock()
	for ms.running[path] > 0 {
		ms.ended.Wait()
	}
}

// take waits until the directory at a path has been made, if mkdirAsync is making it, and forgets it. It returns the
// error of making it.
func (ms *makings) take(path string) error {
	ms.mu.Lock()
	m := ms.byPath[path]
	ms.mu.Unlock()
	if m == nil {
		return nil
	}
	<-m.done
	ms.mu.Lock()
	defer ms.mu.Unlock()
	if ms.byPath[path] == m {
		delete(ms.byPath, path)
	}
	return m.err
}

// mkdirAsync makes a directory in the background.
func (d *dir) mkdirAsync(name string, perm fs.FileMode) {
	p, ms := d.at(name), &d.s.making
	m := &making{done: make(chan struct{})}
	ms.room <- struct{}{}
	ms.mu.Lock()
	ms.byPath[p] = m
	ms.running[d.path]++
	ms.mu.Unlock()
	go func() {
		m.err = d.mkdir(name, perm)
		ms.mu.Lock()
		if ms.running[d.path]--; ms.running[d.path] == 0 {
			delete(ms.running, d.path)
		}
		ms.mu.Unlock()
		ms.ended.Broadcast()
		close(m.done)
		<-ms.room
	}()
}
