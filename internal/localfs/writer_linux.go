package localfs

import "golang.org/x/sys/unix"

// HasWriter asks for a lease to read the file, which the system grants only while nobody has the
// file open for writing, and gives it back at once. Where that cannot be asked, as by a user who
// does not own the file, there may be a writer.
func (f *file) HasWriter() bool {
	if _, err := unix.FcntlInt(uintptr(f.fd), unix.F_SETLEASE, unix.F_RDLCK); err != nil {
		return true
	}
	_, _ = unix.FcntlInt(uintptr(f.fd), unix.F_SETLEASE, unix.F_UNLCK)
	return false
}
