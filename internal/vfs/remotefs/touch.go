package remotefs

// touch records that this session changes a name, or the directory itself for ".". It is called before a change and
// again after it, because a listing requested in between may or may not include the change.
func (d *Dir) touch(name string) {
	d.mark(name)
	d.markInParent()
	d.mu.Lock()
	if name != "." && !d.isNew {
		d.s.tree.mayChangeLinks.Store(true)
	}
	d.mu.Unlock()
	info := d.known()
	if info == nil {
		return
	}
	t := &d.s.tree
	t.Lock()
	for _, b := range t.unentered[info.Attr.ID()] {
		b.outdated = true
	}
	var others []*Dir
	for other := range t.listed[info.Attr.ID()] {
		if other != d {
			others = append(others, other)
		}
	}
	t.Unlock()
	for _, other := range others {
		other.mark(name)
		other.markInParent()
	}
}

// markInParent records that the attributes of the directory change.
func (d *Dir) markInParent() {
	d.mu.Lock()
	up, name := d.parent, d.name
	d.mu.Unlock()
	if up != nil {
		up.mark(name)
	}
}

func (d *Dir) mark(name string) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.closed {
		return // the directory is no longer used
	}
	if d.changed == nil {
		d.changed = make(map[string]bool)
	}
	d.changed[name], d.touched = true, true
}
