package memfs_test

import (
	"errors"
	"fmt"
	"syscall"
	"testing"
	"time"

	"psync/internal/vfs"
	"psync/internal/vfs/fstest"
	"psync/internal/vfs/memfs"
	"psync/internal/vfs/memfs/kernel"
)

func TestMacLocks(t *testing.T) {
	for _, flags := range []uint32{0x2, 0x4, 0x20000, 0x40000} {
		m := user
		if flags > 0xffff {
			m = memfs.Mac{} // who could unlock it
		}
		f := fmt.Sprintf("f 644 @a=x @flags=%#x x\nnew 644", flags)
		var rules []rule
		for name, do := range map[string]func(vfs.Dir) error{
			"chmod": chmod, "chtimes": touch, "chown": func(d vfs.Dir) error { return vfs.Chown(vfs.In(d, "f"), -1, -1) },
			"setxattr": set("a", "y"), "removexattr": unset("a"), "acl": set(kernel.ACLName, string(kernel.FormatACL())),
			"setbtime": onNode("f", func(n vfs.Node) error { return vfs.SetBtime(n, long) }),
			"fork":     onNode("f", func(n vfs.Node) error { return vfs.WriteXattrAt(n, fork, nil, 0) }),
			"rewrite":  rewrite, "remove": remove, "rename": rename, "replace": replace, "link": link,
		} {
			rules = append(rules, rule{fmt.Sprintf("%#x: %s", flags, name), m, f, do, syscall.EPERM, fmt.Sprintf("f 644 @flags=%#x @a=x x\nnew 644\n", flags)})
		}
		dir := fmt.Sprintf("d/f 644\nd/ @flags=%#x\nd/sub/", flags)
		rules = append(rules,
			rule{fmt.Sprintf("%#x: unlock", flags), m, f, setFlags(0), nil, "f 644 @a=x x\nnew 644\n"},
			rule{fmt.Sprintf("%#x: remove from directory", flags), m, dir, in("d", remove), syscall.EPERM, ""},
			rule{fmt.Sprintf("%#x: rename in directory", flags), m, dir, in("d", rename), syscall.EPERM, ""},
			rule{fmt.Sprintf("%#x: replace in directory", flags), m, dir + "\nd/new 644", in("d", replace), syscall.EPERM, ""},
			rule{fmt.Sprintf("%#x: move out of directory", flags), m, dir, moveOut, syscall.EPERM, ""},
			rule{fmt.Sprintf("%#x: remove directory", flags), m, fmt.Sprintf("f/ @flags=%#x", flags), func(d vfs.Dir) error { return d.Rmdir("f") }, syscall.EPERM, ""},
			rule{fmt.Sprintf("%#x: rename directory", flags), m, fmt.Sprintf("f/ @flags=%#x", flags), rename, syscall.EPERM, ""},
			rule{fmt.Sprintf("%#x: change what is in a directory", flags), m, dir, in("d", chmod), nil, ""},
			rule{fmt.Sprintf("%#x: change of directory", flags), m, dir, func(d vfs.Dir) error { return vfs.Chtimes(vfs.In(d, "d"), long, long) }, syscall.EPERM, ""})
		var want error = syscall.EPERM
		if flags&0x40004 != 0 { // adding is appending
			want = nil
		}
		rules = append(rules,
			rule{fmt.Sprintf("%#x: make in directory", flags), m, dir, in("d", create), want, ""},
			rule{fmt.Sprintf("%#x: move into directory", flags), m, dir + "\nf 644", moveIn, want, ""},
			rule{fmt.Sprintf("%#x: make directory in directory", flags), m, dir, in("d", func(d vfs.Dir) error { return vfs.Mkdir(d, "new", 0o755) }), want, ""})
		checkRules(t, rules, fstest.WithFlags, fstest.WithXattrs)
	}
}

func TestMacFlags(t *testing.T) {
	root := memfs.Mac{}
	fat := with(func(m *memfs.Mac) { m.FAT = true })
	share := with(func(m *memfs.Mac) { m.Share = true })
	checkRules(t, []rule{
		{"those of an owner", user, "f 644", setFlags(0x800f), nil, "f 644 @flags=0x800f\n"},
		{"one of root, by an owner", user, "f 644", setFlags(0x10000), syscall.EPERM, ""},
		{"taking one of root away", user, "f 644 @flags=0x10001", setFlags(1), syscall.EPERM, ""},
		{"carrying one of root along", user, "f 644 @flags=0x10001", setFlags(0x10000), nil, "f 644 @flags=0x10000\n"},
		{"one of root, by root", root, "f 644", setFlags(0x20000), nil, "f 644 @flags=0x20000\n"},
		{"one of the system, by root", root, "f 644", setFlags(0x80000), syscall.EPERM, ""},
		{"setting compressed", user, "f 644", setFlags(0x21), nil, "f 644 @flags=0x1\n"},
		{"clearing compressed", user, "f 644 @flags=0x20", setFlags(0), nil, "f 644 @flags=0x20\n"},
		{"reading a compressed file", user, "f 644 @flags=0x20 x", read, nil, "f 644 @flags=0x20 x\n"},
		{"opening one for writing", user, "f 644 @flags=0x20 x", rewrite, nil, "f 644 x\n"},
		{"a clone of one", user, "f 644 @flags=0x20 x", func(d vfs.Dir) error { return cloneFileOf(d, "f", "g", true) }, nil, "f 644 @flags=0x20 x\ng 644 @flags=0x20 x\n"},
		{"a vault", user, "f 644", setFlags(0x80), syscall.EPERM, ""},
		{"of a link", user, "f -> x", setFlags(0x8000), nil, "f @flags=0x8000 -> x\n"},
		{"what must not be unlinked", root, "f 644 @flags=0x100000", remove, syscall.EPERM, ""},
		{"on FAT", fat, "f 644", setFlags(0x8002), nil, "f 644 @flags=0x8002\n"},
		{"on FAT, one that it does not have", fat, "f 644", setFlags(0x8003), syscall.EINVAL, "f 644\n"},
		{"on FAT, of a directory", fat, "f/", setFlags(0x8002), nil, "f/ 755 @flags=0x8000\n"},
		{"on FAT, the lock of root is that of the owner", with(func(m *memfs.Mac) { *m = memfs.Mac{FAT: true} }), "f 644", setFlags(0x20000), nil, "f 644 @flags=0x2\n"},
		{"on FAT, an archived file", fat, "f 644 @flags=0x10000", setFlags(0x18000), nil, "f 644 @flags=0x18000\n"},
		{"on FAT, an archived file that is changed", fat, "f 644 @flags=0x10000", touch, nil, "f 644\n"},
		{"on a share", share, "f 644", setFlags(0x8002), nil, "f 644 @flags=0x8002\n"},
		{"on a share, one that it does not have", share, "f 644", setFlags(0x8003), syscall.EINVAL, "f 644\n"},
		{"on a share, of a directory", share, "f/", setFlags(0x8002), nil, "f/ 755 @flags=0x8000\n"},
		{"on FAT, a locked file", fat, "f 644 @flags=0x2", remove, syscall.EPERM, "f 644 @flags=0x2\n"},
		{"reading dataless contents", user, "f 644 @flags=0x40000000 x", read, syscall.EDEADLK, ""},
		{"writing them", user, "f 644 @flags=0x40000000 x", write, syscall.EDEADLK, ""},
		{"linking them", user, "f 644 @flags=0x40000000 x", link, syscall.EDEADLK, ""},
		{"listing a dataless directory", user, "d/ 755 @flags=0x40000000", in("d", func(d vfs.Dir) error { return d.ReadDir(func([]vfs.Entry) error { return nil }) }), syscall.EDEADLK, ""},
		{"opening a dataless file", user, "f 644 @flags=0x40000000 x", rewrite, nil, ""},
		{"times of one", user, "f 644 @flags=0x40000000 x", touch, nil, ""},
		{"attributes of one", user, "f 644 @flags=0x40000000 x", set("a", "x"), nil, ""},
	}, fstest.WithFlags)
}

func TestMacTimes(t *testing.T) {
	const f = "f 644 @2020-01-01T00:00:05Z @btime=2020-01-01T00:00:03Z\n"
	chtimes := func(second int) func(vfs.Dir) error {
		return func(d vfs.Dir) error {
			return vfs.Chtimes(vfs.In(d, "f"), time.Time{}, time.Date(2020, 1, 1, 0, 0, second, 700, time.UTC))
		}
	}
	fat := with(func(m *memfs.Mac) { m.FAT = true })
	checkRules(t, []rule{
		{"a modification before birth", user, f, chtimes(1), nil, "f 644 @2020-01-01T00:00:01.0000007Z @btime=2020-01-01T00:00:01.0000007Z\n"},
		{"one after birth", user, f, chtimes(4), nil, "f 644 @2020-01-01T00:00:04.0000007Z @btime=2020-01-01T00:00:03Z\n"},
		{"a birth after modification", user, f, onNode("f", func(n vfs.Node) error { return vfs.SetBtime(n, time.Date(2020, 1, 1, 0, 0, 9, 0, time.UTC)) }), nil, "f 644 @2020-01-01T00:00:05Z @btime=2020-01-01T00:00:09Z\n"},
		{"a look at what was born after modification", user, "f 644 @2020-01-01T00:00:05Z @btime=2020-01-01T00:00:09Z", func(d vfs.Dir) error { return vfs.Chtimes(vfs.In(d, "f"), long, time.Time{}) }, nil, "f 644 @2020-01-01T00:00:05Z @btime=2020-01-01T00:00:09Z\n"},
		{"of FAT", fat, "f 644", chtimes(5), nil, "f 644 @2020-01-01T00:00:04Z\n"},
		{"birth on FAT", fat, "f 644", onNode("f", func(n vfs.Node) error { return vfs.SetBtime(n, long) }), errors.ErrUnsupported, ""},
	}, fstest.WithMtimes, fstest.WithBtimes)
}
