package operand

import (
	"errors"
	"io/fs"
	"os"
	"strings"
	"syscall"

	"psync/internal/vfs"
)

// under returns the path of name in dir, or dir for "".
func under(dir, name string) string {
	switch {
	case name == "":
		return dir
	case dir == ".":
		return name
	}
	return strings.TrimRight(dir, "/") + "/" + name
}

// above returns the path of the directory that path, which does not exist, would be in.
func above(path string) string {
	dir, _ := split(strings.TrimRight(path, "/"))
	if up := strings.TrimRight(dir, "/"); up != "" {
		return up
	}
	return "/"
}

func join(dir, name string) string {
	return strings.Trim(dir+"/"+name, "/")
}

// nearestDir returns path if it is a directory, or else the directory nearest above it that exists,
// and what is missing below that.
func nearestDir(path string) (dir, missing string, err error) {
	for dir = path; ; {
		info, err := ifExists(os.Stat, dir)
		up := above(dir)
		if err != nil || info != nil && info.IsDir() || up == dir {
			return dir, missing, err
		}
		_, last := split(strings.TrimRight(dir, "/"))
		dir, missing = up, join(last, missing)
	}
}

// ifExists returns what stat says of path, or nil if nothing is there. No other error is
// an answer: whether something is there is unknown then.
func ifExists(stat func(string) (fs.FileInfo, error), path string) (fs.FileInfo, error) {
	info, err := stat(path)
	if notExist(err) || errors.Is(err, syscall.ENOTDIR) {
		return nil, nil
	}
	return info, err
}

// Exists reports whether there is an entry at path, or may be.
func Exists(path string) bool {
	info, err := ifExists(os.Lstat, path)
	return info != nil || err != nil
}

func notExist(err error) bool { return errors.Is(err, fs.ErrNotExist) }

func isNetwork(d vfs.Dir) bool {
	v, err := d.Statfs()
	return err == nil && v.Network
}
