package remotefs

import (
	"cmp"

	"psync/internal/vfs"
	"psync/internal/wire"
)

// lookup returns the entry called name as it was listed. known is false if it was not, or if this session has changed it
// since.
func (d *Dir) lookup(name string) (e wire.Entry, known bool) {
	d.mu.Lock()
	b, page := d.branch, d.page
	d.mu.Unlock()
	if e, known = d.s.tree.find(b, name); !known {
		e, known = d.s.tree.find(page, name)
	}
	linked := e.Attr.Nlink > 1 && !e.Attr.Mode.IsDir() && d.s.tree.mayChangeLinks.Load()
	d.mu.Lock()
	defer d.mu.Unlock()
	return e, known && !d.changed[name] && !e.Gone && !linked
}

// listing returns the listing of the directory, or as much of a long one as is kept. It asks for the listing unless
// that has come or is coming.
func (d *Dir) listing() (*branch, error) {
	if _, err := d.facts(); err != nil {
		return nil, err // facts also ensures that changes through other Dirs of this session are marked
	}
	d.mu.Lock()
	if d.branch == nil {
		d.branch = newBranch()
		d.branch.taken = true
	}
	b := d.branch
	d.mu.Unlock()
	for {
		<-d.askForListing(b)
		if b.complete {
			return b, nil
		}
		if err := cmp.Or(b.failure, d.s.err()); err != nil {
			return nil, err
		}
		d.mu.Lock()
		if d.branch == b { // the expected listing has not come; otherwise the directory is being listed anew
			d.s.tree.Lock()
			d.s.tree.release(b)
			d.s.tree.Unlock()
			d.branch = newBranch()
			d.branch.taken, d.branch.attr, d.branch.asked = true, b.attr, b.asked
		}
		b = d.branch
		d.mu.Unlock()
	}
}

// askForListing asks for the listing b unless it has come or is coming. It returns a channel that is closed when b is
// done.
func (d *Dir) askForListing(b *branch) <-chan struct{} {
	t := &d.s.tree
	t.Lock()
	var send func()
	if !b.done && !b.coming {
		send = t.list(d.s, d.handle, b, false)
	}
	t.Unlock()
	if send != nil {
		d.mu.Lock()
		d.changed = nil // the listing will show them; changes that are in progress are marked again when they are done
		d.mu.Unlock()
		send()
	}
	return b.finished
}

// ReadDir implements [vfs.Dir]. It lists the directory anew if it was called before or this session has changed
// entries.
func (d *Dir) ReadDir(yield func([]vfs.Entry) error) error {
	d.mu.Lock()
	if d.isNew && len(d.changed) == 0 {
		d.mu.Unlock()
		return nil
	}
	d.isNew = false
	if d.read || d.branch != nil && len(d.changed) > 0 {
		d.s.tree.Lock()
		d.s.tree.release(d.branch)
		d.s.tree.Unlock()
		d.branch, d.changed = newBranch(), nil
		d.branch.taken = true
	}
	d.read = true
	d.mu.Unlock()
	b, err := d.listing()
	if err != nil {
		return pathError("readdir", ".", err)
	}
	if err := b.entries.each(yield); err != nil || !b.more {
		return err
	}
	return d.readMore(b.cursor, yield)
}

// readMore is ReadDir for the entries after those that are kept. It keeps only the entries that it is yielding.
func (d *Dir) readMore(cursor uint64, yield func([]vfs.Entry) error) error {
	for more := true; more; {
		page := newBranch()
		page.taken, page.cursor = true, cursor
		t := &d.s.tree
		t.Lock()
		send := t.list(d.s, d.handle, page, true)
		t.Unlock()
		send()
		<-page.finished
		err := page.failure
		if err == nil && !page.complete {
			err = d.s.err()
		}
		if err != nil {
			return pathError("readdir", ".", err)
		}
		d.setPage(page)
		err = page.entries.each(yield)
		d.setPage(nil)
		t.Lock()
		more = page.more
		t.release(page)
		t.Unlock()
		if err != nil {
			return err
		}
	}
	return nil
}

func (d *Dir) setPage(b *branch) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.page = b
}
