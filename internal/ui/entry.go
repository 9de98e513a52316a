package ui

import (
	"io/fs"

	"psync/internal/report"
)

// isLink reports whether e is about a symbolic link. Hard links may be names of a symbolic link, but then only
// the type says so.
func isLink(e report.Event) bool {
	switch {
	case e.Kind == report.Symlink, e.Type == fs.ModeSymlink:
		return true
	case e.Kind == report.Link, e.Type != 0:
		return false
	}
	return e.Target != ""
}

// isHardLink reports whether e is about a name that becomes another name of an entry of the destination.
func isHardLink(e report.Event) bool {
	return e.Kind == report.Link && e.Target != ""
}

// isSpecial reports whether e is about a fifo, a socket or a device.
func isSpecial(e report.Event) bool {
	return e.Type&(fs.ModeNamedPipe|fs.ModeSocket|fs.ModeDevice) != 0
}
