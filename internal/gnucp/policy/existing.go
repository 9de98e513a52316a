package policy

import (
	"time"

	"psync/internal/vfs"
)

// An Action says what to do with an entry whose destination exists.
type Action uint8

// The actions.
const (
	Overwrite          Action = iota // in the way that [Options.MakeRoom] returns
	Merge                            // merge a directory into a directory
	Leave                            // leave the destination unchanged, without a message
	LeaveCurrent                     // leave the destination unchanged, because it is not older than the source
	Skip                             // leave the destination unchanged, because of the options or the user's answer
	RefuseSameFile                   // the contents would be lost
	RefuseNonDirectory               // the destination is not a directory, but the source is
	RefuseDirectory                  // the destination is a directory, but the source is not
	RefuseJustMade                   // the destination is the copy of another operand
)

// Facts look up facts about a source and an existing destination when they matter.
type Facts interface {
	Lookups
	Granularity() time.Duration // resolution of the timestamps on the destination's file system; 0: timestamps are exact
	Consent() bool              // the user agrees to overwrite the destination
	JustMade() bool             // the destination is the copy of another operand
}

// Existing decides what to do with an entry whose destination exists.
func (o *Options) Existing(p *Pair, f Facts) Action {
	never := o.Update == UpdateNone || o.Update == UpdateNoneFail
	verdict := Differ
	if !never && !(p.Follow && !same(&p.Src, &p.Dst)) { // the usual case
		verdict = o.SameFile(p, f)
	}
	isDir, wasDir := p.Src.Mode.IsDir(), p.Dst.Mode.IsDir()
	switch {
	case verdict == RefuseSame:
		return RefuseSameFile
	case !isDir && o.Update == UpdateOlder && o.current(p, f):
		return LeaveCurrent
	case !isDir && (never || o.Interactive && !f.Consent()):
		return Skip
	case verdict == LeaveAsIs:
		return Leave
	case isDir && !wasDir:
		return RefuseNonDirectory
	case !isDir && wasDir:
		return RefuseDirectory
	case !wasDir && p.Operand && o.Backup != NumberedBackups && f.JustMade():
		return RefuseJustMade
	case wasDir:
		return Merge
	}
	return Overwrite
}

// current reports whether the destination is not older than the source, so that --update leaves the destination
// alone.
func (o *Options) current(p *Pair, f Facts) bool {
	return notOlder(p.Dst.Mtime, p.Src.Mtime, o.Preserve.Timestamps, f.Granularity)
}

// notOlder reports whether dst is not older than src. If the destination may have received the source's time
// before, notOlder ignores the part that the file system cannot store.
func notOlder(dst, src time.Time, kept bool, granularity func() time.Duration) bool {
	if !dst.Before(src) {
		return true
	}
	if !kept || src.Sub(dst) > 2*time.Second { // no file system in use is coarser
		return false
	}
	tick := granularity()
	return tick > 0 && !dst.Before(time.Unix(0, src.UnixNano()/int64(tick)*int64(tick)))
}

// A Room says how to make room for the copy where the destination exists.
type Room uint8

// The ways to make room.
const (
	WriteInto Room = iota // leave the destination in place and write into it
	BackUp
	Remove
)

// MakeRoom decides how to make room where the destination exists and is not a directory. dots says that the
// path of the source ends in "." or "..".
func (o *Options) MakeRoom(p *Pair, dots bool) Room {
	switch {
	case o.Backup != NoBackups && !dots:
		return BackUp
	case o.RemoveDestination,
		!o.AttributesOnly && (o.Preserve.Links && p.Dst.Nlink > 1 || !p.Follow && !p.Src.Mode.IsRegular()):
		return Remove
	}
	return WriteInto
}

// WaitsForLinks reports whether it matters which name of an entry cp finds first. That name decides what the
// copy is linked to, and other names of the entry may even be written to.
func (o *Options) WaitsForLinks(src *vfs.Attr, follow bool) bool {
	return !o.HardLink && !o.SymbolicLink &&
		(o.TracksLinks(src, follow) || !src.Mode.IsDir() && src.Nlink > 1)
}

// WaitsForOthers reports whether the existing destination may also be the destination of other entries.
// throughLink says that a link leads to the destination.
func WaitsForOthers(src, dst *vfs.Attr, throughLink bool) bool {
	return !src.Mode.IsDir() && !dst.Mode.IsDir() && (throughLink || dst.Nlink > 1)
}
