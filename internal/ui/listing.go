package ui

import (
	"fmt"
	"io/fs"

	"psync/internal/quote"
	"psync/internal/vfs"
)

// ListLine describes an entry in the format of rsync's --list-only: mode, size in bytes, modification time,
// name. target is the target of a symbolic link.
func ListLine(path string, attr vfs.Attr, target string) string {
	size := attr.Size
	if attr.Mode&fs.ModeDevice != 0 {
		size = 0
	}
	line := fmt.Sprintf("%s %14s %s %s", permString(attr.Mode), Count(size), attr.Mtime.Local().Format("2006/01/02 15:04:05"), appendAsRsync(nil, path))
	if attr.Mode.Type() == fs.ModeSymlink && target != "" {
		line += " -> " + string(appendAsRsync(nil, target))
	}
	return line
}

// permString returns a mode as ls(1) shows it.
func permString(mode fs.FileMode) string {
	kind := "-"
	switch mode.Type() {
	case fs.ModeDir:
		kind = "d"
	case fs.ModeSymlink:
		kind = "l"
	case fs.ModeNamedPipe:
		kind = "p"
	case fs.ModeSocket:
		kind = "s"
	case fs.ModeDevice:
		kind = "b"
	case fs.ModeDevice | fs.ModeCharDevice:
		kind = "c"
	}
	return kind + quote.Permissions(mode)
}
