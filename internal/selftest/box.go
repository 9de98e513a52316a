package selftest

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"slices"
	"strings"
	"time"

	"psync/internal/metadata"
	"psync/internal/vfs"
)

const dirType = fs.ModeDir

// A box is the directory of one check, or one in it, and what the check does there. Its
// methods end the check when that makes no sense to go on, as those of testing.T do.
type box struct {
	*session
	dir    vfs.Dir
	out    *outcome
	opened *[]func() error // to be closed when the check ends
}

func (x *box) end(v verdict, format string, args []any) {
	x.out.verdict, x.out.why = v, fmt.Sprintf(format, args...)
	panic(ended{})
}

func (x *box) failf(format string, args ...any) { x.end(failed, format, args) }
func (x *box) skipf(format string, args ...any) { x.end(skipped, format, args) }

// notef keeps what may be of interest.
func (x *box) notef(format string, args ...any) {
	x.out.notes = append(x.out.notes, fmt.Sprintf(format, args...))
}

// must ends the check if something went wrong.
func (x *box) must(err error) {
	if err != nil {
		x.failf("%v", err)
	}
}

// able ends the check without a failure if the volume lacks something, or the user
// must not have it.
func (x *box) able(err error) {
	if errors.Is(err, errors.ErrUnsupported) || errors.Is(err, fs.ErrPermission) {
		x.skipf("%v", err)
	}
	x.must(err)
}

// refused wants an operation to have failed, and notes how.
func (x *box) refused(what string, err error) {
	if err == nil {
		x.failf("%s was allowed", what)
	}
	x.notef("%s: %v", what, reason(err))
}

// notServed skips a check where a server decides about owners, modes and ACLs: one that denies could
// not be removed any more.
func (x *box) notServed() {
	if x.volume.ServerACLs {
		x.skipf("a server decides about owners, modes and ACLs")
	}
}

// noted notes how an operation ended, and reports whether it went well.
func (x *box) noted(what string, err error) bool {
	if err != nil {
		x.notef("%s: %v", what, reason(err))
	}
	return err == nil
}

// reason returns an error without what it is about.
func reason(err error) error {
	if of := (*fs.PathError)(nil); errors.As(err, &of) {
		return of.Err
	}
	return err
}

// equal wants two values to be equal.
func equal[T comparable](x *box, what string, got, want T) {
	if got != want {
		x.failf("%s is %v, not %v", what, got, want)
	}
}

// sameTime wants a time to be what it was set to, as finely as the volume keeps times.
func (x *box) sameTime(what string, got, want time.Time) {
	if !x.about(got, want) {
		x.failf("%s is %s, not %s", what, clock(got), clock(want))
	}
}

// about reports whether two times are the same to a volume.
func (x *box) about(a, b time.Time) bool {
	return metadata.Tolerance{Granularity: max(x.tick, x.volume.Granularity, 1)}.Same(a, b)
}

func clock(t time.Time) string { return t.UTC().Format("2006-01-02T15:04:05.999999999") }

// file makes a file.
func (x *box) file(name string, perm fs.FileMode, contents string) {
	f, err := x.dir.Create(name, perm)
	x.must(err)
	_, err = f.WriteAt([]byte(contents), 0)
	x.must(errors.Join(err, f.Close()))
}

// read returns the contents of a file.
func (x *box) read(name string) string {
	f, err := x.dir.Open(name)
	x.must(err)
	defer f.Close()
	a, err := f.Stat()
	x.must(err)
	p := make([]byte, a.Size)
	n, err := f.ReadAt(p, 0)
	if err != nil && err != io.EOF {
		x.must(err)
	}
	return string(p[:n])
}

func makeDir(in vfs.Dir, name string, perm fs.FileMode) (vfs.Dir, error) {
	if err := in.Mkdir(name, perm); err != nil {
		return nil, err
	}
	return in.OpenDir(name)
}

// mkdir makes a directory and returns it.
func (x *box) mkdir(name string, perm fs.FileMode) *box {
	x.must(x.dir.Mkdir(name, perm))
	return x.within(name)
}

// within returns a directory that exists.
func (x *box) within(name string) *box {
	dir, err := x.dir.OpenDir(name)
	x.must(err)
	x.closeLater(dir.Close)
	return &box{session: x.session, dir: dir, out: x.out, opened: x.opened}
}

func (x *box) closeLater(closes func() error) { *x.opened = append(*x.opened, closes) }

// open opens a file for reading until the check ends.
func (x *box) open(name string) vfs.File {
	f, err := x.dir.Open(name)
	x.must(err)
	x.closeLater(f.Close)
	return f
}

// node returns an entry to set and read metadata of.
func (x *box) node(name string) vfs.Node {
	nd, ok := x.dir.(vfs.NodeDir)
	if !ok {
		x.skipf("no metadata at all")
	}
	n, err := nd.Node(name)
	x.must(err)
	x.closeLater(n.Close)
	return n
}

func (x *box) attr(name string) vfs.Attr {
	a, err := x.dir.Lstat(name)
	x.must(err)
	return a
}

// names lists the directory.
func (x *box) names() []string {
	var names []string
	x.must(x.dir.ReadDir(func(entries []vfs.Entry) error {
		for _, e := range entries {
			names = append(names, e.Name)
		}
		return nil
	}))
	slices.Sort(names)
	return names
}

// exists reports whether there is an entry.
func (x *box) exists(name string) bool {
	_, err := x.dir.Lstat(name)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		x.must(err)
	}
	return err == nil
}

// xattrName returns the name of an extended attribute that anybody may set.
func (x *box) xattrName(name string) string {
	if x.in() == mac {
		return "org.psync." + name
	}
	return "user.psync." + name
}

// listed joins names for messages.
func listed(names []string) string {
	if len(names) == 0 {
		return "nothing"
	}
	return strings.Join(names, ", ")
}
