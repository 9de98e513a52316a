package run

import (
	"io/fs"
	"os"

	"psync/internal/journal"
	"psync/internal/localfs/trusted"
	"psync/internal/operand"
)

// FileOpener returns what opens files that options name: os.OpenFile, but following no link that another user may have
// planted, unless that is allowed, or, with strict links, none of another user. Such files are always on the user's own
// machine, and may be pipes, so they are not opened through a vfs.Host, as operands are.
func FileOpener(o operand.Options) journal.OpenFunc {
	switch {
	case o.InsecureLinks:
		return os.OpenFile
	case o.StrictLinks:
		return trusted.OpenFileStrictly
	}
	return trusted.OpenFile
}

func (o *Options) openFile(name string, flag int, perm fs.FileMode) (*os.File, error) {
	return FileOpener(o.Operands)(name, flag, perm)
}

// createFile makes the file called name, or empties it, with the mode that a file of the user has whose umask is umask: the
// process has none any more.
func (o *Options) createFile(name string, umask fs.FileMode) (*os.File, error) {
	return o.openFile(name, os.O_WRONLY|os.O_CREATE|os.O_TRUNC, 0o666&^umask)
}
