package remotefs

import (
	"io/fs"
	"maps"
	"slices"

	"psync/internal/lazymap"
	"psync/internal/vfs/remotefs/session"
	"psync/internal/wire"
)

// maxKeptOpen is how many new directories are kept open until they are entered: the server limits how many are open.
const maxKeptOpen = 4096

// mayKeepOpen reports whether a new directory should be opened at once: its mode allows that, and not too many are
// open.
func (d *Dir) mayKeepOpen(perm fs.FileMode) bool {
	const open = 0o500
	return perm&open == open && d.kept.Load() < maxKeptOpen
}

// keepMade keeps the handle of a directory that was made until the directory is opened.
func (d *Dir) keepMade(name string, o *session.Directory) {
	d.mu.Lock()
	old := d.made[name]
	lazymap.Set(&d.made, name, o)
	d.mu.Unlock()
	d.kept.Add(1)
	if old != nil {
		d.kept.Add(-1)
		old.Release()
	}
}

// takeMade removes and returns the handle of the directory called name that this session has made, or nil.
func (d *Dir) takeMade(name string) *session.Directory {
	d.mu.Lock()
	defer d.mu.Unlock()
	o := d.made[name]
	if o != nil {
		delete(d.made, name)
		d.kept.Add(-1)
	}
	return o
}

// waitUntilMade waits for the answer to a pending mkdirAsync of name: the server handles requests in any order, and
// another request for that name might find nothing there.
func (d *Dir) waitUntilMade(name string) {
	d.mu.Lock()
	o := d.making[name]
	d.mu.Unlock()
	if o != nil {
		_, _ = o.Info() // opening the directory returns the error
	}
}

// waitUntilAllMade waits for the answers to all pending mkdirAsync requests.
func (d *Dir) waitUntilAllMade() {
	d.mu.Lock()
	making := slices.Collect(maps.Values(d.making))
	d.mu.Unlock()
	for _, o := range making {
		_, _ = o.Info() // as above
	}
}

// target returns an entry as the target of a request. The caller calls done when the request is answered.
func (d *Dir) target(name string) (t wire.Target, done func()) {
	d.waitUntilMade(name)
	return wire.Target{Dir: d.handle.Use(), Name: name}, d.handle.Release
}
