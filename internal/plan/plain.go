package plan

import "psync/internal/metadata"

// CopiesPlain reports whether of most files, where the destination has nothing under their names, nothing but
// contents, rwx bits, modification times and owners is copied, so that [vfs.Dir].CopyPlain may do it.
func (p Policy) CopiesPlain(k metadata.Keep) bool {
	return !p.Compare && !p.Existing && !p.LimitsSize() && !p.Links.Follows() && p.Way(Create, 0, 0, false) == Direct &&
		!k.NoPerms && !k.Atime && !k.Btime && !k.Flags && len(k.Chmod) == 0 && k.Chown == metadata.Chown{} && k.Accounts == nil
}
