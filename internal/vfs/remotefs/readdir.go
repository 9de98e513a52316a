package remotefs

import (
	"cmp"

	"psync/internal/vfs"
	"psync/internal/vfs/remotefs/listing"
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
	if err := b.Each(d.s.Prepared(), yield); err != nil || !b.HasMore() {
		return err
	}
	return d.readMore(b, yield)
}

// replaceLocked replaces the listing old, which may be nil, by one that is to be asked for.
func (d *Dir) replaceLocked(old *listing.Listing) {
	d.tree.Release(old)
	d.branch = listing.New()
}

// listing returns the listing b of the directory, or as much of a long one as comes at once. It asks for it unless it has
// come or is coming.
func (d *Dir) listing(b *listing.Listing) (*listing.Listing, error) {
	if _, err := d.facts(); err != nil {
		return nil, err
	}
	for {
		<-d.askForListing(b)
		complete, err := b.Result()
		if complete {
			return b, nil
		}
		if err := cmp.Or(err, d.s.Err()); err != nil {
			return nil, err
		}
		d.mu.Lock()
		if d.branch == b { // the expected listing has not come
			d.replaceLocked(b)
			b = d.branch
		} else { // the directory is being listed by another call of ReadDir
			b = listing.New()
		}
		d.mu.Unlock()
	}
}

// finishReading drops the entries of a listing, and all of it if it is no longer that of d.
func (d *Dir) finishReading(b *listing.Listing) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.branch == b {
		d.tree.Read(b)
	} else {
		d.tree.Release(b)
	}
}

// askForListing asks for the listing b unless it has come or is coming. It returns a channel that is closed when b is
// done.
func (d *Dir) askForListing(b *listing.Listing) <-chan struct{} {
	if send := d.tree.Ask(d.s.Session, d.handle, b); send != nil {
		d.mu.Lock()
		d.relist = false // the listing will show the changes; those in progress are recorded again when they are done
		d.mu.Unlock()
		send()
	}
	return b.Done()
}

// readMore is ReadDir for the entries after those that came at once.
func (d *Dir) readMore(first *listing.Listing, yield func([]vfs.Entry) error) error {
	for more := true; more; {
		page := d.tree.Continue(d.s.Session, d.handle, first)
		complete, err := page.Result()
		if err == nil && !complete {
			err = d.s.Err()
		}
		if err == nil {
			err = page.Each(d.s.Prepared(), yield)
		} else {
			err = session.PathError("readdir", ".", err)
		}
		more = page.HasMore()
		d.tree.Release(page)
		if err != nil {
			return err
		}
	}
	return nil
}

// startListing asks for the listing and does not wait for it. This session has not changed anything in the directory
// yet; otherwise listing has to make sure that such changes are known.
func (d *Dir) startListing() {
	b := listing.New()
	d.mu.Lock()
	d.branch = b
	d.mu.Unlock()
	d.askForListing(b)
}
