package localfs

import (
	"errors"
	"os"

	"psync/internal/sys"
)

// Prepare implements [vfs.Host].
func (Host) Prepare(fetchDataless bool) error {
	return os.NewSyscallError("setiopolicy_np", errors.Join(sys.KeepAtimes(), sys.FetchDataless(fetchDataless)))
}
