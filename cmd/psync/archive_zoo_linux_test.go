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

// A zoo is a tree with entries, and attributes, of every kind that Linux has. What
// there is depends on shape alone, which attributes it has on dress.
type zoo struct {
	shape, dress *rand.Rand

	root    string
	exotic  bool // as only root can make: other owners, devices, trusted attributes
	owner   int  // of everything, if it is not exotic
	entries int
	depth   int // of a chain of directories with long names
	room    int // for the extended attributes of an entry, in bytes

	dirs   []string // parents before children
	opened []int
	others []string // one name of each file, link, fifo, socket and device
}

// newZoo returns a zoo that is the same for the same seeds.
func newZoo(root string, shape, dress uint64) *zoo {
	return &zoo{
		shape: rand.New(rand.NewPCG(shape, 1)), dress: rand.New(rand.NewPCG(dress, 2)),
		root: root, exotic: isRoot(), owner: os.Geteuid(), entries: 150, room: 2000,
	}
}

// block is what all file systems here allocate at once.
const block = 4096

func choose[T any](r *rand.Rand, list ...T) T { return list[r.IntN(len(list))] }

// build makes the tree, in a directory that must not be there.
func (z *zoo) build() error {
	if err := os.Mkdir(z.root, 0o700); err != nil {
		return err
	}
	z.dirs = []string{z.root}
	if err := z.dig(); err != nil {
		return err
	}
	for range 40 {
		path := z.free(z.shape)
		if err := os.Mkdir(path, 0o700); err != nil {
			return err
		}
		z.dirs = append(z.dirs, path)
	}
	for range z.entries {
		path := z.free(z.shape)
		if err := z.make(path); err != nil {
			return &os.PathError{Op: "make", Path: path, Err: err}
		}
		z.others = append(z.others, path)
	}
	for range z.entries / 6 {
		from := choose(z.shape, z.others...)
		for range 1 + z.shape.IntN(8) {
			if err := os.Link(from, z.free(z.shape)); err != nil {
				return err
			}
		}
	}
	slices.Reverse(z.dirs)
	for _, path := range slices.Concat(z.others, z.dirs) {
		if err := z.adorn(path); err != nil {
			return &os.PathError{Op: "adorn", Path: path, Err: err}
		}
	}
	return nil
}

// dig makes directories in each other, so deep that paths to them are too long for
// system calls, and opens them. They are known by their descriptors.
func (z *zoo) dig() error {
	dir, err := unix.Open(z.root, unix.O_PATH, 0)
	z.opened = append(z.opened, dir)
	for range z.depth {
		name := strings.Repeat(string(rune('a'+z.shape.IntN(26))), 200+z.shape.IntN(56))
		if err == nil {
			err = unix.Mkdirat(dir, name, 0o700)
		}
		if err == nil {
			dir, err = unix.Openat(dir, name, unix.O_PATH, 0)
			z.opened = append(z.opened, dir)
			z.dirs = append(z.dirs, fmt.Sprintf("/proc/self/fd/%d/.", dir))
		}
	}
	return err
}

// close forgets the directories that were opened.
func (z *zoo) close() {
	for _, fd := range z.opened {
		unix.Close(fd)
	}
}

// free returns a path in any of the directories that is not taken yet.
func (z *zoo) free(r *rand.Rand) string {
	for {
		dir := choose(r, z.dirs...)
		if len(dir)-len(z.root) > 2000 {
			continue
		}
		path := filepath.Join(dir, z.name(r))
		if _, err := os.Lstat(path); err != nil {
			return path
		}
	}
}

// name returns one of few common names, so that those of two zoos meet, or an odd one.
func (z *zoo) name(r *rand.Rand) string {
	if r.IntN(100) < 75 {
		return string(rune('a' + r.IntN(26)))
	}
	return choose(r, oddNames()...)
}

// make makes an entry that is no directory.
func (z *zoo) make(path string) error {
	kinds := []uint32{unix.S_IFREG, unix.S_IFREG, unix.S_IFREG, unix.S_IFLNK, unix.S_IFIFO, unix.S_IFSOCK}
	if z.exotic {
		kinds = append(kinds, unix.S_IFCHR, unix.S_IFBLK)
	}
	switch kind := choose(z.shape, kinds...); kind {
	case unix.S_IFREG:
		return writeSparse(path, z.shape)
	case unix.S_IFLNK:
		return os.Symlink(choose(z.shape, ".", "..", "a", "b/c", "nowhere", "/nonexistent", "\xff\n", strings.Repeat("long/", 200)), path)
	case unix.S_IFCHR, unix.S_IFBLK:
		device := unix.Mkdev(choose[uint32](z.shape, 1, 7, 240, 511), choose[uint32](z.shape, 0, 3, 255, 256, 1<<18-1))
		return unix.Mknod(path, kind|0o600, int(device))
	default:
		return unix.Mknod(path, kind|0o600, 0)
	}
}

// writeSparse makes a file whose holes, zeros and data are somewhere. All of it follows
// from the size: files of the same size are the same.
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

// adorn gives an entry its attributes, in an order in which none changes another.
func (z *zoo) adorn(path string) error {
	var st unix.Stat_t
	if err := unix.Lstat(path, &st); err != nil {
		return err
	}
	kind := st.Mode & unix.S_IFMT
	r := z.dress
	ids := []int{z.owner}
	if z.exotic {
		ids = []int{0, 0, 0, 1000, nobody, 12345, 4000000000}
	}
	if err := unix.Lchown(path, choose(r, ids...), choose(r, ids...)); err != nil {
		return err
	}
	if r.IntN(3) == 0 { // while an ordinary owner still may
		if err := z.attributes(path, kind); err != nil {
			return err
		}
	}
	if kind != unix.S_IFLNK {
		if err := unix.Chmod(path, z.mode(kind)); err != nil {
			return err
		}
		if r.IntN(4) == 0 {
			if err := unix.Lsetxattr(path, "system.posix_acl_access", z.acl(), 0); err != nil {
				return fmt.Errorf("access ACL: %w", err)
			}
		}
	}
	if kind == unix.S_IFDIR && r.IntN(3) == 0 {
		if err := unix.Lsetxattr(path, "system.posix_acl_default", z.acl(), 0); err != nil {
			return fmt.Errorf("default ACL: %w", err)
		}
	}
	return unix.UtimesNanoAt(unix.AT_FDCWD, path, []unix.Timespec{z.time(), z.time()}, unix.AT_SYMLINK_NOFOLLOW)
}

// mode returns any mode, with which an ordinary user can still read what is his.
func (z *zoo) mode(kind uint32) uint32 {
	mode := choose(z.dress, 0o644, 0o755, 0o600, 0o444, 0o555, 0o2755, 0o4755, 0o6711, 0o1777, 0o7777, 0o000, z.dress.Uint32N(0o10000))
	switch {
	case z.exotic:
	case kind == unix.S_IFDIR:
		mode |= 0o500
	default:
		mode |= 0o400
	}
	return mode
}

// time returns one between 1902 and 2400.
func (z *zoo) time() unix.Timespec {
	return unix.Timespec{Sec: -2140000000 + z.dress.Int64N(15700000000), Nsec: choose(z.dress, 0, 1, 999999999, z.dress.Int64N(1e9))}
}

// acl returns a list as acl(5) says it has to be, in the form of the kernel. The owner
// can always read and search.
func (z *zoo) acl() []byte {
	const userObj, user, groupObj, group, mask, other = 0x01, 0x02, 0x04, 0x08, 0x10, 0x20
	list := []byte{2, 0, 0, 0}
	add := func(tag, perm, id uint32) {
		list = append(list, byte(tag), 0, byte(perm), 0, byte(id), byte(id>>8), byte(id>>16), byte(id>>24))
	}
	perm := func() uint32 { return z.dress.Uint32N(8) }
	const nobodyElse = 1<<32 - 1
	named := z.dress.IntN(4)
	add(userObj, 5|perm(), nobodyElse)
	for i := range named {
		add(user, perm(), uint32(100*i)+1000)
	}
	add(groupObj, perm(), nobodyElse)
	for i := range named / 2 {
		add(group, perm(), uint32(i)+7)
	}
	if named > 0 || z.dress.IntN(2) == 0 {
		add(mask, perm(), nobodyElse)
	}
	add(other, perm(), nobodyElse)
	return list
}

// attributes sets extended attributes of all the kinds that an entry may have.
func (z *zoo) attributes(path string, kind uint32) error {
	r := z.dress
	var prefixes []string
	if kind == unix.S_IFREG || kind == unix.S_IFDIR {
		prefixes = append(prefixes, "user.")
	}
	if z.exotic {
		prefixes = append(prefixes, "trusted.")
	}
	if len(prefixes) == 0 {
		return nil
	}
	room := z.room
	for i := range 1 + r.IntN(4) {
		name := choose(r, prefixes...) + choose(r, fmt.Sprint(i), "long"+strings.Repeat("n", 200), "sp ace\n\xff", "mime_type")
		value := make([]byte, choose(r, 0, 1, 16, r.IntN(300), r.IntN(z.room)))
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
	if z.exotic && kind == unix.S_IFREG && r.IntN(3) == 0 {
		// Version 2 of a capability: cap_net_raw, cap_net_bind_service, cap_chown.
		value := []byte{byte(r.IntN(2)), 0, 0, 2, byte(r.IntN(2)), 0x24, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0}
		return unix.Lsetxattr(path, "security.capability", value, 0)
	}
	return nil
}
