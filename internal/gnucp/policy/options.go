// Package policy decides, without I/O, what GNU cp(1) does with an entry. The decisions depend on cp's options
// and on the attributes of source and destination.
package policy

import (
	"io/fs"

	"psync/internal/content"
	"psync/internal/vfs"
)

// Options say how to copy. The names are those of cp's options.
type Options struct {
	TargetDirectory   string // the directory that all sources go into, if HasTarget
	HasTarget         bool
	NoTargetDirectory bool // the last operand is not a directory to copy into
	Parents           bool // the copy keeps the names of the directories that lead to a source
	StripSlashes      bool // remove trailing slashes from sources

	Recursive      bool
	Follow         Follow
	CopyContents   bool // read fifos and devices instead of making them
	AttributesOnly bool
	HardLink       bool // make links instead of copies
	SymbolicLink   bool
	OneFileSystem  bool

	Interactive       bool // ask before something is overwritten
	Update            Update
	Force             bool // remove destinations that cannot be opened
	RemoveDestination bool // remove existing destinations
	Backup            Backup
	Suffix            string // the suffix of a simple backup
	KeepDirlinks      bool   // treat a link to a directory in the destination as a directory
	ThroughDangling   bool   // allow writing through a dangling link

	Preserve Preserve
	Context  string // the SELinux context of new entries
	Sparse   Sparse
	Reflink  content.Reflink

	Verbose bool // report what is copied
	Debug   bool // also report how it is copied

	Threads int // how many workers there are; 0: as many as processors and, while calls wait, up to 16, or 64 to or from network file systems
}

// InOrder reports whether everything is done in cp's order, because there are questions to ask or there is only
// one worker.
func (o *Options) InOrder() bool { return o.Interactive || o.Threads == 1 }

// MayBeDirectory reports whether an entry of this type may be a directory.
func MayBeDirectory(typ fs.FileMode, follow bool) bool {
	return typ.IsDir() || follow && typ == fs.ModeSymlink
}

// AsFiles reports whether entries that are not regular files are copied by their contents.
func (o *Options) AsFiles() bool { return !o.Recursive || o.CopyContents }

// CopiesContents reports whether an entry is copied as a regular file.
func (o *Options) CopiesContents(mode fs.FileMode) bool {
	return !o.SymbolicLink && (mode.IsRegular() || o.AsFiles() && mode.Type() != fs.ModeSymlink)
}

// TracksLinks reports whether further names of an entry become names of its copy. follow says whether the entry
// may have been reached through a link.
func (o *Options) TracksLinks(src *vfs.Attr, follow bool) bool {
	return o.Preserve.Links && !o.HardLink && !src.Mode.IsDir() && (src.Nlink > 1 || follow)
}

// WritesThroughLinks reports whether symbolic links in the destination are followed at all.
func (o *Options) WritesThroughLinks() bool {
	return !o.SymbolicLink && !o.HardLink && o.Backup == NoBackups && !o.RemoveDestination
}

// FollowsDest reports whether the destination of an entry with this mode may be the target of a link. Only a
// regular file can be written through a link.
func (o *Options) FollowsDest(mode fs.FileMode) bool {
	through := mode.IsRegular() || mode.IsDir() && o.KeepDirlinks ||
		o.AsFiles() && !mode.IsDir() && mode.Type() != fs.ModeSymlink
	return through && o.WritesThroughLinks()
}

// Follow says which symbolic links of the source are followed.
type Follow uint8

// The values of this type.
const (
	FollowNone     Follow = iota
	FollowOperands        // follow the links on the command line
	FollowAll
)

// Update says which existing files are overwritten.
type Update uint8

// The values of this type.
const (
	UpdateAll      Update = iota
	UpdateNone            // skip them silently
	UpdateNoneFail        // skip them and report an error
	UpdateOlder
)

// Backup says what an existing file is renamed to before it is overwritten.
type Backup uint8

// The values of this type.
const (
	NoBackups Backup = iota
	SimpleBackups
	ExistingBackups // numbered if the file already has numbered backups
	NumberedBackups
)

// Sparse says which files get holes.
type Sparse uint8

// The values of this type.
const (
	SparseAuto Sparse = iota // where the source has them
	SparseAlways
	SparseNever
)

// Preserve says which attributes a copy takes from its source.
type Preserve struct {
	Mode, Ownership, Timestamps, Links, Xattr, Context bool

	NoMode         bool // new files do not even get the rwx bits
	Required       bool // every requested attribute has to be preserved
	RequireXattr   bool
	RequireContext bool
	Quiet          bool // extended attributes that cannot be preserved are not reported
}
