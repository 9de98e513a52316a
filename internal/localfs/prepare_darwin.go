package localfs

import (
	"errors"
	"os"

	"psync/internal/sys"
	"psync/internal/vfs"
)

// Prepare implements [vfs.Host].
func (Host) Prepare(p vfs.Preparation) error {
	return os.NewSyscallError("setiopolicy_np", errors.Join(sys.KeepAtimes(), sys.FetchDataless(p.FetchDataless)))
}
