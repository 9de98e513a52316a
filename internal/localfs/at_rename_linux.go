package localfs

import "golang.org/x/sys/unix"

func renameExclusive(fd int, oldpath, newpath string) error {
	return unix.Renameat2(fd, oldpath, fd, newpath, unix.RENAME_NOREPLACE)
}
