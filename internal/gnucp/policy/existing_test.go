package policy

import (
	"io/fs"
	"testing"
	"time"

	"psync/internal/vfs"
)

// known implements Facts by a table.
type known struct {
	lookups
	consent, justMade bool
}

func (k known) Consent() bool            { return k.consent }
func (k known) JustMade() bool           { return k.justMade }
func (known) Granularity() time.Duration { return 0 }

func TestExisting(t *testing.T) {
	file := vfs.Attr{Ino: 1, Nlink: 1, Mtime: time.Unix(2, 0)}
	older := vfs.Attr{Ino: 2, Nlink: 1, Mtime: time.Unix(1, 0)}
	newer := vfs.Attr{Ino: 3, Nlink: 1, Mtime: time.Unix(3, 0)}
	dir := vfs.Attr{Ino: 4, Mode: fs.ModeDir}
	otherDir := vfs.Attr{Ino: 5, Mode: fs.ModeDir, Mtime: time.Unix(9, 0)}
	for _, c := range []struct {
		what     string
		o        Options
		src, dst vfs.Attr
		f        known
		want     Action
	}{
		{"a file", Options{}, file, older, known{}, Overwrite},
		{"itself", Options{}, file, file, known{}, RefuseSameFile},
		{"itself, never overwritten", Options{Update: UpdateNone}, file, file, known{}, Skip},
		{"itself, as a link", Options{HardLink: true}, file, file, known{}, Leave},
		{"itself, as a link, not wanted", Options{HardLink: true, Interactive: true}, file, file, known{}, Skip},
		{"a file, an error if it exists", Options{Update: UpdateNoneFail}, file, older, known{}, Skip},
		{"a newer file", Options{Update: UpdateOlder}, file, newer, known{}, LeaveCurrent},
		{"an older file", Options{Update: UpdateOlder}, file, older, known{}, Overwrite},
		{"a newer file, asked", Options{Update: UpdateOlder, Interactive: true}, file, newer, known{}, LeaveCurrent},
		{"a file, asked", Options{Interactive: true}, file, older, known{}, Skip},
		{"a file, with consent", Options{Interactive: true}, file, older, known{consent: true}, Overwrite},
		{"a directory, by a directory", Options{Update: UpdateOlder}, dir, otherDir, known{}, Merge},
		{"a directory, asked", Options{Interactive: true}, dir, otherDir, known{}, Merge},
		{"a directory, by a file", Options{}, file, dir, known{}, RefuseDirectory},
		{"a file, by a directory", Options{}, dir, file, known{}, RefuseNonDirectory},
		{"what was just made", Options{}, file, older, known{justMade: true}, RefuseJustMade},
		{"what was just made, with numbered backups", Options{Backup: NumberedBackups}, file, older, known{justMade: true}, Overwrite},
	} {
		p := &Pair{Src: c.src, Dst: c.dst, Follow: true, Operand: true}
		c.f.lookups = lookups{src: c.src, dst: c.dst}
		if got := c.o.Existing(p, c.f); got != c.want {
			t.Errorf("%s: %d, want %d", c.what, got, c.want)
		}
	}
}

func TestMakeRoom(t *testing.T) {
	file, linked := vfs.Attr{Nlink: 1}, vfs.Attr{Nlink: 2}
	link := vfs.Attr{Nlink: 1, Mode: fs.ModeSymlink}
	links := Preserve{Links: true}
	for _, c := range []struct {
		what     string
		o        Options
		src, dst vfs.Attr
		dots     bool
		want     Room
	}{
		{"a file", Options{}, file, file, false, WriteInto},
		{"with a backup", Options{Backup: SimpleBackups}, file, file, false, BackUp},
		{"with a backup, by dots", Options{Backup: SimpleBackups}, file, file, true, WriteInto},
		{"to be removed", Options{RemoveDestination: true}, file, file, false, Remove},
		{"of several names", Options{}, file, linked, false, WriteInto},
		{"of several names, links preserved", Options{Preserve: links}, file, linked, false, Remove},
		{"of several names, attributes only", Options{Preserve: links, AttributesOnly: true}, file, linked, false, WriteInto},
		{"by a link", Options{}, link, file, false, Remove},
	} {
		if got := c.o.MakeRoom(&Pair{Src: c.src, Dst: c.dst}, c.dots); got != c.want {
			t.Errorf("%s: %d, want %d", c.what, got, c.want)
		}
	}
}

func TestNotOlder(t *testing.T) {
	at := func(s, ns int64) time.Time { return time.Unix(s, ns) }
	for _, c := range []struct {
		what     string
		dst, src time.Time
		kept     bool
		tick     time.Duration
		want     bool
	}{
		{"newer", at(2, 0), at(1, 0), false, 0, true},
		{"equal", at(1, 5), at(1, 5), false, 0, true},
		{"older", at(1, 0), at(1, 5), false, time.Second, false},
		{"cut off when it was kept", at(1, 0), at(1, 5), true, time.Second, true},
		{"older by more than what is cut off", at(0, 0), at(1, 5), true, time.Second, false},
		{"older, and all is kept", at(1, 0), at(1, 5), true, 0, false},
		{"cut off by FAT", at(2, 0), at(3, 999), true, 2 * time.Second, true},
	} {
		if got := notOlder(c.dst, c.src, c.kept, func() time.Duration { return c.tick }); got != c.want {
			t.Errorf("%s: %v", c.what, got)
		}
	}
}
