package job

// DeferredRemovals holds the removals that are left until everything is copied.
type DeferredRemovals struct {
	Put func(d *Dir, t Task) // puts a task to carry out those from d

	dirs     Set[Key]      // from which entries are removed
	replaced Set[entryKey] // entries that will replace a directory
}

// DefersRemovals reports whether removals from d wait until all removals are counted, or until it is known where links
// lead.
func (r *Run) DefersRemovals(d *Dir) bool {
	return r.Job.Policy.DefersRemoval() && d.Task.Kind == Copy
}

// DeferRemovals defers removals from d. It may be called again.
func (r *Run) DeferRemovals(d *Dir) {
	if d.Left.Counted != nil {
		d.Left.Counted.deferred.Store(true)
		return
	}
	if !r.DeferredRemovals.dirs.Add(d.Key()) {
		return
	}
	t := d.Task
	t.Kind, t.Lineage, t.Bundle = Clear, nil, nil
	r.DeferredRemovals.Put(d, t)
}

// DeferReplacement defers the entry called name, which replaces a directory.
func (r *Run) DeferReplacement(d *Dir, name string) {
	if r.DeferRemovals(d); d.Left.Counted != nil {
		return
	}
	r.DeferredRemovals.replaced.Add(entryKey{d.Key(), name})
}

// IsDeferred reports whether DeferReplacement deferred an entry.
func (r *Run) IsDeferred(d *Dir, name string) bool {
	return r.DeferredRemovals.replaced.Has(entryKey{d.Key(), name})
}
