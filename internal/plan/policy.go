package plan

import (
	"time"
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

	Links        Links
	Delete       Delete
	InPlace      bool // write into existing files
	DelayUpdates bool // files get their names at the end of the run
	BacksUp      bool // keep what is replaced as a backup

	WholeFile bool // large files are not made from what the destination has

	Window time.Duration // see [metadata.Tolerance]
}
