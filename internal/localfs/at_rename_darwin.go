package localfs

import "golang.org/x/sys/unix"

func renameExclusive(fd int, oldpath, newpath string) error {
	return unix.RenameatxNp(fd, oldpath, fd, newpath, unix.RENAME_EXCL)
}
