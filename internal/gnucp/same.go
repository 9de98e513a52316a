package gnucp

import (
	"io/fs"

	"psync/internal/gnucp/entry"
	"psync/internal/vfs"
)

// A verdict says what to do where source and destination may be one file.
type verdict uint8

const (
	goOn       verdict = iota
	leaveBe            // everything is as it should be
	refuseSame         // the contents would be lost
)

// A twosome is a source and what is at its destination. What the functions return is looked up when
// it matters.
type twosome struct {
	follow                bool     // links of the source
	src, dst              vfs.Attr // as far as links are followed
	srcItself, dstItself  func() (vfs.Attr, error)
	srcTarget, dstTarget  func() (vfs.Attr, error)
	sameName              func() bool // they are one entry of one directory
	backsUp               bool
	removes, links, slink bool // --remove-destination, --link, --symbolic-link
}

func isLink(a vfs.Attr) bool { return a.Mode.Type() == fs.ModeSymlink }

// judge decides. Nothing may be truncated or removed that is the only copy.
func (t *twosome) judge() verdict {
	same := t.src.ID() == t.dst.ID()
	if same && t.links {
		return leaveBe
	}
	src, dst := t.src, t.dst
	if t.follow {
		if !same {
			return goOn
		}
		var err1, err2 error
		src, err1 = t.srcItself()
		dst, err2 = t.dstItself()
		if err1 != nil || err2 != nil || isLink(src) && isLink(dst) && t.removes {
			return goOn
		}
	} else if isLink(src) && isLink(dst) {
		return t.judgeLinks(same)
	}
	if t.backsUp {
		return t.judgeBackup(src, dst)
	}
	if t.removes && (isLink(dst) || src.ID() == dst.ID() && dst.Nlink > 1 && !t.sameName()) {
		return goOn
	}
	if !isLink(src) && !isLink(dst) && src.ID() != dst.ID() || t.slink && isLink(dst) {
		return goOn
	}
	if !t.follow && !t.sameTargets(src, dst) {
		return goOn
	}
	switch {
	case t.links && !t.follow && isLink(dst):
		return goOn
	case t.links && (!t.follow || !isLink(src) && !isLink(dst)):
		return leaveBe
	}
	return refuseSame
}

// judgeLinks decides about two symbolic links that are copied as such.
func (t *twosome) judgeLinks(same bool) verdict {
	switch {
	case t.sameName():
		return refuseSame
	case same && !t.backsUp:
		return leaveBe
	}
	return goOn
}

// judgeBackup decides where the destination is renamed before anything else.
func (t *twosome) judgeBackup(src, dst vfs.Attr) verdict {
	if src.ID() == dst.ID() {
		if t.sameName() {
			return refuseSame
		}
		return goOn
	}
	if t.follow && isLink(src) && !isLink(dst) {
		return refuseSame // the source would lead nowhere
	}
	return goOn
}

// sameTargets reports whether both lead to one file, links followed. It is true where that can be seen.
func (t *twosome) sameTargets(src, dst vfs.Attr) bool {
	var err error
	if isLink(src) {
		if src, err = t.srcTarget(); err != nil {
			return false
		}
	}
	if isLink(dst) {
		if dst, err = t.dstTarget(); err != nil {
			return false
		}
	}
	return src.ID() == dst.ID()
}

// sameFile decides about the entry in hand.
func (w *worker) sameFile(it *item) verdict {
	if it.follow && it.attr.ID() != it.was.ID() {
		return goOn // as nearly always; what follows takes memory
	}
	look := func(p entry.Place, follow bool) func() (vfs.Attr, error) {
		return func() (vfs.Attr, error) { return p.At.Stat(p.Name, follow) }
	}
	t := twosome{
		follow: it.follow, src: it.attr, dst: *it.was,
		srcItself: look(it.src, false), dstItself: look(it.dst, false),
		srcTarget: look(it.src, true), dstTarget: look(it.dst, true),
		sameName: func() bool { return entry.SameName(it.src, it.dst) },
		backsUp:  w.Backup != NoBackups, removes: w.RemoveDestination, links: w.HardLink, slink: w.SymbolicLink,
	}
	return t.judge()
}
