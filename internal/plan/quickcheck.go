package plan

import "psync/internal/metadata"

// QuickChecks reports whether most files that [vfs.Dir].QuickCheck finds equal need no further work, so that it pays
// to call it first.
func (p Policy) QuickChecks(k metadata.Keep) bool {
	return p.Sync && !p.Compare && !p.IgnoreTimes && !p.Checksum && !p.IgnoreExisting && !p.LimitsSize() && !p.Links.Follows() &&
		!k.NoPerms && !k.Atime && !k.Btime && !k.Flags && len(k.Chmod) == 0 && k.Chown == metadata.Chown{} && k.Accounts == nil
}
