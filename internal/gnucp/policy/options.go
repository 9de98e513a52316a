// Package policy decides, without I/O, what cp(1) of the GNU system does: by its options, and by what source and
// destination are.
package policy

import (
	"io/fs"

	"psync/internal/content"
	"psync/internal/vfs"
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

	Verbose bool // report what is copied
	Debug   bool // and how

	Threads int // how many workers there are; 0: 16, or 64 to or from network file systems
}

// InOrder reports whether everything is done in cp's order: questions are asked, or there is only one worker.
func (o *Options) InOrder() bool { return o.Interactive || o.Threads == 1 }

// MayBeDirectory reports whether an entry of some type may be a directory.
func MayBeDirectory(typ fs.FileMode, follow bool) bool {
	return typ.IsDir() || follow && typ == fs.ModeSymlink
}

// AsFiles reports whether what is no regular file is copied by its contents.
func (o *Options) AsFiles() bool { return !o.Recursive || o.CopyContents }

// CopiesContents reports whether an entry is copied as a regular file.
func (o *Options) CopiesContents(mode fs.FileMode) bool {
	return !o.SymbolicLink && (mode.IsRegular() || o.AsFiles() && mode.Type() != fs.ModeSymlink)
}

// TracksLinks reports whether further names of an entry become names of its copy. follow says whether it may
// have been reached through a link.
func (o *Options) TracksLinks(src *vfs.Attr, follow bool) bool {
	return o.Preserve.Links && !o.HardLink && !src.Mode.IsDir() && (src.Nlink > 1 || follow)
}

// WritesThroughLinks reports whether symbolic links in the destination are followed at all.
func (o *Options) WritesThroughLinks() bool {
	return !o.SymbolicLink && !o.HardLink && o.Backup == NoBackups && !o.RemoveDestination
}

// FollowsDest reports whether the destination of an entry of some mode may be what a link there leads to. A
// regular file can be written through a link, nothing else can.
func (o *Options) FollowsDest(mode fs.FileMode) bool {
	through := mode.IsRegular() || mode.IsDir() && o.KeepDirlinks ||
		o.AsFiles() && !mode.IsDir() && mode.Type() != fs.ModeSymlink
	return through && o.WritesThroughLinks()
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
