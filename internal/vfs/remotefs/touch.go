package remotefs

// touch records that this session changes an entry, or the directory itself for ".". It is called before a change and
// again after it, because a listing requested in between may or may not include the change.
func (d *Dir) touch(name string) { d.touched(name, true) }

// touchAsync is touch for a directory that is made without waiting. It leaves the attributes of d as they were when this
// session made d, until they were looked at.
func (d *Dir) touchAsync(name string) { d.touched(name, false) }

func (d *Dir) touched(name string, changes bool) {
	d.mu.Lock()
	d.relist = true
	d.changed = d.changed || changes || !d.isNew || d.info != nil
	b := d.branch
	d.mu.Unlock()
	if name != "." {
		d.tree.Drop(b, name)
	}
}
