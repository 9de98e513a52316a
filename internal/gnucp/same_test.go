package gnucp

import (
	"errors"
	"io/fs"
	"testing"

	"psync/internal/vfs"
)

// The entries that the tables speak of: F is a file, also called F2 and led to by the link L; G is
// another file, led to by M; K is L by another name.
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
		one      bool     // by one name
		options  options
		want     verdict
	}{
		{"two files", fileF, fileG, false, options{}, goOn},
		{"two files, followed", fileF, fileG, false, options{follow: true}, goOn},
		{"a file onto itself", fileF, fileF, true, options{follow: true}, refuseSame},
		{"a file onto itself, with a backup", fileF, fileF, true, options{follow: true, backsUp: true}, refuseSame},
		{"a file onto itself, as a link", fileF, fileF, true, options{follow: true, links: true}, leaveBe},
		{"a file onto itself, removing", fileF, fileF, true, options{follow: true, removes: true}, refuseSame},
		{"two names of a file", fileF, fileF, false, options{follow: true}, refuseSame},
		{"two names of a file, with a backup", fileF, fileF, false, options{follow: true, backsUp: true}, goOn},
		{"two names of a file, removing", fileF, fileF, false, options{follow: true, removes: true}, goOn},
		{"a link onto its file", linkL, fileF, false, options{follow: true}, refuseSame},
		{"a link onto its file, with a backup", linkL, fileF, false, options{follow: true, backsUp: true}, refuseSame},
		{"a link as such onto its file", linkL, fileF, false, options{}, refuseSame},
		{"a link as such onto its file, with a backup", linkL, fileF, false, options{backsUp: true}, goOn},
		{"a link as such onto another file", linkL, fileG, false, options{}, goOn},
		{"a link as such onto its file, hard", linkL, fileF, false, options{links: true}, leaveBe},
		{"a file onto a link to it", fileF, linkL, false, options{follow: true}, refuseSame},
		{"a file onto a link to it, removing", fileF, linkL, false, options{follow: true, removes: true}, goOn},
		{"a file onto a link to it, symbolic", fileF, linkL, false, options{follow: true, slink: true}, goOn},
		{"a file onto a link to it, not followed", fileF, linkL, false, options{}, refuseSame},
		{"a file onto a link to it, hard, not followed", fileF, linkL, false, options{links: true}, goOn},
		{"a link onto itself", linkL, linkL, true, options{}, refuseSame},
		{"two names of a link", linkL, linkL, false, options{}, leaveBe},
		{"two names of a link, with a backup", linkL, linkL, false, options{backsUp: true}, goOn},
		{"two links", linkL, linkM, false, options{}, goOn},
		{"two names of a link, followed, removing", linkL, linkL, false, options{follow: true, removes: true}, goOn},
	} {
		targets := map[uint64]vfs.Attr{linkL.Ino: fileF, linkM.Ino: fileG}
		seen := func(a vfs.Attr) vfs.Attr {
			if target, ok := targets[a.Ino]; ok && c.options.follow {
				return target
			}
			return a
		}
		target := func(a vfs.Attr) func() (vfs.Attr, error) {
			return func() (vfs.Attr, error) { return targets[a.Ino], nil }
		}
		// What --link, --symbolic-link, backups and removal are about is the destination itself.
		dst := seen(c.dst)
		if c.options.backsUp || c.options.removes || c.options.links || c.options.slink {
			dst = c.dst
		}
		p := twosome{
			follow: c.options.follow, src: seen(c.src), dst: dst,
			srcItself: func() (vfs.Attr, error) { return c.src, nil }, dstItself: func() (vfs.Attr, error) { return c.dst, nil },
			srcTarget: target(c.src), dstTarget: target(c.dst),
			sameName: func() bool { return c.one },
			backsUp:  c.options.backsUp, removes: c.options.removes, links: c.options.links, slink: c.options.slink,
		}
		if got := p.judge(); got != c.want {
			t.Errorf("%s: %d, want %d", c.what, got, c.want)
		}
	}
}

// TestVanishedEntriesAreNotTheSame: what is gone cannot be lost.
func TestVanishedEntriesAreNotTheSame(t *testing.T) {
	gone := func() (vfs.Attr, error) { return vfs.Attr{}, errors.New("gone") }
	p := twosome{follow: true, src: fileF, dst: fileF, srcItself: gone, dstItself: gone}
	if got := p.judge(); got != goOn {
		t.Errorf("got %d", got)
	}
	p = twosome{src: linkL, dst: fileF, srcTarget: gone, dstTarget: gone}
	if got := p.judge(); got != goOn {
		t.Errorf("of a link that leads nowhere: got %d", got)
	}
}
