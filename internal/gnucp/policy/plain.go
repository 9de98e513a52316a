package policy

// CopiesPlain reports whether most new files in new directories are copied without a message, under their own names,
// and with nothing but their contents, rwx bits, times, owner and group, so that one call can copy such a file.
func (o *Options) CopiesPlain() bool {
	p := &o.Preserve
	return !o.AttributesOnly && !o.HardLink && !o.SymbolicLink && !o.Verbose && !o.Debug && o.Update == UpdateAll &&
		o.Sparse == SparseAuto && o.Context == "" && !p.NoMode && !p.Context && !(p.Links && o.Follow == FollowAll)
}
