package policy

import (
	"time"

	"psync/internal/vfs"
)

// An Action says what becomes of an entry whose destination exists.
type Action uint8

// The actions.
const (
	Overwrite          Action = iota // as [Options.MakeRoom] says
	Merge                            // a directory with a directory
	Leave                            // as it is, and say nothing
	LeaveCurrent                     // as it is: it is not older than the source
	Skip                             // as it is: the options, or the user, want that
	RefuseSameFile                   // its contents would be lost
	RefuseNonDirectory               // it is none, and the source is a directory
	RefuseDirectory                  // it is one, and the source is none
	RefuseJustMade                   // another operand has become it
)

// Facts are found out about a source and an existing destination where they matter.
type Facts interface {
	Lookups
	Granularity() time.Duration // of the times that the destination's file system keeps; 0: nothing is cut off
	Consent() bool              // the user lets the destination be overwritten
	JustMade() bool             // another operand has become it
}

// Existing decides what becomes of an entry whose destination exists.
func (o *Options) Existing(p *Pair, f Facts) Action {
	never := o.Update == UpdateNone || o.Update == UpdateNoneFail
	verdict := Differ
	if !never && !(p.Follow && !same(&p.Src, &p.Dst)) { // as nearly always
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

// current reports whether the destination is not older than the source, which --update leaves alone.
func (o *Options) current(p *Pair, f Facts) bool {
	return notOlder(p.Dst.Mtime, p.Src.Mtime, o.Preserve.Timestamps, f.Granularity)
}

// notOlder compares times. If the destination may have got the time of the source once, what a
// file system cannot keep of that does not count.
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

// A Room says how an existing destination gives way.
type Room uint8

// The ways.
const (
	WriteInto Room = iota // it does not: it is written to
	BackUp
	Remove
)

// MakeRoom decides how an existing destination that is no directory gives way. dots says that the path of the source
// ends in "." or "..".
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

// WaitsForLinks reports whether it matters which names of an entry cp meets first: what it is linked to depends on
// that, and other names of it may even be written to.
func (o *Options) WaitsForLinks(src *vfs.Attr, follow bool) bool {
	return !o.HardLink && !o.SymbolicLink &&
		(o.TracksLinks(src, follow) || !src.Mode.IsDir() && src.Nlink > 1)
}

// WaitsForOthers reports whether what is at the destination may be that of other entries, too. throughLink says that a
// link leads there.
func WaitsForOthers(src, dst *vfs.Attr, throughLink bool) bool {
	return !src.Mode.IsDir() && !dst.Mode.IsDir() && (throughLink || dst.Nlink > 1)
}
