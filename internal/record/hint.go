package record

import (
	"errors"
	"syscall"
)

// hints say what can be done about errors of the system.
var hints = []struct {
	err  error
	hint string
}{
	{syscall.EACCES, "run psync as root, or as a user who may do that; on NFS, root may be mapped to nobody (root_squash)"},
	{syscall.EPERM, "run psync as root; an entry may also be immutable (lsattr, ls -lO), and NFS and SMB refuse some changes to everybody"},
	{syscall.ENOSPC, "make room on the destination, or give it more inodes, and run the same command again"},
	{syscall.EDQUOT, "have the quota raised, and run the same command again"},
	{syscall.EROFS, "mount the destination for writing"},
	{syscall.EIO, "look at the log of the kernel for errors of the disk or of the mount, and run the same command again"},
	{syscall.ESTALE, "mount the volume anew, and run the same command again"},
	{syscall.ENAMETOOLONG, "shorten the name, for the destination does not take one so long"},
	{syscall.EILSEQ, "rename the entry, for the destination does not take these characters"},
	{syscall.EINVAL, "see whether the destination takes such names and attributes: psync-selftest SRC DST says so"},
	{syscall.EFBIG, "choose a destination that takes files of this size"},
	{syscall.EMFILE, "raise the limit of open files (ulimit -n), or give fewer workers by -j"},
	{syscall.ENFILE, "raise the limit of open files of the system, or give fewer workers by -j"},
	{syscall.ELOOP, "see where the symbolic links lead to"},
	{syscall.ETXTBSY, "end the program that runs from this file, and run the same command again"},
	{syscall.ENOTEMPTY, "see what keeps the directory from being empty; another program may be writing to it"},
}

// hintFor returns what can be done about an error, or "". What particular says comes first; it may be nil.
func hintFor(err error, particular func(error) string) string {
	if particular != nil {
		if hint := particular(err); hint != "" {
			return hint
		}
	}
	for _, r := range hints {
		if errors.Is(err, r.err) {
			return r.hint
		}
	}
	return ""
}
