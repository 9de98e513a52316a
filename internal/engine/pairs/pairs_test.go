package pairs

import (
	"strings"
	"syscall"
	"testing"

	"psync/internal/vfs"
	"psync/internal/vfs/faultfs"
	"psync/internal/vfs/fstest"
	"psync/internal/vfs/memfs"
)

// TestDirectoryThatCannotBeOpenedNorClosedFailsWithBothErrors checks the mode that remains.
func TestDirectoryThatCannotBeOpenedNorClosedFailsWithBothErrors(t *testing.T) {
	in := memfs.New()
	root := in.Root()
	defer root.Close()
	fstest.Fill(t, root, "d/ 055\n")
	chmods := 0
	var dir vfs.Dir = faultfs.New(root, func(op, _ string) error {
		switch {
		case op == "opendir":
			return syscall.EIO
		case op == "chmod":
			if chmods++; chmods == 2 {
				return syscall.EROFS
			}
		}
		return nil
	})
	_, _, err := openClosed(dir, "d")
	if err == nil || !strings.Contains(err.Error(), syscall.EROFS.Error()) || !strings.Contains(err.Error(), syscall.EIO.Error()) {
		t.Errorf("got %v, want both errors", err)
	}
}
