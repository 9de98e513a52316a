package main

import (
	"bytes"
	"crypto/sha256"
	"fmt"
	"io"
	"os"
	"path"
	"slices"
	"strings"

	"golang.org/x/sys/unix"
)

// An inventory holds everything about the entries of a tree, by path. It is made with system calls relative
// to descriptors, so that paths may have any length, and does not change access times, except those of links.
type inventory map[string]*item

type item struct {
	st     unix.Stat_t
	inside string // the target of a link, a sum of what is in a file
	attrs  string // extended ones, and ACLs
	peers  string // the first name of the same inode
	data   int64  // bytes that are not in holes
	worth  int64  // bytes in blocks that are to be written, because holes in their place would not be worth it
}

// fromXFS is the prefix of additional names under which XFS shows ACLs to root.
const fromXFS = "trusted.SGI_"

// takeInventory lists the tree at root. If brief is true, it does so without looking
// into files, links and attributes.
func takeInventory(root string, brief bool) (inventory, error) {
	inv := make(inventory)
	fd, err := unix.Open(root, unix.O_RDONLY|unix.O_DIRECTORY|unix.O_CLOEXEC, 0)
	if err != nil {
		return nil, &os.PathError{Op: "open", Path: root, Err: err}
	}
	defer unix.Close(fd)
	if err := inv.add(fd, ".", ".", brief); err != nil {
		return nil, err
	}
	inv.group()
	return inv, nil
}

// group determines which entries are hard links of each other.
func (inv inventory) group() {
	first := make(map[[2]uint64]string)
	for _, at := range inv.paths() {
		id := [2]uint64{inv[at].st.Dev, inv[at].st.Ino}
		if first[id] == "" {
			first[id] = at
		}
		inv[at].peers = first[id]
	}
}

func (inv inventory) paths() []string {
	var list []string
	for at := range inv {
		list = append(list, at)
	}
	slices.Sort(list)
	return list
}

func (inv inventory) add(dirfd int, name, at string, brief bool) error {
	i := new(item)
	inv[at] = i
	if err := unix.Fstatat(dirfd, name, &i.st, unix.AT_SYMLINK_NOFOLLOW); err != nil {
		return &os.PathError{Op: "lstat", Path: at, Err: err}
	}
	var err error
	if !brief {
		if i.attrs, err = attributesAt(dirfd, name); err != nil {
			return &os.PathError{Op: "getxattr", Path: at, Err: err}
		}
	}
	switch kind := i.st.Mode & unix.S_IFMT; {
	case kind == unix.S_IFDIR:
		return inv.addDir(dirfd, name, at, brief)
	case brief:
	case kind == unix.S_IFLNK:
		i.inside, err = readlink(dirfd, name)
	case kind == unix.S_IFREG:
		err = i.read(dirfd, name)
	}
	return err
}

func (inv inventory) addDir(dirfd int, name, at string, brief bool) error {
	f, err := openQuietly(dirfd, name)
	if err != nil {
		return &os.PathError{Op: "open", Path: at, Err: err}
	}
	defer f.Close()
	names, err := f.Readdirnames(-1)
	for _, name := range names {
		if err == nil {
			err = inv.add(int(f.Fd()), name, path.Join(at, name), brief)
		}
	}
	return err
}

func openQuietly(dirfd int, name string) (*os.File, error) {
	fd, err := unix.Openat(dirfd, name, unix.O_RDONLY|unix.O_NOFOLLOW|unix.O_CLOEXEC|unix.O_NOATIME, 0)
	if err == unix.EPERM {
		fd, err = unix.Openat(dirfd, name, unix.O_RDONLY|unix.O_NOFOLLOW|unix.O_CLOEXEC, 0)
	}
	return os.NewFile(uintptr(fd), name), err
}

// attributesAt returns all extended attributes, including ACLs, one per line.
func attributesAt(dirfd int, name string) (string, error) {
	fd, err := unix.Openat(dirfd, name, unix.O_PATH|unix.O_NOFOLLOW|unix.O_CLOEXEC, 0)
	if err != nil {
		return "", err
	}
	defer unix.Close(fd)
	at := fmt.Sprintf("/proc/self/fd/%d", fd)
	buf := make([]byte, 64<<10)
	n, err := unix.Listxattr(at, buf)
	if err == unix.ENOTSUP {
		return "", nil
	}
	if err != nil {
		return "", err
	}
	var lines []string
	for name := range strings.SplitSeq(strings.TrimSuffix(string(buf[:n]), "\x00"), "\x00") {
		if name == "" || strings.HasPrefix(name, fromXFS) {
			continue
		}
		value := make([]byte, 64<<10)
		n, err := unix.Getxattr(at, name, value)
		if err != nil {
			return "", fmt.Errorf("%q: %w", name, err)
		}
		lines = append(lines, fmt.Sprintf("%q=%x", name, value[:n]))
	}
	slices.Sort(lines)
	return strings.Join(lines, " "), nil
}

func (i *item) read(dirfd int, name string) error {
	f, err := openQuietly(dirfd, name)
	if err != nil {
		return err
	}
	defer f.Close()
	h := sha256.New()
	zeros := int64(0) // before the block that comes next
	for buf := make([]byte, block); ; {
		n, err := io.ReadFull(f, buf)
		h.Write(buf[:n])
		switch {
		case len(bytes.Trim(buf[:n], "\x00")) == 0:
			zeros += int64(n)
		case zeros < 16<<10:
			i.worth += zeros + block
			zeros = 0
		default:
			i.worth += block
			zeros = 0
		}
		if err == io.EOF || err == io.ErrUnexpectedEOF {
			break
		}
		if err != nil {
			return err
		}
	}
	i.inside = fmt.Sprintf("%x", h.Sum(nil)[:8])
	for end := int64(0); ; {
		start, err := unix.Seek(int(f.Fd()), end, unix.SEEK_DATA)
		if err == unix.ENXIO {
			return nil
		}
		if err == nil {
			end, err = unix.Seek(int(f.Fd()), start, unix.SEEK_HOLE)
		}
		if err != nil {
			return err
		}
		i.data += end - start
	}
}

// line describes everything of an item that a copy keeps.
func (i *item) line() string {
	kind := i.st.Mode & unix.S_IFMT
	s := fmt.Sprintf("%s %04o %d:%d %d.%09d", kinds[kind], i.st.Mode&0o7777, i.st.Uid, i.st.Gid, i.st.Mtim.Sec, i.st.Mtim.Nsec)
	if kind != unix.S_IFDIR {
		s += fmt.Sprintf(" size %d device %#x names %d with %q inside %q", i.st.Size, i.st.Rdev, i.st.Nlink, i.peers, i.inside)
	}
	return s + " " + i.attrs
}

// differs lists the differences between a copy and the expected state.
func (inv inventory) differs(copied inventory, say func(*item) string) (diff []string) {
	for _, at := range inv.paths() {
		want, got := inv[at], copied[at]
		switch {
		case got == nil:
			diff = append(diff, fmt.Sprintf("%q: not there: %s", at, say(want)))
		case say(want) != say(got):
			diff = append(diff, fmt.Sprintf("%q:\n want %s\n  got %s", at, say(want), say(got)))
		}
	}
	for _, at := range copied.paths() {
		if inv[at] == nil {
			diff = append(diff, fmt.Sprintf("%q: too much: %s", at, say(copied[at])))
		}
	}
	return diff
}

// fat lists files with more allocated space than data, or more than their sources have. File systems allocate
// the whole last block of a file. Files that existed before and were not copied do not count.
func (inv inventory) fat(source, before inventory) (diff []string) {
	for _, at := range inv.paths() {
		i, from := inv[at], source[at]
		if was := before[at]; was != nil && was.st.Ino == i.st.Ino {
			continue
		}
		if i.data > i.worth+block || from != nil && i.data > from.data+block {
			diff = append(diff, fmt.Sprintf("%q: size %d: %d bytes are allocated, %d have data, the source has %d", at, i.st.Size, i.data, i.worth, from.data))
		}
	}
	return diff
}

func accessed(i *item) string { return fmt.Sprintf("%d.%09d", i.st.Atim.Sec, i.st.Atim.Nsec) }

// touched returns the inode and change time of an entry, which change if anything is done to it.
func touched(i *item) string {
	return fmt.Sprintf("%d %d.%09d", i.st.Ino, i.st.Ctim.Sec, i.st.Ctim.Nsec)
}
