package plan

import "psync/internal/metadata"

// CopiesPlain reports whether copying most new files involves only contents, rwx bits, modification times and
// owners, so that [vfs.Dir].CopyPlain can do it.
func (p Policy) CopiesPlain(k metadata.Keep) bool {
	return !p.Compare && !p.Existing && !p.LimitsSize() && !p.Links.Follows() && p.Method(Create, 0, 0, false) == Direct &&
		!k.NoPerms && !k.Atime && !k.Btime && !k.Flags && len(k.Chmod) == 0 && k.Chown == metadata.Chown{} && k.Accounts == nil
}
