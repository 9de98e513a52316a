package report

import (
	"io/fs"
	"time"
)

// Details are what a sink may show of the entry of a step besides what is in its [Event].
type Details struct {
	Path     string // of the source, with the operand
	Size     int64  // of a file or directory, in bytes
	Mode     fs.FileMode
	Mtime    time.Time
	UID, GID uint32
}

// A Detail says which Details a sink wants.
type Detail uint8

// What a sink may want, in any combination.
const (
	DetailPath    Detail = 1 << iota
	DetailDirSize        // Size of directories, for which the entry is looked at
	DetailAttrs          // all that is known when the entry is looked at
)

// A Detailer is a Sink that wants Details.
type Detailer interface{ Details() Detail }
