package plan

import "psync/internal/metadata"

// CopiesPlain reports whether copying most new files involves only contents, rwx bits, modification times and
// owners, so that [vfs.Dir].CopyPlain can do it.
func (p Policy) CopiesPlain(k metadata.Keep) bool {
	return !p.Compare && !p.Existing && !p.LimitsFiles() && !p.Links.Follows() && p.Method(Create, 0, 0, false) == Direct && k.Basic()
}

// QuickChecks reports whether most files that [vfs.Dir].QuickCheck finds equal need no further work, so that it pays
// to call it first.
func (p Policy) QuickChecks(k metadata.Keep) bool {
	return (p.Sync || p.Resumes) && !p.IgnoreTimes && !p.Checksum && !p.IgnoreExisting && !p.LimitsFiles() && !p.Links.Follows() &&
		k.Basic()
}
