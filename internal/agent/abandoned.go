package agent

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

	"psync/internal/localfs"
	"psync/internal/vfs"
)

// abandonedAfter is how old a socket without a listener must be to be removed: a server that starts makes its
// directory first, and listens a moment later.
const abandonedAfter = time.Hour

// removeAbandoned removes the sockets of servers of this user that were killed, in the directory of temporary files.
// What cannot be removed, or may be something else, stays.
func removeAbandoned(temp string, now time.Time) {
	d, err := os.Open(temp)
	if err != nil {
		return
	}
	defer func() { _ = d.Close() }() // nothing was written
	for {
		names, err := d.Readdirnames(1000)
		for _, name := range names {
			if isSocketDir(name) {
				_ = removeIfAbandoned(filepath.Join(temp, name), now) // then it stays
			}
		}
		if err != nil {
			return
		}
	}
}

// isSocketDir reports whether a server may have given its directory this name.
func isSocketDir(name string) bool {
	number, ok := strings.CutPrefix(name, socketDirs)
	return ok && number != "" && strings.Trim(number, "0123456789") == ""
}

// ownSocketDir returns the attributes of a directory if only this user may enter it.
func ownSocketDir(dir string) (vfs.Attr, error) {
	here := localfs.Host{}
	attr, err := here.Lstat(dir)
	if err != nil {
		return vfs.Attr{}, err
	}
	if !attr.Mode.IsDir() || attr.Mode.Perm() != 0o700 || int(attr.UID) != here.User().UID {
		return vfs.Attr{}, errNoSession
	}
	return attr, nil
}

// removeIfAbandoned removes a directory that has a socket without a listener, and nothing else.
func removeIfAbandoned(dir string, now time.Time) error {
	attr, err := ownSocketDir(dir)
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
	c, err := net.Dial("unix", filepath.Join(dir, socketName))
	if err == nil {
		return c.Close() // the server lives
	}
	if !errors.Is(err, syscall.ECONNREFUSED) {
		return err
	}
	return errors.Join(root.Remove(socketName), os.Remove(dir))
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
	return len(entries) == 1 && entries[0].Name() == socketName && entries[0].Type() == fs.ModeSocket, nil
}
