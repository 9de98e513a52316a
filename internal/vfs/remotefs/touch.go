package remotefs

// touch records that this session changes an entry, or the directory itself for ".". It is called before a change and
// again after it, because a listing requested in between may or may not include the change.
func (d *Dir) touch(name string) {
	d.mu.Lock()
	d.relist, d.changed = true, true
	b := d.branch
	d.mu.Unlock()
	if name != "." {
		d.tree.Drop(b, name)
	}
}
