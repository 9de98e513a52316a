package main

import (
	"errors"
	"flag"
	"fmt"
	"io/fs"
	"os"
	"path"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/rogpeppe/go-internal/testscript"
	"golang.org/x/sys/unix"
)

// A lister writes a tree, one line an entry:
//
//	"name" type mode uid:gid mtime size:contents-or-target-or-device-number
//
// and, if asked for, attributes and other names behind that.
//
// It makes its own system calls, relative to descriptors, so that it shares no bugs with the tested code, and
// handles paths that are too long for system calls.
type lister struct {
	noRoot, noDirs, noModes, noOwner, noTimes, noData, atimes, ctimes bool
	acls, xattrs, flagged, links, all                                 bool

	lines []string
	sums  map[[2]uint64]string   // of files with several names, by device and inode
	named map[[2]uint64][]string // the names of these
}

func (l *lister) flags(name string) *flag.FlagSet {
	fs := flag.NewFlagSet(name, flag.ContinueOnError)
	fs.BoolVar(&l.noRoot, "no-root", false, "leave out the directory itself")
	fs.BoolVar(&l.noDirs, "no-dirs", false, "leave out directories")
	fs.BoolVar(&l.noModes, "no-modes", false, "")
	fs.BoolVar(&l.noOwner, "no-owner", false, "")
	fs.BoolVar(&l.noTimes, "no-times", false, "")
	fs.BoolVar(&l.noData, "no-data", false, "leave out the contents of files, not their sizes")
	fs.BoolVar(&l.atimes, "atimes", false, "access times, too")
	fs.BoolVar(&l.ctimes, "ctimes", false, "times of the last change of any kind, and inodes, too")
	fs.BoolVar(&l.acls, "acls", false, "access control lists, as setfacl takes them")
	fs.BoolVar(&l.xattrs, "xattrs", false, "extended attributes")
	fs.BoolVar(&l.flagged, "flags", false, "flags, as lsattr writes them")
	fs.BoolVar(&l.links, "links", false, "the first of the names of what has several")
	fs.BoolVar(&l.all, "all", false, "all of these")
	return fs
}

// cmdTree writes a tree to standard output, sorted:
//
//	tree [FLAG...] DIR
func cmdTree(ts *testscript.TestScript, neg bool, args []string) {
	var l lister
	flags := l.flags("tree")
	ts.Check(flags.Parse(args))
	if neg || flags.NArg() != 1 {
		ts.Fatalf("usage: tree [FLAG...] DIR")
	}
	lines, err := l.list(ts.MkAbs(flags.Arg(0)))
	ts.Check(err)
	fmt.Fprint(ts.Stdout(), strings.Join(lines, ""))
}

// cmdSame compares two trees as the command tree writes them with the same flags. With -partly, the second
// tree may lack entries of the first. With -current, it may also have additional entries of any kind, but
// none that differs from the first tree only in its contents, because it would look current:
//
//	[!] same [-partly] [-current] [FLAG...] DIR DIR
func cmdSame(ts *testscript.TestScript, neg bool, args []string) {
	var l lister
	flags := l.flags("same")
	partly := flags.Bool("partly", false, "")
	current := flags.Bool("current", false, "")
	ts.Check(flags.Parse(args))
	if flags.NArg() != 2 {
		ts.Fatalf("usage: same [-partly] [FLAG...] DIR DIR")
	}
	a, err := l.list(ts.MkAbs(flags.Arg(0)))
	ts.Check(err)
	b, err := l.list(ts.MkAbs(flags.Arg(1)))
	ts.Check(err)
	if *current {
		b, err = l.current(ts.MkAbs(flags.Arg(0)), ts.MkAbs(flags.Arg(1)))
		ts.Check(err)
	}
	diff := missing("+", b, a)
	if !*partly && !*current {
		diff = append(diff, missing("-", a, b)...)
	}
	slices.SortFunc(diff, func(x, y string) int { return strings.Compare(x[1:], y[1:]) })
	switch {
	case neg && len(diff) == 0:
		ts.Fatalf("the trees are the same")
	case !neg && len(diff) > 0:
		ts.Fatalf("the trees differ:\n%s", strings.Join(diff[:min(40, len(diff))], ""))
	}
}

// current returns those lines of the tree at b that the tree at a has, too, but for
// the contents of files.
func (l lister) current(a, b string) ([]string, error) {
	full, err := l.list(b)
	if err != nil {
		return nil, err
	}
	l.noData = true
	looks, err := l.list(b)
	if err != nil {
		return nil, err
	}
	reference, err := l.list(a)
	var lines []string
	for i, look := range looks { // the names, which come first, put both lists into one order
		if _, found := slices.BinarySearch(reference, look); found {
			lines = append(lines, full[i])
		}
	}
	return lines, err
}

// missing returns the lines that other lacks, with a mark.
func missing(mark string, lines, other []string) (diff []string) {
	for _, line := range lines {
		if _, found := slices.BinarySearch(other, line); !found {
			diff = append(diff, mark+line)
		}
	}
	return diff
}

// list returns the sorted lines of the tree at dir.
func (l *lister) list(dir string) ([]string, error) {
	l.lines, l.sums, l.named = nil, make(map[[2]uint64]string), make(map[[2]uint64][]string)
	if l.all {
		l.acls, l.xattrs, l.flagged, l.links = true, true, true, true
	}
	fd, err := unix.Open(dir, unix.O_RDONLY|unix.O_DIRECTORY|unix.O_CLOEXEC, 0)
	if err != nil {
		return nil, &fs.PathError{Op: "open", Path: dir, Err: err}
	}
	if !l.noRoot {
		if err := l.entry(fd, ".", "."); err != nil {
			return nil, err
		}
	}
	if err := l.dir(fd, ""); err != nil {
		return nil, err
	}
	slices.Sort(l.lines)
	l.addNames()
	return l.lines, nil
}

// addNames adds to the lines of entries with several names the first of these names. The lines begin with
// their own names, so the order stays.
func (l *lister) addNames() {
	first := make(map[string]string)
	for _, names := range l.named {
		slices.Sort(names)
		for _, name := range names[:len(names)*min(1, len(names)-1)] {
			first[name] = names[0]
		}
	}
	for i, line := range l.lines {
		if name, err := strconv.QuotedPrefix(line); err == nil && first[name] != "" {
			l.lines[i] = fmt.Sprintf("%s = %s\n", strings.TrimSuffix(line, "\n"), first[name])
		}
	}
}

// dir lists the entries below the directory fd, and closes fd.
func (l *lister) dir(fd int, at string) error {
	f := os.NewFile(uintptr(fd), at)
	defer f.Close()
	names, err := f.Readdirnames(-1)
	if err != nil {
		return err
	}
	for _, name := range names {
		if err := l.entry(fd, name, path.Join(at, name)); err != nil {
			return err
		}
	}
	return nil
}

// entry lists one entry and what is below it.
func (l *lister) entry(dirfd int, name, at string) error {
	var st unix.Stat_t
	if err := unix.Fstatat(dirfd, name, &st, unix.AT_SYMLINK_NOFOLLOW); err != nil {
		return &fs.PathError{Op: "lstat", Path: at, Err: err}
	}
	kind := uint32(st.Mode) & unix.S_IFMT
	line := fmt.Sprintf("%q %s%s", at, kinds[kind], l.attributes(&st))
	var fd int
	var err error
	switch kind {
	case unix.S_IFREG:
		var data string
		data, err = l.contents(dirfd, name, &st)
		line += data
	case unix.S_IFLNK:
		var target string
		target, err = readlink(dirfd, name)
		line += fmt.Sprintf(" -> %q", target)
	case unix.S_IFDIR:
		if name != "." {
			fd, err = unix.Openat(dirfd, name, unix.O_RDONLY|unix.O_DIRECTORY|unix.O_NOFOLLOW|unix.O_CLOEXEC, 0)
		}
	case unix.S_IFCHR, unix.S_IFBLK:
		line += fmt.Sprintf(" %d:%d", unix.Major(uint64(st.Rdev)), unix.Minor(uint64(st.Rdev)))
	}
	line += l.extended(dirfd, name, kind)
	if l.links && st.Nlink > 1 && kind != unix.S_IFDIR {
		id := [2]uint64{uint64(st.Dev), st.Ino}
		l.named[id] = append(l.named[id], strconv.Quote(at))
	}
	if errors.Is(err, fs.ErrPermission) {
		line, err = line+" unreadable", nil
		fd = 0
	}
	if kind != unix.S_IFDIR || !l.noDirs {
		l.lines = append(l.lines, line+"\n")
	}
	if err != nil || fd <= 0 {
		return err
	}
	return l.dir(fd, at)
}

var kinds = map[uint32]string{
	unix.S_IFREG: "file", unix.S_IFDIR: "dir", unix.S_IFLNK: "link",
	unix.S_IFIFO: "fifo", unix.S_IFSOCK: "socket", unix.S_IFCHR: "char", unix.S_IFBLK: "block",
}

func (l *lister) attributes(st *unix.Stat_t) (s string) {
	mode := uint32(st.Mode)
	if !l.noModes && mode&unix.S_IFMT != unix.S_IFLNK {
		s += fmt.Sprintf(" %04o", mode&0o7777)
	}
	if !l.noOwner {
		s += fmt.Sprintf(" %d:%d", st.Uid, st.Gid)
	}
	const layout = " 2006-01-02T15:04:05.000000000"
	if !l.noTimes {
		s += time.Unix(st.Mtim.Unix()).UTC().Format(layout)
	}
	if l.atimes {
		s += time.Unix(st.Atim.Unix()).UTC().Format(layout)
	}
	if l.ctimes {
		s += time.Unix(st.Ctim.Unix()).UTC().Format(layout) + fmt.Sprintf(" inode %d", st.Ino)
	}
	return s
}

func readlink(dirfd int, name string) (string, error) {
	buf := make([]byte, 64<<10)
	n, err := unix.Readlinkat(dirfd, name, buf)
	return string(buf[:max(n, 0)]), err
}
