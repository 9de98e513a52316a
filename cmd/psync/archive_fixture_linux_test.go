package main

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"golang.org/x/sys/unix"
)

// A fixture is a tree with every kind of entry and attribute that Linux has. Its entries depend only on
// shape, and their attributes on attrs.
type fixture struct {
	shape, attrs *rand.Rand

	root    string
	exotic  bool // with what only root can make: other owners, devices, trusted attributes
	owner   int  // of everything, if it is not exotic
	entries int
	depth   int // of a chain of directories with long names
	room    int // for the extended attributes of an entry, in bytes

	dirs   []string // parents before children
	opened []int
	others []string // one name of each file, link, fifo, socket and device
}

// newFixture returns a fixture. It is the same for the same seeds.
func newFixture(root string, shape, attrs uint64) *fixture {
	return &fixture{
		shape: rand.New(rand.NewPCG(shape, 1)), attrs: rand.New(rand.NewPCG(attrs, 2)),
		root: root, exotic: isRoot(), owner: os.Geteuid(), entries: 150, room: 2000,
	}
}

// block is the allocation unit of all file systems here.
const block = 4096

func choose[T any](r *rand.Rand, list ...T) T { return list[r.IntN(len(list))] }

// build makes the tree in a directory that must not exist.
func (fx *fixture) build() error {
	if err := os.Mkdir(fx.root, 0o700); err != nil {
		return err
	}
	fx.dirs = []string{fx.root}
	if err := fx.dig(); err != nil {
		return err
	}
	for range 40 {
		path := fx.free(fx.shape)
		if err := os.Mkdir(path, 0o700); err != nil {
			return err
		}
		fx.dirs = append(fx.dirs, path)
	}
	for range fx.entries {
		path := fx.free(fx.shape)
		if err := fx.make(path); err != nil {
			return &os.PathError{Op: "make", Path: path, Err: err}
		}
		fx.others = append(fx.others, path)
	}
	for range fx.entries / 6 {
		from := choose(fx.shape, fx.others...)
		for range 1 + fx.shape.IntN(8) {
			if err := os.Link(from, fx.free(fx.shape)); err != nil {
				return err
			}
		}
	}
	slices.Reverse(fx.dirs)
	for _, path := range slices.Concat(fx.others, fx.dirs) {
		if err := fx.adorn(path); err != nil {
			return &os.PathError{Op: "adorn", Path: path, Err: err}
		}
	}
	return nil
}

// dig makes nested directories whose paths are too long for system calls, and opens them. Later steps use
// their descriptors.
func (fx *fixture) dig() error {
	dir, err := unix.Open(fx.root, unix.O_PATH, 0)
	fx.opened = append(fx.opened, dir)
	for range fx.depth {
		name := strings.Repeat(string(rune('a'+fx.shape.IntN(26))), 200+fx.shape.IntN(56))
		if err == nil {
			err = unix.Mkdirat(dir, name, 0o700)
		}
		if err == nil {
			dir, err = unix.Openat(dir, name, unix.O_PATH, 0)
			fx.opened = append(fx.opened, dir)
			fx.dirs = append(fx.dirs, fmt.Sprintf("/proc/self/fd/%d/.", dir))
		}
	}
	return err
}

// close closes the directories that were opened.
func (fx *fixture) close() {
	for _, fd := range fx.opened {
		unix.Close(fd)
	}
}

// free returns an unused path in any of the directories.
func (fx *fixture) free(r *rand.Rand) string {
	for {
		dir := choose(r, fx.dirs...)
		if len(dir)-len(fx.root) > 2000 {
			continue
		}
		path := filepath.Join(dir, fx.name(r))
		if _, err := os.Lstat(path); err != nil {
			return path
		}
	}
}

// name returns an odd name or one of few common names, so that two fixtures have names in common.
func (fx *fixture) name(r *rand.Rand) string {
	if r.IntN(100) < 75 {
		return string(rune('a' + r.IntN(26)))
	}
	return choose(r, oddNames()...)
}

// make makes an entry that is not a directory.
func (fx *fixture) make(path string) error {
	kinds := []uint32{unix.S_IFREG, unix.S_IFREG, unix.S_IFREG, unix.S_IFLNK, unix.S_IFIFO, unix.S_IFSOCK}
	if fx.exotic {
		kinds = append(kinds, unix.S_IFCHR, unix.S_IFBLK)
	}
	switch kind := choose(fx.shape, kinds...); kind {
	case unix.S_IFREG:
		return writeSparse(path, fx.shape)
	case unix.S_IFLNK:
		return os.Symlink(choose(fx.shape, ".", "..", "a", "b/c", "nowhere", "/nonexistent", "\xff\n", strings.Repeat("long/", 200)), path)
	case unix.S_IFCHR, unix.S_IFBLK:
		device := unix.Mkdev(choose[uint32](fx.shape, 1, 7, 240, 511), choose[uint32](fx.shape, 0, 3, 255, 256, 1<<18-1))
		return unix.Mknod(path, kind|0o600, int(device))
	default:
		return unix.Mknod(path, kind|0o600, 0)
	}
}

// writeSparse makes a file with holes, zeros and data. The size determines the contents, so files of the same
// size are equal.
func writeSparse(path string, chance *rand.Rand) error {
	f, err := os.OpenFile(path, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	size := choose(chance, 0, 1, chance.IntN(200), chance.IntN(20000), block*chance.IntN(30), block*chance.IntN(100)+chance.IntN(block))
	r := rand.New(rand.NewPCG(uint64(size), 3))
	hole := r.IntN(3) == 0
	for at := 0; at < size && err == nil; {
		n := min(size-at, block*(1+r.IntN(12)))
		if r.IntN(8) == 0 {
			n = min(size-at, 1+r.IntN(3*block))
		}
		data := make([]byte, n)
		if r.IntN(4) > 0 { // else they are zeros that have been written
			for i := range data {
				data[i] = byte(r.Uint32())
			}
		}
		if !hole || size < block {
			_, err = f.WriteAt(data, int64(at))
		}
		at += n
		hole = !hole && r.IntN(3) > 0
	}
	return errors.Join(err, f.Truncate(int64(size)), f.Close())
}

// adorn sets the attributes of an entry, in an order in which none changes another.
func (fx *fixture) adorn(path string) error {
	var st unix.Stat_t
	if err := unix.Lstat(path, &st); err != nil {
		return err
	}
	kind := st.Mode & unix.S_IFMT
	r := fx.attrs
	ids := []int{fx.owner}
	if fx.exotic {
		ids = []int{0, 0, 0, 1000, nobodyUID, 12345, 4000000000}
	}
	if err := unix.Lchown(path, choose(r, ids...), choose(r, ids...)); err != nil {
		return err
	}
	if r.IntN(3) == 0 { // while an ordinary owner still may
		if err := fx.attributes(path, kind); err != nil {
			return err
		}
	}
	if kind != unix.S_IFLNK {
		if err := unix.Chmod(path, fx.mode(kind)); err != nil {
			return err
		}
		if r.IntN(4) == 0 {
			if err := unix.Lsetxattr(path, "system.posix_acl_access", fx.acl(), 0); err != nil {
				return fmt.Errorf("access ACL: %w", err)
			}
		}
	}
	if kind == unix.S_IFDIR && r.IntN(3) == 0 {
		if err := unix.Lsetxattr(path, "system.posix_acl_default", fx.acl(), 0); err != nil {
			return fmt.Errorf("default ACL: %w", err)
		}
	}
	return unix.UtimesNanoAt(unix.AT_FDCWD, path, []unix.Timespec{fx.time(), fx.time()}, unix.AT_SYMLINK_NOFOLLOW)
}

// mode returns a random mode with which ordinary users can still read their own entries.
func (fx *fixture) mode(kind uint32) uint32 {
	mode := choose(fx.attrs, 0o644, 0o755, 0o600, 0o444, 0o555, 0o2755, 0o4755, 0o6711, 0o1777, 0o7777, 0o000, fx.attrs.Uint32N(0o10000))
	switch {
	case fx.exotic:
	case kind == unix.S_IFDIR:
		mode |= 0o500
	default:
		mode |= 0o400
	}
	return mode
}

// time returns a time between 1902 and 2400.
func (fx *fixture) time() unix.Timespec {
	return unix.Timespec{Sec: -2140000000 + fx.attrs.Int64N(15700000000), Nsec: choose(fx.attrs, 0, 1, 999999999, fx.attrs.Int64N(1e9))}
}

// acl returns an ACL that is valid according to acl(5), in the format of the kernel. The owner can always
// read and search.
func (fx *fixture) acl() []byte {
	const userObj, user, groupObj, group, mask, other = 0x01, 0x02, 0x04, 0x08, 0x10, 0x20
	list := []byte{2, 0, 0, 0}
	add := func(tag, perm, id uint32) {
		list = append(list, byte(tag), 0, byte(perm), 0, byte(id), byte(id>>8), byte(id>>16), byte(id>>24))
	}
	perm := func() uint32 { return fx.attrs.Uint32N(8) }
	const noID = 1<<32 - 1
	named := fx.attrs.IntN(4)
	add(userObj, 5|perm(), noID)
	for i := range named {
		add(user, perm(), uint32(100*i)+1000)
	}
	add(groupObj, perm(), noID)
	for i := range named / 2 {
		add(group, perm(), uint32(i)+7)
	}
	if named > 0 || fx.attrs.IntN(2) == 0 {
		add(mask, perm(), noID)
	}
	add(other, perm(), noID)
	return list
}

// attributes sets extended attributes of all the kinds that an entry may have.
func (fx *fixture) attributes(path string, kind uint32) error {
	r := fx.attrs
	var prefixes []string
	if kind == unix.S_IFREG || kind == unix.S_IFDIR {
		prefixes = append(prefixes, "user.")
	}
	if fx.exotic {
		prefixes = append(prefixes, "trusted.")
	}
	if len(prefixes) == 0 {
		return nil
	}
	room := fx.room
	for i := range 1 + r.IntN(4) {
		name := choose(r, prefixes...) + choose(r, fmt.Sprint(i), "long"+strings.Repeat("n", 200), "sp ace\n\xff", "mime_type")
		value := make([]byte, choose(r, 0, 1, 16, r.IntN(300), r.IntN(fx.room)))
		for j := range value {
			value[j] = byte(r.Uint32())
		}
		if room -= len(name) + len(value) + 32; room < 0 {
			break
		}
		if err := unix.Lsetxattr(path, name, value, 0); err != nil {
			return fmt.Errorf("%q: %w", name, err)
		}
	}
	if fx.exotic && kind == unix.S_IFREG && r.IntN(3) == 0 {
		// Version 2 of a capability: cap_net_raw, cap_net_bind_service, cap_chown.
		value := []byte{byte(r.IntN(2)), 0, 0, 2, byte(r.IntN(2)), 0x24, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0}
		return unix.Lsetxattr(path, "security.capability", value, 0)
	}
	return nil
}
