package main

import (
	"cmp"
	"errors"
	"fmt"
	"hash/crc32"
	"io/fs"
	"maps"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"time"

	"golang.org/x/sys/unix"
)

// A survey identifies the entries of a tree by their inodes. It keeps them open, so that no new entry can get
// the inode number of a removed one.
type survey struct {
	fds     []int
	entries []surveyed
}

// A surveyed entry is the initial state of an entry.
type surveyed struct {
	path  string
	ino   uint64
	atime unix.Timespec
}

// newSurvey makes a survey. It gives entries that were made just now a time in the past that depends on the
// path, and all entries such an access time.
func newSurvey(dir string, since unix.Timespec) (*survey, error) {
	s := new(survey)
	err := walkOpened(dir, func(full, at string) error {
		fd, err := unix.Open(full, unix.O_PATH|unix.O_NOFOLLOW|unix.O_CLOEXEC, 0)
		if err != nil {
			return err
		}
		s.fds = append(s.fds, fd)
		var st unix.Stat_t
		if err := unix.Fstat(fd, &st); err != nil {
			return err
		}
		sum := int64(crc32.ChecksumIEEE([]byte(at)))
		if stamp(st.Mtim, since) == "now" {
			st.Mtim = unix.NsecToTimespec(someday.UnixNano() - sum*int64(time.Millisecond))
		}
		st.Atim = unix.NsecToTimespec(someday.UnixNano() + sum*int64(time.Millisecond))
		s.entries = append(s.entries, surveyed{at, st.Ino, st.Atim})
		return unix.UtimesNanoAt(unix.AT_FDCWD, full, []unix.Timespec{st.Atim, st.Mtim}, unix.AT_SYMLINK_NOFOLLOW)
	})
	return s, err
}

func (s *survey) close() {
	for _, fd := range s.fds {
		unix.Close(fd)
	}
}

// order describes the order of the inodes of the entries in their directories.
func (s *survey) order() string {
	slices.SortFunc(s.entries, func(a, b surveyed) int {
		return cmp.Or(cmp.Compare(path.Dir(a.path), path.Dir(b.path)), cmp.Compare(a.ino, b.ino), cmp.Compare(a.path, b.path))
	})
	var b strings.Builder
	for _, e := range s.entries {
		fmt.Fprintf(&b, "%q\n", e.path)
	}
	return b.String()
}

// A described entry holds everything about an entry that cp may affect. Times that were set since the
// beginning of a run are "now".
type described struct {
	line    string
	special uint32 // set-id and sticky bits
	atime   string // empty if it is its own still, or if it was read, by whomever
}

// describe returns descriptions of the entries of the tree, by path.
func (s *survey) describe(dir string, since unix.Timespec) (map[string]described, error) {
	inv, err := inventoryOpened(dir)
	known := make(map[uint64]surveyed)
	for _, e := range s.entries {
		known[e.ino] = e
	}
	list := make(map[string]described)
	for at, i := range inv {
		before, old := known[i.st.Ino]
		d := described{describeItem(i, before, old, since), i.st.Mode & 0o7000, stamp(i.st.Atim, since)}
		link := i.st.Mode&unix.S_IFMT == unix.S_IFLNK && i.st.Nlink > 1 // to look at one name changes those of others
		if link || old && (d.atime == "now" || i.st.Atim == before.atime) {
			d.atime = ""
		}
		list[at] = d
	}
	return list, err
}

func describeItem(i *item, before surveyed, old bool, since unix.Timespec) string {
	kind := i.st.Mode & unix.S_IFMT
	s := fmt.Sprintf("%s %04o %d:%d %s", kinds[kind], i.st.Mode&0o777, i.st.Uid, i.st.Gid, stamp(i.st.Mtim, since))
	if old {
		s += fmt.Sprintf(" was %q", before.path)
	} else {
		s += " new"
	}
	if kind != unix.S_IFDIR {
		s += fmt.Sprintf(" size %d device %#x names %d with %q inside %q", i.st.Size, i.st.Rdev, i.st.Nlink, i.peers, i.inside)
	}
	if kind == unix.S_IFREG && i.data+block <= i.st.Size {
		s += fmt.Sprintf(" has holes and %d bytes of data", i.data)
	}
	return s + " " + i.attrs
}

func (d described) String() string {
	return strings.TrimSpace(fmt.Sprintf("%s special bits %o accessed %s", d.line, d.special, d.atime))
}

// sameAs reports whether an entry is the same in the other tree. The access time may differ if the source was
// read before for another copy, which has that time.
func (d described) sameAs(other described, list, others map[string]described) bool {
	has := func(list map[string]described, atime string) bool {
		for _, e := range list {
			if e.atime == atime {
				return true
			}
		}
		return false
	}
	if !sameSpecial(d.special, other.special) {
		return false
	}
	if strings.HasPrefix(d.line, kinds[unix.S_IFLNK]) && (d.atime == "now" || other.atime == "now") {
		return d.line == other.line // a look through a link is an access
	}
	return d.line == other.line && (d.atime == other.atime ||
		(d.atime == "now" || d.atime == "") && has(list, other.atime) ||
		(other.atime == "now" || other.atime == "") && has(others, d.atime))
}

// replaced returns two entries without what shows whether a file was replaced or written into: its inode, the
// access times of the inode, and the time of the directory.
func (d described) replaced(ours described) (described, described) {
	for _, e := range []*described{&d, &ours} {
		if strings.HasPrefix(e.line, kinds[unix.S_IFREG]) {
			e.line, e.atime = wasOrNew.ReplaceAllString(e.line, ""), ""
		}
	}
	if ours.line == ourTime(d.line) {
		d.line = ours.line
	}
	return d, ours
}

var wasOrNew = regexp.MustCompile(` new | was "(?:[^"\\]|\\.)*" `)

// ourTime returns the line of a directory that was written to.
func ourTime(line string) string {
	f := strings.SplitN(line, " ", 5)
	if len(f) < 5 || f[0] != kinds[unix.S_IFDIR] {
		return line
	}
	f[3] = "now"
	return strings.Join(f, " ")
}

// giveAway gives root's entries to the user of asuser.
func giveAway(dir string) error {
	if os.Geteuid() != 0 {
		return nil
	}
	return filepath.WalkDir(dir, func(full string, _ fs.DirEntry, err error) error {
		var st unix.Stat_t
		if err == nil {
			err = unix.Lstat(full, &st)
		}
		if err != nil || st.Uid != 0 {
			return err
		}
		if err := unix.Lchown(full, nobodyUID, nobodyUID); err != nil || st.Mode&unix.S_IFMT == unix.S_IFLNK {
			return err
		}
		return unix.Chmod(full, st.Mode&0o7777) // to keep the set-id bits
	})
}

// walkOpened calls f for the entries of a tree, directories after their entries. It makes entries accessible
// to the owner while it runs.
func walkOpened(dir string, f func(full, at string) error) error {
	closed, err := addOwnerRights(dir)
	if err != nil {
		return err
	}
	var paths []string
	err = filepath.WalkDir(dir, func(full string, _ fs.DirEntry, err error) error {
		paths = append(paths, full)
		return err
	})
	for _, full := range slices.Backward(paths) {
		if err == nil {
			err = f(full, strings.TrimPrefix(strings.TrimPrefix(full, dir), "/"))
		}
	}
	return errors.Join(err, closed.close())
}

// inventoryOpened takes the inventory of a tree with parts that may be inaccessible to the owner.
func inventoryOpened(dir string) (inventory, error) {
	closed, err := addOwnerRights(dir)
	if err != nil {
		return nil, err
	}
	inv, err := takeInventory(dir, false)
	for full, mode := range closed {
		if at, err := filepath.Rel(dir, full); err == nil && inv[at] != nil {
			inv[at].st.Mode = inv[at].st.Mode&unix.S_IFMT | mode
		}
	}
	return inv, errors.Join(err, closed.close())
}

// closed holds, by path, the original modes of entries.
type closed map[string]uint32

// addOwnerRights gives the owner access to all entries of a tree. Root does not need that.
func addOwnerRights(dir string) (closed, error) {
	c := make(closed)
	if os.Geteuid() == 0 {
		return c, nil
	}
	return c, filepath.WalkDir(dir, func(full string, e fs.DirEntry, err error) error {
		if err == nil && (e.IsDir() || e.Type().IsRegular()) {
			var st unix.Stat_t
			if err = unix.Lstat(full, &st); err == nil && st.Mode&0o500 != 0o500 && int(st.Uid) == os.Geteuid() {
				c[full] = st.Mode & 0o7777
				err = unix.Chmod(full, c[full]|0o500)
			}
		}
		return err
	})
}

func (c closed) close() (err error) {
	for _, full := range slices.Backward(slices.Sorted(maps.Keys(c))) {
		err = errors.Join(err, unix.Chmod(full, c[full]))
	}
	return err
}
