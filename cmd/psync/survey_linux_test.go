package main

import (
	"bytes"
	"errors"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"golang.org/x/sys/unix"

	"psync/internal/localfs"
	prediction "psync/internal/selftest/survey"
	"psync/internal/vfs"
)

// TestPredictionsHold has psync-selftest predict what a copy of a tree will not keep on file systems of many kinds, makes
// the copy, and compares both trees by other means: what was predicted, and nothing else, is not there.
func TestPredictionsHold(t *testing.T) {
	if !isRoot() || !canMount() {
		t.Skip("needs root, and file systems that can be mounted")
	}
	for name, mount := range map[string]func(t *testing.T, dir string) error{
		"here":  func(*testing.T, string) error { return nil },
		"tmpfs": func(_ *testing.T, dir string) error { return unix.Mount("tmpfs", dir, "tmpfs", 0, "size=200m") },
		"ramfs": func(_ *testing.T, dir string) error { return unix.Mount("ramfs", dir, "ramfs", 0, "") },
		"ext4":  func(_ *testing.T, dir string) error { return mountExt4(dir, 300<<20) },
		"ext4 with small inodes": func(_ *testing.T, dir string) error {
			return mountImage(dir, 300<<20, "ext4", "-q", "-I", "128", "-b", "1024", "-O", "^extent,^64bit", "-N", "4000")
		},
		"xfs":   func(_ *testing.T, dir string) error { return mountImage(dir, 320<<20, "xfs", "-q") },
		"btrfs": func(_ *testing.T, dir string) error { return mountImage(dir, 320<<20, "btrfs", "-q") },
		"vfat":  func(_ *testing.T, dir string) error { return mountVFAT(dir, 200<<20) },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			src, dst := filepath.Join(openTempDir(t), "src"), openTempDir(t)
			if err := mount(t, dst); err != nil {
				_ = unix.Unmount(dst, unix.MNT_DETACH)
				t.Skipf("%s cannot be mounted here: %v", name, err)
			}
			if name != "here" {
				t.Cleanup(func() { _ = unix.Unmount(dst, unix.MNT_DETACH) })
			}
			seed := uint64(len(name))
			if err := plantOddities(src, seed); err != nil {
				t.Fatal(err)
			}
			checkPredictions(t, src, filepath.Join(dst, "copy"))
		})
	}
}

// plantOddities makes a tree with what some file systems do not keep.
func plantOddities(src string, seed uint64) error {
	fx := newFixture(src, seed, seed)
	defer fx.close()
	err := fx.build()
	at := func(name string) string { return filepath.Join(src, name) }
	for _, name := range []string{
		"case", "CASE", "caf\u00e9", "cafe\u0301", "stra\u00dfe", "STRASSE", "end.", "end ", "CON", "aux.c", "lpt1", "con3",
		"a<b", "c|d", strings.Repeat("\u4e2d", 85), strings.Repeat("\U0001f4be", 63), strings.Repeat("x", 254), "\u0416\u0301",
	} {
		err = errors.Join(err, os.WriteFile(at(name), []byte(name), 0o644))
	}
	err = errors.Join(err, os.Mkdir(at("re?fused"), 0o755), os.WriteFile(at("re?fused/in"), nil, 0o644), os.Mkdir(at("Same"), 0o755),
		os.WriteFile(at("Same/in"), nil, 0o644), os.Mkdir(at("same"), 0o755), os.WriteFile(at("same/in"), nil, 0o644))
	for _, n := range []int{600, 1000, 1023, 1024, 4000, 4095} {
		err = errors.Join(err, os.Symlink(strings.Repeat("t", n), at(fmt.Sprintf("link of %d", n))))
	}
	for n, size := range map[string]int{"little": 10, "much": 2000, "more": 3900} {
		name := at(n)
		err = errors.Join(err, os.WriteFile(name, nil, 0o644), unix.Lsetxattr(name, "user.value", bytes.Repeat([]byte("v"), size), 0))
	}
	return err
}

// checkPredictions predicts, copies and compares.
func checkPredictions(t *testing.T, src, dst string) {
	t.Helper()
	if err := os.Mkdir(dst, 0o755); err != nil {
		t.Fatal(err)
	}
	predicted, r := predictions(t, src, dst)
	if left, err := os.ReadDir(dst); err != nil || len(left) > 0 {
		t.Errorf("left behind: %v, %v", left, err)
	}
	cmd := exec.Command("psync", "copy", "-aHAX", src, dst)
	out, _ := cmd.CombinedOutput()
	if kept := cmd.ProcessState.ExitCode() == 0; !kept && r.Kept() {
		t.Errorf("everything is kept, but a copy exits with %d", cmd.ProcessState.ExitCode())
	}
	want, err := takeInventory(src, false)
	if err != nil {
		t.Fatal(err)
	}
	unread, err := takeInventory(dst, true)
	if err != nil {
		t.Fatal(err)
	}
	got, err := takeInventory(dst, false)
	if err != nil {
		t.Fatal(err)
	}
	for at, i := range unread {
		got[at].st.Blocks = i.st.Blocks // on ramfs, reading fills holes
	}
	found := lostBetween(want, got)
	for _, at := range slices.Sorted(maps.Keys(want)) {
		if p, f := predicted[at], found[at]; p != f {
			t.Errorf("%q: predicted %q, but found %q", at, p, f)
		}
	}
	if t.Failed() {
		t.Logf("psync says\n%s", out)
	}
}

// predictions returns what is predicted for each entry.
func predictions(t *testing.T, src, dst string) (map[string]string, *prediction.Result) {
	t.Helper()
	var host localfs.Host
	from, err := host.Open(src, vfs.OpenOptions{Noatime: true})
	if err != nil {
		t.Fatal(err)
	}
	defer from.Close()
	to, err := host.Open(dst, vfs.OpenOptions{})
	if err != nil {
		t.Fatal(err)
	}
	defer to.Close()
	all := make(map[string][]string)
	var mu sync.Mutex
	r, err := prediction.Run(t.Context(), prediction.Config{
		Source: from, Dest: to, User: vfs.User{}, Workers: 8,
		Found: func(path string, k prediction.Kind, _ string) {
			word, ok := map[prediction.Kind]string{
				prediction.HardLink: "links", prediction.Time: "time", prediction.Rounded: "time", prediction.Owner: "owner", prediction.Group: "group",
				prediction.Mode: "mode", prediction.SetID: "set-id", prediction.ACL: "ACL", prediction.Xattr: "attributes", prediction.Hole: "holes",
				prediction.Spelling: "lost",
			}[k]
			if !ok {
				word = "lost"
			}
			mu.Lock()
			defer mu.Unlock()
			all[path] = append(all[path], word)
		},
	})
	if err != nil {
		t.Fatal(err)
	}
	words := make(map[string]string)
	for path, list := range all {
		slices.Sort(list)
		words[path] = strings.Join(slices.Compact(list), " ")
	}
	return words, r
}

// lostBetween returns what a copy lacks of each entry.
func lostBetween(want, got inventory) map[string]string {
	lost := make(map[string]string)
	for at, i := range want {
		var list []string
		add := func(word string, differs bool) {
			if differs {
				list = append(list, word)
			}
		}
		copied := got[at]
		if copied == nil {
			lost[at] = "lost"
			continue
		}
		changed := i.st.Mode ^ copied.st.Mode
		acl, others := splitAttributes(i.attrs)
		copiedACL, copiedOthers := splitAttributes(copied.attrs)
		add("ACL", acl != copiedACL)
		add("attributes", others != copiedOthers)
		add("contents", i.inside != copied.inside || i.st.Rdev != copied.st.Rdev || changed&unix.S_IFMT != 0)
		add("group", i.st.Gid != copied.st.Gid)
		add("holes", i.data+8192 < i.st.Size && copied.st.Blocks*512 >= i.st.Size)
		add("links", i.st.Mode&unix.S_IFMT != unix.S_IFDIR && i.peers != copied.peers && got[i.peers] != nil)
		add("mode", changed&0o1777 != 0 && i.st.Mode&unix.S_IFMT != unix.S_IFLNK)
		add("owner", i.st.Uid != copied.st.Uid)
		add("set-id", changed&0o6000 != 0)
		add("time", i.st.Mtim != copied.st.Mtim)
		if list != nil {
			lost[at] = strings.Join(list, " ")
		}
	}
	return lost
}

// splitAttributes separates ACLs, but for those that say no more than the mode, from other extended attributes.
func splitAttributes(attrs string) (acls, others string) {
	const short = 2 * (4 + 3*8) // of an ACL with three entries, in hexadecimal digits
	for one := range strings.FieldsSeq(attrs) {
		name, value, _ := strings.Cut(one, "=")
		if strings.Contains(name, "system.nfs4_acl") || strings.Contains(name, "system.cifs") || strings.Contains(name, "system.smb3") {
			continue // what the client makes of the mode
		}
		switch isACL := strings.HasPrefix(path.Base(strings.Trim(name, `"`)), "system.posix_acl_"); {
		case !isACL:
			others += one + " "
		case len(value) > short || strings.Contains(name, "default"):
			acls += one + " "
		}
	}
	return acls, others
}
