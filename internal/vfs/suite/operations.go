package suite

import (
	"cmp"
	"io"
	"io/fs"
	"syscall"
	"time"

	"psync/internal/vfs"
	"psync/internal/vfs/fstest"
	"psync/internal/vfs/suite/effect"
)

// eachKind is a tree with an entry of each kind that an operation may be called on, and with entries that can be given
// the names of these.
const eachKind = `dangling -> nowhere
empty/ 750
file 640 precious
from/ 755
from/link -> file
from/sub/ 700
from/temp 600 new
full/ 755
full/f 644 within
link -> file
sub/ 700
temp 600 new
to-dir -> full
to-file -> file
`

// kinds are the names that each operation is called with, in a eachKind of its own.
var kinds = []string{"file", "empty", "full", "to-file", "to-dir", "dangling", "missing", "."}

// Outcomes of calling an operation, one letter for each of the kinds: a '.' is success, which only an
// optional operation may refuse as unsupported; a '?' is anything, or nothing tried for "." itself; a
// '-' is any error; and the others are one of those errors. Only success changes the tree.
var outcomes = map[byte][]error{
	'E': {fs.ErrExist},
	'M': {fs.ErrNotExist},
	'D': {syscall.EISDIR},
	'L': {syscall.ELOOP, syscall.EMLINK},
}

// An operation is a method of Dir that takes a name.
type operation struct {
	name  string
	needs vfs.Caps
	want  string      // the outcomes
	then  effect.Func // the effect of success, or nil if nothing changes
	do    call
	about string // the path in errors, or "" for the name
}

// A call calls an operation with a name.
type call func(d vfs.Dir, name string) error

// asks returns a call of a method that returns something.
func asks[T any](f func(vfs.Dir, string) (T, error)) call {
	return func(d vfs.Dir, name string) error {
		_, err := f(d, name)
		return err
	}
}

// opens returns a call of a method that opens something, which the call closes.
func opens[T io.Closer](f func(vfs.Dir, string) (T, error)) call {
	return func(d vfs.Dir, name string) error { return closed(f(d, name)) }
}

// opensFile returns a call of OpenFile, which closes the file.
func opensFile(mode vfs.OpenMode) call {
	return func(d vfs.Dir, name string) error { return closed(d.OpenFile(name, mode, 0o604)) }
}

// from returns a call of f that also gets the directory "from".
func from(f func(d, from vfs.Dir, name string) error) call {
	return func(d vfs.Dir, name string) error {
		from, err := d.OpenDir("from", vfs.NoFollow)
		if err != nil {
			return err
		}
		return vfs.JoinErrors(f(d, from, name), from.Close())
	}
}

var now = time.Unix(1_000_000_000, 0)

// operations are all operations that take a name.
var operations = []operation{
	{"Lstat", 0, "......M.", nil, asks(vfs.Lstat), ""},
	{"OpenDir", 0, "-..---M?", nil, opens(vfs.NoFollow.OpenDir), ""},
	{"OpenDir NoXDev", 0, "-..---M?", nil, opens(vfs.NoXDev.OpenDir), ""},
	{"OpenFile ReadOnly", 0, ".??---M?", nil, opensFile(vfs.ReadOnly), ""},
	{"Readlink", 0, "---...M-", nil, asks(vfs.Dir.Readlink), ""},
	{"OpenFile Create", 0, "EEEEEE.-", effect.Added(" 604"), opensFile(vfs.Create), ""},
	{"Mkdir", 0, "EEEEEE.-", effect.Added("/ 705"), func(d vfs.Dir, name string) error { return vfs.Mkdir(d, name, 0o705) }, ""},
	{"Symlink", 0, "EEEEEE.-", effect.Added(" -> target"), func(d vfs.Dir, name string) error { return vfs.Symlink(d, "target", name) }, ""},
	{"Mknod", vfs.CanMknod, "EEEEEE.-", effect.Added(" 600 (fifo)"), func(d vfs.Dir, name string) error { return vfs.Mknod(d, name, fs.ModeNamedPipe|0o600, 0) }, ""},
	{"Remove", 0, ".--...M-", effect.Removed, func(d vfs.Dir, name string) error { return d.Remove(name, nil) }, ""},
	{"Rmdir", 0, "-.----M-", effect.Removed, vfs.Dir.Rmdir, ""},
	{"Chmod", 0, "...???M?", effect.Chmodded(" 700"), func(d vfs.Dir, name string) error { return vfs.Chmod(vfs.In(d, name), 0o700) }, ""},
	{"Lchown", 0, "......M.", nil, func(d vfs.Dir, name string) error { return vfs.Chown(vfs.In(d, name), -1, -1) }, ""},
	{"Chtimes", 0, "......M.", nil, func(d vfs.Dir, name string) error { return vfs.Chtimes(vfs.In(d, name), now, time.Time{}) }, ""},

	{"Rename", 0, "......M-", effect.Renamed("", "new"), func(d vfs.Dir, name string) error { return d.Rename(name, nil, "new", nil) }, ""},
	{"Rename to the same name", 0, "......M-", nil, func(d vfs.Dir, name string) error { return d.Rename(name, nil, name, nil) }, ""},
	{"Rename of a file onto", 0, ".--....-", effect.Renamed("temp", ""), func(d vfs.Dir, name string) error { return d.Rename("temp", nil, name, nil) }, "temp"},
	{"Rename of a link onto", 0, ".--....-", effect.Renamed("link", ""), func(d vfs.Dir, name string) error { return d.Rename("link", nil, name, nil) }, "link"},
	{"Rename of a directory onto", 0, "-?----.-", effect.Renamed("sub", ""), func(d vfs.Dir, name string) error { return d.Rename("sub", nil, name, nil) }, "sub"},
	{"Rename into another directory", 0, "......M-", effect.Renamed("", "from/new"), from(func(d, to vfs.Dir, name string) error { return d.Rename(name, to, "new", nil) }), ""},
	{"Rename into the same directory", 0, "......M-", effect.Renamed("", "new"), func(d vfs.Dir, name string) error { return d.Rename(name, d, "new", nil) }, ""},
	{"Rename into the same directory to the same name", 0, "......M-", nil, func(d vfs.Dir, name string) error { return d.Rename(name, d, name, nil) }, ""},
	{"Rename of a file of another directory onto", 0, ".--....-", effect.Renamed("from/temp", ""), from(func(to, d vfs.Dir, name string) error { return d.Rename("temp", to, name, nil) }), "temp"},
	{"Rename of a link of another directory onto", 0, ".--....-", effect.Renamed("from/link", ""), from(func(to, d vfs.Dir, name string) error { return d.Rename("link", to, name, nil) }), "link"},
	{"Rename of a directory of another directory onto", 0, "-?----.-", effect.Renamed("from/sub", ""), from(func(to, d vfs.Dir, name string) error { return d.Rename("sub", to, name, nil) }), "sub"},
	{"Link", vfs.CanLink, ".--...M-", effect.Linked("", "new"), func(d vfs.Dir, name string) error { return d.Link(d, name, "new") }, "new"},
	{"Link to", vfs.CanLink, "EEEEEE.-", effect.Linked("temp", ""), func(d vfs.Dir, name string) error { return d.Link(d, "temp", name) }, ""},
	{"Link from another directory to", vfs.CanLink, "EEEEEE.-", effect.Linked("from/temp", ""), from(func(d, old vfs.Dir, name string) error { return d.Link(old, "temp", name) }), ""},

	{"Stat", 0, ".....MM.", nil, asks(func(d vfs.Dir, name string) (vfs.Attr, error) { return d.Statx(name, vfs.StatxFollow) }), ""},
	{"OpenDir, following", 0, "-..-.MM?", nil, opens(vfs.Follow.OpenDir), ""},
	{"OpenFile ReadFollow", 0, ".??.?MM?", nil, opensFile(vfs.ReadFollow), ""},
	{"OpenFile ReadWrite", 0, ".-----M-", nil, opensFile(vfs.ReadWrite), ""},
	{"OpenFile OpenCreate", vfs.CanOpenCreate, ".DDLLL.-", effect.Added(" 604"), opensFile(vfs.OpenCreate), ""},

	{"Node.Stat", vfs.CanNode, "......M.", nil, fstest.OnNode(func(n vfs.Node) error { _, err := vfs.Stat(n); return err }), ""},
	{"Node.Chown", vfs.CanNode, "......M.", nil, fstest.OnNode(func(n vfs.Node) error { return vfs.Chown(n, -1, -1) }), ""},
	{"Node.Chmod", vfs.CanNode, "...???M?", effect.Chmodded(" 700"), fstest.OnNode(func(n vfs.Node) error { return vfs.Chmod(n, 0o700) }), ""},
	{"Node.Chtimes", vfs.CanNode, "......M.", nil, fstest.OnNode(func(n vfs.Node) error { return vfs.Chtimes(n, now, time.Time{}) }), ""},
	{"Node.Flags", vfs.CanNode, "??????M?", nil, fstest.OnNode(func(n vfs.Node) error { _, err := n.Flags(); return err }), ""},
	{"Node.SetFlags", vfs.CanNode, "??????M?", nil, fstest.OnNode(func(n vfs.Node) error { return vfs.SetFlags(n, 0) }), ""},
	{"Node.Xattrs", vfs.CanNode, "??????M?", nil, fstest.OnNode(func(n vfs.Node) error { _, err := n.Xattrs(true); return err }), ""},
	{"Node.Xattr", vfs.CanNode, "------M-", nil, fstest.OnNode(func(n vfs.Node) error { _, err := n.Xattr("user.a"); return err }), ""},
	{"Node.SetXattr", vfs.CanNode, "??????M?", nil, fstest.OnNode(func(n vfs.Node) error { return cmp.Or(vfs.SetXattr(n, "user.a", nil), vfs.RemoveXattr(n, "user.a")) }), ""},
	{"Node.RemoveXattr", vfs.CanNode, "------M-", nil, fstest.OnNode(func(n vfs.Node) error { return vfs.RemoveXattr(n, "user.a") }), ""},
}
