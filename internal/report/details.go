package report

import (
	"io/fs"
	"time"
)

// Details are facts about the entry of a step that are not in the [Event] itself.
type Details struct {
	Path     string // of the source, with the operand
	Size     int64  // of a file or directory, in bytes
	Mode     fs.FileMode
	Mtime    time.Time
	UID, GID uint32
}

// A Detail is a set of Details that a sink wants.
type Detail uint8

// The details.
const (
	DetailPath    Detail = 1 << iota
	DetailDirSize        // Size of directories, which takes a call of lstat
	DetailAttrs          // everything that lstat returns
)
