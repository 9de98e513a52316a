package filter

// SelectsXattrs reports whether rules are about extended attributes.
func (r *Rules) SelectsXattrs() bool {
	return r != nil && len(r.xattrs.hide.rules)+len(r.xattrs.protect.rules) > 0
}

// HidesXattr reports whether the sending side leaves out the extended attribute of this name.
func (r *Rules) HidesXattr(name string) bool { return r.xattrs.hide.excludes("", name, false) }

// ProtectsXattr reports whether the receiving side keeps the extended attribute of this name, even if the entry of the
// sending side lacks it.
func (r *Rules) ProtectsXattr(name string) bool { return r.xattrs.protect.excludes("", name, false) }
