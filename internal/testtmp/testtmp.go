// Package testtmp has tests keep their temporary files in memory.
//
// Tests make and remove small files by the hundred thousand, and on a disk that can take longer than all else that they do:
// whenever ext4 makes a file, for one, it passes over the inodes that were freed during the last minutes.
package testtmp

import (
	"errors"
	"fmt"
	"io/fs"
	"os"

	"psync/internal/campaign"
)

// Run runs tests, m, and returns their exit code. Meanwhile TMPDIR, which says where temporary files are made (see
// [os.TempDir]), is a new directory in memory, unless TMPDIR has been set, there is too little room, or tests are thorough
// ([campaign.Thorough]): those are to meet the file system of a disk.
func Run(m interface{ Run() int }) int {
	if os.Getenv("TMPDIR") != "" || campaign.Thorough() || !roomy(memory) {
		return m.Run()
	}
	dir, err := os.MkdirTemp(memory, "psync-test-")
	if err != nil {
		return m.Run()
	}
	defer func() {
		if err := os.RemoveAll(dir); err != nil {
			fmt.Fprintln(os.Stderr, err)
		}
	}()
	err = errors.Join(os.Chmod(dir, 0o777|fs.ModeSticky), os.Setenv("TMPDIR", dir)) // tests become other users, too
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	return m.Run()
}

const memory = "/dev/shm" // where Linux has a tmpfs, by custom
