//go:build linux && (amd64 || arm64)

package sys

import (
	"testing"

	"golang.org/x/sys/unix"
)

func TestRemovalsCostNoMemory(t *testing.T) {
	dirfd := openTemp(t, "f")
	if n := testing.AllocsPerRun(100, func() { _ = Unlinkat(dirfd, "f", unix.AT_REMOVEDIR) }); n != 0 {
		t.Errorf("%v allocations, want none", n)
	}
}
