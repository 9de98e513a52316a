package socket

import (
	"errors"
	"io"
	"io/fs"
	"net"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"time"

	"psync/internal/vfs"
)

// abandonedAfter is how old a socket without a listener must be to be removed: a server that starts makes its
// directory first, and listens a moment later.
const abandonedAfter = time.Hour

// RemoveAbandoned removes the sockets of servers of this user that were killed, in the directory of temporary files.
// What cannot be removed, or may be something else, stays.
func RemoveAbandoned(temp string, now time.Time) {
	d, err := os.Open(temp)
	if err != nil {
		return
	}
	defer func() { _ = d.Close() }() // nothing was written
	for {
		names, err := d.Readdirnames(1000)
		for _, n := range names {
			if isDir(n) {
				_ = removeIfAbandoned(filepath.Join(temp, n), now) // then it stays
			}
		}
		if err != nil {
			return
		}
	}
}

// isDir reports whether a server may have given its directory this name.
func isDir(dir string) bool {
	number, ok := strings.CutPrefix(dir, dirPrefix)
	return ok && number != "" && strings.Trim(number, "0123456789") == ""
}

// removeIfAbandoned removes a directory that has a socket without a listener, and nothing else.
func removeIfAbandoned(dir string, now time.Time) error {
	attr, err := ownDir(dir)
	if err != nil || now.Sub(attr.Mtime) < abandonedAfter {
		return err
	}
	root, err := os.OpenRoot(dir)
	if err != nil {
		return err
	}
	defer func() { _ = root.Close() }() // nothing was written
	if only, err := hasOnlySocket(root, attr); err != nil || !only {
		return err
	}
	c, err := net.Dial("unix", filepath.Join(dir, fileName))
	if err == nil {
		return c.Close() // the server lives
	}
	if !errors.Is(err, syscall.ECONNREFUSED) {
		return err
	}
	return errors.Join(root.Remove(fileName), os.Remove(dir))
}

// hasOnlySocket reports whether root is the directory that was looked at, and has a socket and nothing else.
func hasOnlySocket(root *os.Root, looked vfs.Attr) (bool, error) {
	d, err := root.Open(".")
	if err != nil {
		return false, err
	}
	defer func() { _ = d.Close() }() // nothing was written
	info, err := d.Stat()
	if err != nil {
		return false, err
	}
	if stat, ok := info.Sys().(*syscall.Stat_t); !ok || uint64(stat.Ino) != looked.Ino {
		return false, nil
	}
	entries, err := d.ReadDir(2)
	if err != nil && err != io.EOF {
		return false, err
	}
	return len(entries) == 1 && entries[0].Name() == fileName && entries[0].Type() == fs.ModeSocket, nil
}
