package remotefs

import (
	"cmp"

	"psync/internal/vfs"
	"psync/internal/vfs/remotefs/session"
)

// ReadDir implements [vfs.Dir]. It lists the directory anew if it was called before or entries were changed.
func (d *Dir) ReadDir(yield func([]vfs.Entry) error) error {
	d.mu.Lock()
	if d.isNew && !d.relist {
		d.mu.Unlock()
		return nil
	}
	d.isNew = false
	if b := d.branch; b == nil || d.read || d.relist {
		d.replaceLocked(b)
	}
	d.read = true
	b := d.branch
	d.mu.Unlock()
	b, err := d.listing(b)
	if err != nil {
		return session.PathError("readdir", ".", err)
	}
	defer d.finishReading(b)
	if err := b.entries.each(d.s.Prepared(), yield); err != nil || !b.more {
		return err
	}
	return d.readMore(b.cursor, yield)
}

// replaceLocked replaces the listing old, which may be nil, by one that is to be asked for.
func (d *Dir) replaceLocked(old *branch) {
	t := d.tree
	t.Lock()
	t.release(old)
	t.Unlock()
	d.branch = newBranch()
	d.branch.taken = true
}

// listing returns the listing b of the directory, or as much of a long one as comes at once. It asks for it unless it has
// come or is coming.
func (d *Dir) listing(b *branch) (*branch, error) {
	if _, err := d.facts(); err != nil {
		return nil, err
	}
	for {
		<-d.askForListing(b)
		if b.complete {
			return b, nil
		}
		if err := cmp.Or(b.failure, d.s.Err()); err != nil {
			return nil, err
		}
		d.mu.Lock()
		if d.branch == b { // the expected listing has not come
			d.replaceLocked(b)
			b = d.branch
		} else { // the directory is being listed by another call of ReadDir
			b = newBranch()
			b.taken = true
		}
		d.mu.Unlock()
	}
}

// finishReading drops the entries of a listing, and all of it if it is no longer that of d.
func (d *Dir) finishReading(b *branch) {
	t := d.tree
	d.mu.Lock()
	defer d.mu.Unlock()
	t.Lock()
	defer t.Unlock()
	if d.branch == b {
		t.read(b)
	} else {
		t.release(b)
	}
}

// askForListing asks for the listing b unless it has come or is coming. It returns a channel that is closed when b is
// done.
func (d *Dir) askForListing(b *branch) <-chan struct{} {
	t := d.tree
	t.Lock()
	var send func()
	if !b.done && !b.coming {
		send = t.list(d.s, d.handle, b, false)
	}
	t.Unlock()
	if send != nil {
		d.mu.Lock()
		d.relist = false // the listing will show the changes; those in progress are recorded again when they are done
		d.mu.Unlock()
		send()
	}
	return b.finished
}

// readMore is ReadDir for the entries after those that came at once.
func (d *Dir) readMore(cursor uint64, yield func([]vfs.Entry) error) error {
	for more := true; more; {
		page := newBranch()
		page.taken, page.cursor = true, cursor
		t := d.tree
		t.Lock()
		send := t.list(d.s, d.handle, page, true)
		t.Unlock()
		send()
		<-page.finished
		err := page.failure
		if err == nil && !page.complete {
			err = d.s.Err()
		}
		if err != nil {
			return session.PathError("readdir", ".", err)
		}
		err = page.entries.each(d.s.Prepared(), yield)
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

// startListing asks for the listing and does not wait for it. This session has not changed anything in the directory
// yet; otherwise listing has to make sure that such changes are known.
func (d *Dir) startListing() {
	b := newBranch()
	b.taken = true
	d.mu.Lock()
	d.branch = b
	d.mu.Unlock()
	d.askForListing(b)
}
