package plan

import (
	"time"
)

// A Policy determines what is copied, and how.
type Policy struct {
	Sync bool // copy only what differs; otherwise everything
	// Resumes says that an earlier run may have copied some files: like a sync, it copies only those that differ.
	Resumes bool
	// Compare makes a dry run of a sync compare special files as well, and not open files that the
	// destination lacks.
	Compare bool

	IgnoreTimes bool // copy files even if size and time are equal
	SizeOnly    bool // files of the same size are equal
	Checksum    bool // files with equal contents are equal, whatever their times

	Update         bool // skip files that are newer in the destination
	StrictUpdate   bool // even if they look like interrupted copies
	Existing       bool // skip entries that the destination lacks
	IgnoreExisting bool // skip entries that the destination has

	MinSize   int64 // skip smaller files; bytes
	MaxSize   int64 // skip larger files, if LimitSize is set; bytes
	LimitSize bool

	MinMtime time.Time // skip files modified before, unless it is zero
	MaxMtime time.Time // skip files modified after, unless it is zero

	Devices  bool // copy devices
	Specials bool // copy fifos and sockets
	NoLinks  bool // leave out symbolic links

	Links        Links
	Delete       Delete
	InPlace      bool // write into existing files
	Append       bool // with InPlace: continue shorter files at their end, and skip others that differ
	AppendVerify bool // with Append: if what they have is the beginning; otherwise copy the whole file
	DelayUpdates bool // rename files to their final names at the end of the run
	BacksUp      bool // keep replaced entries as backups

	WholeFile bool // do not make large files from the data of the destination

	Fuzzy bool // make large files that the destination lacks from the data of similar ones there

	Window       time.Duration // see [metadata.Tolerance]
	WholeSeconds bool          // see [metadata.Tolerance]
}
