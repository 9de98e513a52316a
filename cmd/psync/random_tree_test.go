package main

import (
	"bytes"
	"errors"
	"fmt"
	"maps"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"golang.org/x/sys/unix"
)

// plant makes a tree at root. Targets of links get base in the place of @.
func (t tree) plant(root, base string) error {
	if err := os.Mkdir(root, 0o755); err != nil {
		return err
	}
	paths := t.paths()
	slices.SortStableFunc(paths, func(a, b string) int { return strings.Count(a, "/") - strings.Count(b, "/") })
	for _, at := range paths {
		if t.isName(at) {
			continue
		}
		if err := t[at].make(filepath.Join(root, at), base); err != nil {
			return err
		}
	}
	for _, at := range paths {
		if t.isName(at) {
			if err := os.Link(filepath.Join(root, t[at].first), filepath.Join(root, at)); err != nil {
				return err
			}
		}
	}
	slices.Reverse(paths) // the attributes of a directory come after what is in it
	for _, at := range paths {
		if t.isName(at) {
			continue
		}
		if err := t[at].setAttrs(filepath.Join(root, at)); err != nil {
			return err
		}
	}
	return entry{kind: 'd', mode: 0o755, time: someday}.setAttrs(root)
}

// isName reports whether an entry is another name of one that is there.
func (t tree) isName(at string) bool { return t[at].first != "" && t[t[at].first].kind == t[at].kind }

// hasNames reports whether any entry is.
func (t tree) hasNames() bool { return slices.ContainsFunc(t.paths(), t.isName) }

func (e entry) make(path, base string) error {
	switch e.kind {
	case 'd':
		return os.Mkdir(path, 0o700)
	case 'l':
		return os.Symlink(strings.Replace(e.target, "@", base, 1), path)
	case 'p':
		return unix.Mkfifo(path, 0o600)
	case 's', 'c', 'b':
		return e.makeSpecial(path)
	}
	return os.WriteFile(path, bytes.Repeat([]byte{e.fill}, e.size), 0o600)
}

func (e entry) setAttrs(path string) error {
	if os.Geteuid() == 0 {
		if err := os.Lchown(path, e.owner, e.owner); err != nil {
			return err
		}
	}
	if e.extra != nil {
		if err := e.extra.putAttrs(path); err != nil {
			return err
		}
	}
	if e.kind != 'l' {
		if err := unix.Chmod(path, e.mode); err != nil {
			return err
		}
	}
	ts, err := unix.TimeToTimespec(e.time)
	if err != nil {
		return err
	}
	accessed := ts
	if e.extra != nil {
		if accessed, err = unix.TimeToTimespec(e.extra.accessed); err == nil {
			err = e.extra.putACLs(path)
		}
		if err != nil {
			return err
		}
	}
	return unix.UtimesNanoAt(unix.AT_FDCWD, path, []unix.Timespec{accessed, ts}, unix.AT_SYMLINK_NOFOLLOW)
}

// A snapshot is the state of a tree at one moment.
type snapshot map[string]state

// A state is the state of an entry. The line describes everything that a copy keeps; the fields after it
// change if anything is done to the entry.
type state struct {
	isDir, isFile bool
	line          string
	first         string // name of the same inode, if this is another
	ino           uint64
	before, after unix.Timespec // of its last change, when the snapshot began and when it was done
}

// look takes a snapshot of the tree at root. It temporarily makes directories accessible to the owner.
func look(root string, since unix.Timespec, more func(string, unix.Stat_t) (string, error)) (snapshot, error) {
	s := make(snapshot)
	err := s.look(root, ".", since, more)
	first := make(map[uint64]string)
	for _, at := range s.union(nil) {
		e := s[at]
		if first[e.ino] == "" {
			first[e.ino] = at
		} else if more != nil {
			e.first = first[e.ino]
			s[at] = e
		}
	}
	return s, err
}

func (s snapshot) look(root, at string, since unix.Timespec, more func(string, unix.Stat_t) (string, error)) error {
	full := filepath.Join(root, at)
	var st unix.Stat_t
	if err := unix.Lstat(full, &st); err != nil {
		return &os.PathError{Op: "lstat", Path: full, Err: err}
	}
	kind := uint32(st.Mode) & unix.S_IFMT
	e := state{isDir: kind == unix.S_IFDIR, isFile: kind == unix.S_IFREG, ino: st.Ino, before: st.Ctim}
	e.line = fmt.Sprintf("%s %d:%d %s", kinds[kind], st.Uid, st.Gid, stamp(st.Mtim, since))
	if kind != unix.S_IFLNK {
		e.line += fmt.Sprintf(" %04o", st.Mode&0o7777)
	}
	var names []string
	err := opened(full, uint32(st.Mode), func() error {
		if more != nil {
			extra, err := more(full, st)
			if err != nil {
				return err
			}
			e.line += extra
		}
		switch kind {
		case unix.S_IFREG:
			data, err := os.ReadFile(full)
			e.line += fmt.Sprintf(" %d %.10q", len(data), data)
			if len(bytes.Trim(data, "x")) > 0 && len(bytes.Trim(data, "y")) > 0 {
				e.line += " mixed"
			}
			return err
		case unix.S_IFLNK:
			target, err := os.Readlink(full)
			e.line += fmt.Sprintf(" -> %q", target)
			return err
		case unix.S_IFDIR:
			f, err := os.Open(full)
			if err != nil {
				return err
			}
			defer f.Close()
			names, err = f.Readdirnames(-1)
			for _, name := range names {
				err = errors.Join(err, s.look(root, path.Join(at, name), since, more))
			}
			return err
		}
		return nil
	})
	if err == nil {
		err = unix.Lstat(full, &st)
	}
	e.after = st.Ctim
	s[at] = e
	return err
}

// opened calls f while the owner may read and search the entry at path.
func opened(path string, mode uint32, f func() error) error {
	want := uint32(0o400)
	if mode&unix.S_IFMT == unix.S_IFDIR {
		want = 0o500
	}
	if mode&unix.S_IFMT == unix.S_IFLNK || mode&want == want || os.Geteuid() == 0 {
		return f()
	}
	return errors.Join(unix.Chmod(path, mode&0o7777|want), f(), unix.Chmod(path, mode&0o7777))
}

// stamp writes a time, unless it is that of something the programs have made.
func stamp(t, since unix.Timespec) string {
	if t.Sec >= since.Sec && t.Sec < since.Sec+10000 {
		return "now"
	}
	return fmt.Sprintf("%d.%09d", t.Sec, t.Nsec)
}

// changed lists the entries that were touched between two snapshots. If lax is true, it ignores directories
// whose state is the same.
func (s snapshot) changed(later snapshot, lax bool) (diff []string) {
	for _, at := range s.union(later) {
		a, inA := s[at]
		b, inB := later[at]
		switch {
		case !inB:
			diff = append(diff, fmt.Sprintf("%q: gone: %s", at, a.line))
		case !inA:
			diff = append(diff, fmt.Sprintf("%q: new: %s", at, b.line))
		case a.line != b.line || a.first != b.first:
			diff = append(diff, fmt.Sprintf("%q: was %s, is %s", at, a.named(a.line), b.named(b.line)))
		case a.ino != b.ino || a.after != b.before && !(a.isDir && lax):
			diff = append(diff, fmt.Sprintf("%q: touched: %s", at, a.line))
		}
	}
	return diff
}

// differs lists the differences between a snapshot of psync's result and the wanted one.
func (s snapshot) differs(psync snapshot, noDirTimes bool) (diff []string) {
	for _, at := range s.union(psync) {
		a, b := s[at].line, psync[at].line
		if noDirTimes && s[at].isDir {
			a, b = withoutTime(a), withoutTime(b)
		}
		if a, b := s[at].named(a), psync[at].named(b); a != b {
			diff = append(diff, fmt.Sprintf("%q: want %q, psync has %q", at, a, b))
		}
	}
	return diff
}

func (s snapshot) union(other snapshot) []string {
	return slices.Compact(slices.Sorted(func(yield func(string) bool) {
		for _, m := range []snapshot{s, other} {
			for at := range m {
				if !yield(at) {
					return
				}
			}
		}
	}))
}

// withoutTime returns the line of a state without the time.
func withoutTime(line string) string {
	f := strings.Fields(line)
	if len(f) > 2 {
		f[2] = "-"
	}
	return strings.Join(f, " ")
}

// named adds the other name of an entry to its line.
func (e state) named(line string) string {
	if e.first == "" {
		return line
	}
	return fmt.Sprintf("%s is %q", line, e.first)
}

// dropDirs removes directories.
func (s snapshot) dropDirs() { maps.DeleteFunc(s, func(_ string, e state) bool { return e.isDir }) }

// spare gives a snapshot of what rsync made in the place of directories that
// cannot be read what was in them before, for psync removes nothing there. Their own
// attributes remain to be set when they can be.
func (s snapshot) spare(closed []string, before, psync snapshot) {
	if os.Geteuid() == 0 {
		return
	}
	for _, dir := range closed {
		if _, ok := psync[dir]; !ok || !psync[dir].isDir {
			continue
		}
		s[dir] = psync[dir]
		for at := range s {
			if strings.HasPrefix(at, dir+"/") {
				delete(s, at)
			}
		}
		for at, e := range before {
			if strings.HasPrefix(at, dir+"/") {
				e.first = psync[at].first // for other names of it may have been removed
				s[at] = e
			}
		}
		for at, e := range s {
			if first := psync[at].first; strings.HasPrefix(first, dir+"/") {
				e.first = first
				s[at] = e
			}
		}
	}
}

// forgetDirlinks leaves out the times that rsync sets of links instead of the
// directories that they lead to.
func (s snapshot) forgetDirlinks() {
	for at, e := range s {
		if strings.HasPrefix(e.line, "link ") || e.isDir && strings.HasPrefix(at, protected) {
			e.line = withoutTime(e.line)
			s[at] = e
		}
	}
}
