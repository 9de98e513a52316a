package plan

import (
	"time"

	"psync/internal/metadata"
	"psync/internal/vfs"
)

// A Policy says what is copied, and how.
type Policy struct {
	Sync bool // only what differs; otherwise everything
	// Compare makes a dry run of a sync look at special files as well, and not open files
	// that the destination lacks.
	Compare bool

	IgnoreTimes bool // copy files even if size and time are equal
	SizeOnly    bool // files of the same size are equal
	Checksum    bool // files are equal if their contents are, whatever their times

	Update         bool // leave files alone that are newer in the destination
	Existing       bool // make nothing that the destination lacks
	IgnoreExisting bool // leave alone what the destination has

	MinSize   int64 // leave out smaller files; bytes
	MaxSize   int64 // leave out larger files, if LimitSize is set; bytes
	LimitSize bool

	Devices  bool // copy devices
	Specials bool // copy fifos and sockets

	Links   Links
	InPlace bool // write into existing files

	Window time.Duration // see [metadata.Tolerance]
}

// A Verdict on a file that both sides have.
type Verdict uint8

// The verdicts.
const (
	Transfer   Verdict = iota // copy the contents
	Current                   // the contents are there
	LookInside                // only the contents can tell
)

// Judge compares two regular files by their attributes.
func (p Policy) Judge(src, dst vfs.Attr, t metadata.Tolerance) Verdict {
	switch {
	case !p.Sync || src.Size != dst.Size:
		return Transfer
	case p.Checksum:
		return LookInside
	case p.SizeOnly:
		return Current
	case p.IgnoreTimes:
		return Transfer
	case t.Same(src.Mtime, dst.Mtime):
		return Current
	case metadata.Clamped(src.Mtime, dst.Mtime):
		return LookInside // the volume may have no room for the time
	}
	return Transfer
}

// Omits reports whether the policy leaves a regular file out for its size.
func (p Policy) Omits(size int64) bool {
	return size < p.MinSize || p.LimitSize && size > p.MaxSize
}

// Newer reports whether dst is to be left alone because it is newer.
func (p Policy) Newer(src, dst vfs.Attr, t metadata.Tolerance) bool {
	return p.Update && dst.Mtime.After(src.Mtime) && !t.Same(src.Mtime, dst.Mtime)
}
