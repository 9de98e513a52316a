package remotefs

import (
	"io/fs"
	"maps"
	"slices"
)

// mostKept is how many directories are kept open from when they are made until they are entered: the server does not
// open any number of them.
const mostKeptOpen = 4096

// mayKeepOpen reports whether a new directory is to be opened at once: its mode allows that, and not many are open.
func (d *Dir) mayKeepOpen(perm fs.FileMode) bool {
	const open = 0o500
	return perm&open == open && d.s.made.Load() < mostKeptOpen
}

// keepMade keeps a directory that was made for being opened.
func (d *Dir) keepMade(name string, o *openHandle) {
	d.mu.Lock()
	old := d.made[name]
	if d.made == nil {
		d.made = make(map[string]*openHandle)
	}
	d.made[name] = o
	d.mu.Unlock()
	d.s.made.Add(1)
	if old != nil {
		d.s.made.Add(-1)
		old.release()
	}
}

// takeMade returns the directory called name that this session has made, once.
func (d *Dir) takeMade(name string) *openHandle {
	d.mu.Lock()
	defer d.mu.Unlock()
	o := d.made[name]
	if o != nil {
		delete(d.made, name)
		d.s.made.Add(-1)
	}
	return o
}

// waitUntilMade waits for the answer to MkdirLate of a name, if that is under way: the server deals with requests in any
// order, and another one that has the name may find nothing there.
func (d *Dir) waitUntilMade(name string) {
	d.mu.Lock()
	o := d.making[name]
	d.mu.Unlock()
	if o != nil {
		_, _ = o.wait() // who opens the directory learns of an error
	}
}

// waitUntilAllMade waits for the answers to all MkdirLate that are under way.
func (d *Dir) waitUntilAllMade() {
	d.mu.Lock()
	making := slices.Collect(maps.Values(d.making))
	d.mu.Unlock()
	for _, o := range making {
		_, _ = o.wait() // as above
	}
}
