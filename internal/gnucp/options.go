package gnucp

import (
	"psync/internal/content"
)

// Options say how to copy. The names are those of cp's options.
type Options struct {
	TargetDirectory   string // where everything goes, if HasTarget
	HasTarget         bool
	NoTargetDirectory bool // the last operand is no directory to copy into
	Parents           bool // with the names of the directories that lead to a source
	StripSlashes      bool // at the ends of sources

	Recursive      bool
	Follow         Follow
	CopyContents   bool // of fifos and devices: they are read, not made
	AttributesOnly bool
	HardLink       bool // make links instead of copies
	SymbolicLink   bool
	OneFileSystem  bool

	Interactive       bool // ask before something is overwritten
	Update            Update
	Force             bool // remove what cannot be opened
	RemoveDestination bool // remove what exists
	Backup            Backup
	Suffix            string // of a simple backup
	KeepDirlinks      bool   // a link to a directory is as good as one, in the destination
	ThroughDangling   bool   // a link that leads nowhere may be written through

	Preserve Preserve
	Context  string // of what is new, for SELinux
	Sparse   Sparse
	Reflink  content.Reflink

	Verbose bool // tell what is copied
	Debug   bool // and how

	Threads int // how many workers there are; 0: 16, or 64 to or from network file systems
}

// Follow says which symbolic links of the source are followed.
type Follow uint8

// The ways.
const (
	FollowNone     Follow = iota
	FollowOperands        // those on the command line
	FollowAll
)

// Update says which existing files are overwritten.
type Update uint8

// The ways.
const (
	UpdateAll      Update = iota
	UpdateNone            // silently
	UpdateNoneFail        // that is an error
	UpdateOlder
)

// Backup says what an existing file is renamed to before it is overwritten.
type Backup uint8

// The ways.
const (
	NoBackups Backup = iota
	SimpleBackups
	ExistingBackups // numbered if there are any numbered ones of that file
	NumberedBackups
)

// Sparse says which files get holes.
type Sparse uint8

// The ways.
const (
	SparseAuto Sparse = iota // as their source has them
	SparseAlways
	SparseNever
)

// Preserve says what a copy has of its source besides contents.
type Preserve struct {
	Mode, Ownership, Timestamps, Links, Xattr, Context bool

	NoMode         bool // new files do not even get the rwx bits
	Required       bool // of what was asked for, all
	RequireXattr   bool
	RequireContext bool
	Quiet          bool // nothing is said of extended attributes that cannot be kept
}
