package remotefs

import (
	"syscall"
	"time"

	"psync/internal/vfs"
	"psync/internal/wire"
)

// stale is how old a listing may be for its word to be taken on the directory itself, and on what is not there.
const stale = 10 * time.Second

// lookup returns the entry called name from the listing. known is false if that does not say, or may not any more.
func (d *Dir) lookup(name string) (e *wire.Entry, known bool, err error) {
	d.mu.Lock()
	changed, fresh := d.changed[name], d.fresh
	if d.b == nil && d.isRoot && d.looks < 2 {
		d.looks++ // one operand may be a single entry of a large directory
		changed = true
	}
	d.mu.Unlock()
	switch {
	case changed:
		return nil, false, nil
	case fresh:
		return nil, false, syscall.ENOENT
	}
	b, err := d.listing()
	if err != nil {
		return nil, false, nil // what is asked for may be there nevertheless
	}
	d.mu.Lock()
	i, ok := b.index[name]
	changed = d.changed[name]
	d.mu.Unlock()
	switch {
	case changed || ok && (b.entries[i].Gone || d.s.tree.changedByLink(&b.entries[i].Attr)):
		return nil, false, nil
	case ok:
		return &b.entries[i], true, nil
	case len(b.entries) >= mostEntries || d.folds() || time.Since(b.at) > stale:
		return nil, false, nil
	}
	return nil, false, syscall.ENOENT
}

func (d *Dir) folds() bool {
	info, err := d.facts()
	return err != nil || info.Volume.Folds
}

// listing returns the complete listing of the directory, and asks for it if it does not come anyway.
func (d *Dir) listing() (*branch, error) {
	if _, err := d.facts(); err != nil {
		return nil, err // and so that changes by others of this session are marked
	}
	d.mu.Lock()
	if d.b == nil {
		d.b = newBranch()
		d.b.taken = true
	}
	b := d.b
	d.mu.Unlock()
	<-d.begin(b)
	if !b.complete {
		if b.failure != nil {
			return nil, b.failure
		}
		d.mu.Lock()
		if d.b == b { // the listing that might have come has not
			d.b = newBranch()
			d.b.taken, d.b.attr, d.b.at = true, b.attr, b.at
		}
		b = d.b
		d.mu.Unlock()
		<-d.begin(b)
	}
	switch {
	case b.failure != nil:
		return nil, b.failure
	case !b.complete:
		return nil, d.s.err()
	}
	return b, d.indexed(b)
}

// begin asks for the listing b unless that comes or has come, and returns what is closed when it is here.
func (d *Dir) begin(b *branch) <-chan struct{} {
	t := &d.s.tree
	t.Lock()
	var send func()
	if !b.done && !b.coming {
		send = t.list(d.s, d.o, b)
	}
	t.Unlock()
	if send != nil {
		d.mu.Lock()
		d.changed = nil // the listing will tell; what is under way is marked again when it is done
		d.mu.Unlock()
		send()
	}
	return b.settled
}

// indexed makes the index of a listing.
func (d *Dir) indexed(b *branch) error {
	d.mu.Lock()
	defer d.mu.Unlock()
	if b.index != nil {
		return nil
	}
	b.index = make(map[string]int, len(b.entries))
	for i := range b.entries {
		b.index[b.entries[i].Name] = i
	}
	if len(b.index) < len(b.entries) {
		return d.s.fail("a name twice in one listing")
	}
	return nil
}

// ReadDir implements [vfs.Dir]. It lists the directory again if that was done before, or this session has changed it.
func (d *Dir) ReadDir(yield func([]vfs.Entry) error) error {
	d.mu.Lock()
	if d.fresh && len(d.changed) == 0 {
		d.mu.Unlock()
		return nil
	}
	d.fresh = false
	if d.read || d.b != nil && len(d.changed) > 0 {
		d.s.tree.Lock()
		if d.b != nil {
			d.s.tree.drop(d.b)
		}
		d.s.tree.Unlock()
		d.b, d.changed = newBranch(), nil
		d.b.taken = true
	}
	d.read = true
	d.mu.Unlock()
	b, err := d.listing()
	if err != nil {
		return pathError("readdir", ".", err)
	}
	const some = 1024
	chunk := make([]vfs.Entry, 0, min(some, len(b.entries)))
	for i := range b.entries {
		e := &b.entries[i]
		chunk = append(chunk, vfs.Entry{Name: e.Name, Type: e.Attr.Mode.Type(), Ino: e.Attr.Ino})
		if len(chunk) == some || i == len(b.entries)-1 {
			if err := yield(chunk); err != nil {
				return err
			}
			chunk = chunk[:0]
		}
	}
	return nil
}
