package localfs

import (
	"testing"

	"golang.org/x/sys/unix"
)

func makeFifo(t testing.TB, dirfd int, name string) {
	t.Helper()
	if err := unix.Mknodat(dirfd, name, unix.S_IFIFO|0o600, 0); err != nil {
		t.Fatal(err)
	}
}
