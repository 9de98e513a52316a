package policy

import (
	"errors"
	"io/fs"
	"testing"

	"psync/internal/vfs"
)

// The entries of the tables: F is a file with the second name F2, and the link L leads to it. G is another
// file, and the link M leads to it. K is another name of L.
var (
	fileF = vfs.Attr{Ino: 1, Nlink: 2}
	fileG = vfs.Attr{Ino: 2, Nlink: 1}
	linkL = vfs.Attr{Ino: 3, Nlink: 2, Mode: fs.ModeSymlink}
	linkM = vfs.Attr{Ino: 4, Nlink: 1, Mode: fs.ModeSymlink}
)

func TestSameFile(t *testing.T) {
	type options struct{ follow, backsUp, removes, links, slink bool }
	for _, c := range []struct {
		what     string
		src, dst vfs.Attr // the entries themselves
		one      bool     // source and destination have the same name
		options  options
		want     Verdict
	}{
		{"two files", fileF, fileG, false, options{}, Differ},
		{"two files, followed", fileF, fileG, false, options{follow: true}, Differ},
		{"a file onto itself", fileF, fileF, true, options{follow: true}, RefuseSame},
		{"a file onto itself, with a backup", fileF, fileF, true, options{follow: true, backsUp: true}, RefuseSame},
		{"a file onto itself, as a link", fileF, fileF, true, options{follow: true, links: true}, LeaveAsIs},
		{"a file onto itself, removing", fileF, fileF, true, options{follow: true, removes: true}, RefuseSame},
		{"two names of a file", fileF, fileF, false, options{follow: true}, RefuseSame},
		{"two names of a file, with a backup", fileF, fileF, false, options{follow: true, backsUp: true}, Differ},
		{"two names of a file, removing", fileF, fileF, false, options{follow: true, removes: true}, Differ},
		{"a link onto its file", linkL, fileF, false, options{follow: true}, RefuseSame},
		{"a link onto its file, with a backup", linkL, fileF, false, options{follow: true, backsUp: true}, RefuseSame},
		{"a link as such onto its file", linkL, fileF, false, options{}, RefuseSame},
		{"a link as such onto its file, with a backup", linkL, fileF, false, options{backsUp: true}, Differ},
		{"a link as such onto another file", linkL, fileG, false, options{}, Differ},
		{"a link as such onto its file, hard", linkL, fileF, false, options{links: true}, LeaveAsIs},
		{"a file onto a link to it", fileF, linkL, false, options{follow: true}, RefuseSame},
		{"a file onto a link to it, removing", fileF, linkL, false, options{follow: true, removes: true}, Differ},
		{"a file onto a link to it, symbolic", fileF, linkL, false, options{follow: true, slink: true}, Differ},
		{"a file onto a link to it, not followed", fileF, linkL, false, options{}, RefuseSame},
		{"a file onto a link to it, hard, not followed", fileF, linkL, false, options{links: true}, Differ},
		{"a link onto itself", linkL, linkL, true, options{}, RefuseSame},
		{"two names of a link", linkL, linkL, false, options{}, LeaveAsIs},
		{"two names of a link, with a backup", linkL, linkL, false, options{backsUp: true}, Differ},
		{"two links", linkL, linkM, false, options{}, Differ},
		{"two names of a link, followed, removing", linkL, linkL, false, options{follow: true, removes: true}, Differ},
	} {
		targets := map[uint64]vfs.Attr{linkL.Ino: fileF, linkM.Ino: fileG}
		seen := func(a vfs.Attr) vfs.Attr {
			if target, ok := targets[a.Ino]; ok && c.options.follow {
				return target
			}
			return a
		}
		// The options --link and --symbolic-link, backups and removal concern the destination itself.
		dst := seen(c.dst)
		if c.options.backsUp || c.options.removes || c.options.links || c.options.slink {
			dst = c.dst
		}
		o := Options{RemoveDestination: c.options.removes, HardLink: c.options.links, SymbolicLink: c.options.slink}
		if c.options.backsUp {
			o.Backup = SimpleBackups
		}
		p := &Pair{Src: seen(c.src), Dst: dst, Follow: c.options.follow}
		if got := o.SameFile(p, lookups{c.src, c.dst, targets, c.one}); got != c.want {
			t.Errorf("%s: %d, want %d", c.what, got, c.want)
		}
	}
}

// lookups implements Lookups by a table.
type lookups struct {
	src, dst vfs.Attr
	targets  map[uint64]vfs.Attr // of links
	one      bool
}

func (l lookups) attr(a vfs.Attr, follow bool) (vfs.Attr, error) {
	if follow {
		return l.targets[a.Ino], nil
	}
	return a, nil
}

func (l lookups) Source(follow bool) (vfs.Attr, error) { return l.attr(l.src, follow) }
func (l lookups) Dest(follow bool) (vfs.Attr, error)   { return l.attr(l.dst, follow) }
func (l lookups) SameName() bool                       { return l.one }

// vanished implements Lookups for entries that no longer exist.
type vanished struct{}

func (vanished) Source(bool) (vfs.Attr, error) { return vfs.Attr{}, errors.New("gone") }
func (vanished) Dest(bool) (vfs.Attr, error)   { return vfs.Attr{}, errors.New("gone") }
func (vanished) SameName() bool                { return false }

// TestVanishedEntriesAreNotTheSame checks vanished entries, whose contents cannot be lost.
func TestVanishedEntriesAreNotTheSame(t *testing.T) {
	var o Options
	if got := o.SameFile(&Pair{Follow: true, Src: fileF, Dst: fileF}, vanished{}); got != Differ {
		t.Errorf("got %d", got)
	}
	if got := o.SameFile(&Pair{Src: linkL, Dst: fileF}, vanished{}); got != Differ {
		t.Errorf("of a link that leads nowhere: got %d", got)
	}
}
