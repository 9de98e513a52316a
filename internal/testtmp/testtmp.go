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
	"path/filepath"

	"psync/internal/campaign"
)

const (
	memory = "/dev/shm" // where Linux has a tmpfs, by custom
	prefix = "psync-test-"
)

// Run runs tests, m, and returns their exit code. While they run, TMPDIR, which says where temporary files are made (see
// [os.TempDir]), is a new directory in memory, unless TMPDIR has been set, there is too little room, or tests are thorough
// ([campaign.Thorough]): those are to meet the file system of a disk.
func Run(m interface{ Run() int }) int {
	if os.Getenv("TMPDIR") != "" || campaign.Thorough() || !roomy(memory) {
		return m.Run()
	}
	sweep()
	dir, err := os.MkdirTemp(memory, fmt.Sprintf("%s%d-", prefix, os.Getpid()))
	if err != nil {
		return m.Run()
	}
	err = errors.Join(os.Chmod(dir, 0o777|fs.ModeSticky), os.Setenv("TMPDIR", dir)) // tests become other users, too
	code := 1
	if err == nil {
		code = m.Run()
		err = os.Unsetenv("TMPDIR")
	}
	if err := errors.Join(err, os.RemoveAll(dir)); err != nil {
		fmt.Fprintln(os.Stderr, err)
		return max(code, 1)
	}
	return code
}

// sweep removes the directories of tests that were killed, or exceeded their time.
func sweep() {
	dirs, err := filepath.Glob(filepath.Join(memory, prefix+"*"))
	if err != nil {
		return
	}
	for _, dir := range dirs {
		pid := 0
		if _, err := fmt.Sscanf(filepath.Base(dir), prefix+"%d-", &pid); err != nil {
			continue
		}
		if _, err := os.Lstat(fmt.Sprint("/proc/", pid)); errors.Is(err, fs.ErrNotExist) {
			_ = os.RemoveAll(dir) // those of other users stay
		}
	}
}
