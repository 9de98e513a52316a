package localfs

import (
	"errors"
	"os"

	"psync/internal/sys"
)

// Prepare sets how the process treats files from now on. Reading does not change
// access times. Files whose contents are in the cloud are fetched if
// fetchDataless says so; or else reading them fails, rather than wait, maybe for
// ever and in no way to be interrupted.
func Prepare(fetchDataless bool) error {
	return os.NewSyscallError("setiopolicy_np", errors.Join(sys.KeepAtimes(), sys.FetchDataless(fetchDataless)))
}
