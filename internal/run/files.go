package run

import (
	"context"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"psync/internal/journal"
	"psync/internal/localfs/trusted"
	"psync/internal/operand"
	"psync/internal/vfs"
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

// OpenOnHost opens a regular file on another host, which an argument names as it would an operand, for reading.
func OpenOnHost(ctx context.Context, o Options, arg string) (io.ReadCloser, error) {
	o.complete()
	paths, host, err := o.connectOne(ctx, []string{arg})
	if err != nil {
		return nil, err
	}
	real, err := host.Resolve(paths[0])
	if err != nil {
		return nil, err
	}
	dir, err := host.Open(filepath.Dir(real), vfs.OpenOptions{})
	if err != nil {
		return nil, err
	}
	defer func() { _ = dir.Close() }()
	attr, err := vfs.Lstat(dir, filepath.Base(real))
	if err != nil {
		return nil, err
	}
	f, err := dir.OpenFile(filepath.Base(real), vfs.ReadOnly, 0)
	if err != nil {
		return nil, err
	}
	return &hostFile{io.NewSectionReader(f, 0, attr.Size), f}, nil
}

// A hostFile is an open file on another host.
type hostFile struct {
	io.Reader
	io.Closer
}

func (o *Options) openFile(name string, flag int, perm fs.FileMode) (*os.File, error) {
	return FileOpener(o.Operands)(name, flag, perm)
}

// createFile makes the file called name, or empties it, with the mode that a file of the user has whose umask is umask: the
// process has none any more.
func (o *Options) createFile(name string, umask fs.FileMode) (*os.File, error) {
	return o.openFile(name, os.O_WRONLY|os.O_CREATE|os.O_TRUNC, 0o666&^umask)
}
