package wire

import (
	"io/fs"

	"psync/internal/vfs"
)

// OpenDir opens a directory.
type OpenDir struct {
	New  Handle
	Dir  Handle
	Name string // "" for vfs.Parent
	How  vfs.Resolve
}

func (m *OpenDir) fields(c *coder) {
	c.opens(&m.New)
	c.handle(&m.Dir)
	unsigned(c, &m.How, vfs.Parent, "way to open")
	if m.How != vfs.Parent {
		c.name(&m.Name)
	}
}

// DirInfo is what is known of a directory that was opened.
type DirInfo struct {
	Attr          vfs.Attr // with the device number of the server's system
	Volume        vfs.Volume
	Caps          vfs.Caps // of its localfs.Dir
	HasDefaultACL bool
}

func (d *DirInfo) fields(c *coder) {
	c.attr(&d.Attr)
	c.volume(&d.Volume)
	c.caps(&d.Caps)
	c.bool(&d.HasDefaultACL)
}

// Opened answers OpenPath, OpenDir and Mkdir.
type Opened struct{ DirInfo }

// Mkdir makes a directory and, unless New is 0, opens it. It is answered by Opened, empty if New is 0.
type Mkdir struct {
	New  Handle
	Dir  Handle
	Name string
	Perm fs.FileMode
}

func (m *Mkdir) fields(c *coder) {
	c.opens(&m.New)
	c.handle(&m.Dir)
	c.name(&m.Name)
	c.mode(&m.Perm)
}

// MakeDirs makes directories, in their order, and changes each. It is answered by MadeDirs.
type MakeDirs struct {
	Dir  Handle
	Dirs []vfs.NewDir
}

func (m *MakeDirs) fields(c *coder) {
	c.handle(&m.Dir)
	list(c, &m.Dirs, 4, func(d *vfs.NewDir, c *coder) {
		c.name(&d.Name)
		c.mode(&d.Perm)
		c.changes(&d.Changes)
	})
}

// MadeDirs answers MakeDirs with what has failed.
type MadeDirs struct{ Failed []FailedDir }

// A FailedDir is a directory that could not be made or, if Made is true, not be changed.
type FailedDir struct {
	Index uint32 // of the directory among those of MakeDirs
	Made  bool
	Error *Error
}

func (m *MadeDirs) fields(c *coder) {
	list(c, &m.Failed, 3, func(f *FailedDir, c *coder) {
		c.uint32(&f.Index)
		c.bool(&f.Made)
		optional(c, &f.Error, (*Error).fields)
	})
}

// Close closes a directory or file. It is answered, by Done when that is done, only if the ID of its frame is not 0.
type Close struct{ Handle Handle }

func (m *Close) fields(c *coder) { c.handle(&m.Handle) }

// Lstat asks for what [vfs.Dir].Statx or, about an open file, [vfs.File].Statx returns, and is answered by AttrAnswer.
type Lstat struct {
	Target
	Follow        bool
	Change, Fresh bool
}

func (m *Lstat) fields(c *coder) {
	c.target(&m.Target)
	c.bools(&m.Follow, &m.Change, &m.Fresh)
}

// AttrAnswer answers with the attributes of an entry.
type AttrAnswer struct{ Attr vfs.Attr }

func (m *AttrAnswer) fields(c *coder) { c.attr(&m.Attr) }

// Readlink is answered by Paths.
type Readlink struct{ Target }

func (m *Readlink) fields(c *coder) { c.entry(&m.Target) }

// Symlink makes a symbolic link.
type Symlink struct {
	Target
	To string
}

func (m *Symlink) fields(c *coder) {
	c.entry(&m.Target)
	c.path(&m.To)
}

// Link makes Target another name of Old.
type Link struct {
	Old Target
	Target
}

func (m *Link) fields(c *coder) {
	c.oldEntry(&m.Old)
	c.entry(&m.Target)
}

// Mknod makes a special file.
type Mknod struct {
	Target
	Mode fs.FileMode
	Dev  uint64
}

func (m *Mknod) fields(c *coder) {
	c.entry(&m.Target)
	c.mode(&m.Mode)
	c.uint64(&m.Dev)
}

// Rename renames Old to Target: with Only, if that is what Only says.
type Rename struct {
	Old Target
	Target
	Only *vfs.Premise
}

func (m *Rename) fields(c *coder) {
	c.oldEntry(&m.Old)
	c.entry(&m.Target)
	optional(c, &m.Only, premise)
}

// Remove removes an entry that is not a directory, or with IsDir an empty directory: with Only, if that is what it says.
type Remove struct {
	Target
	IsDir bool
	Only  *vfs.Premise
}

func (m *Remove) fields(c *coder) {
	c.entry(&m.Target)
	c.bool(&m.IsDir)
	optional(c, &m.Only, premise)
}

// Count counts the regular files below a directory.
type Count struct{ Dir Handle }

func (m *Count) fields(c *coder) { c.handle(&m.Dir) }

// Counted answers Count. What could not be read is left out.
type Counted struct {
	Files, Bytes int64
	Known        bool // nothing was left out but that
}

func (m *Counted) fields(c *coder) {
	c.offset(&m.Files)
	c.offset(&m.Bytes)
	c.bools(&m.Known)
}

// Sync syncs a file, or with Volume the volume of a directory. A file that is open for reading also leaves the cache of
// the server's system.
type Sync struct {
	Handle Handle
	Volume bool
}

func (m *Sync) fields(c *coder) {
	c.handle(&m.Handle)
	c.bool(&m.Volume)
}
