//go:build darwin || freebsd

package localfs

import (
	"testing"

	"golang.org/x/sys/unix"

	"psync/internal/sys"
)

func makeFifo(t testing.TB, dirfd int, name string) {
	t.Helper()
	if err := sys.Mknodat(dirfd, name, unix.S_IFIFO|0o600, 0); err != nil {
		t.Fatal(err)
	}
}
