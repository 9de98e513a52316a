package facts

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"psync/internal/localfs"
	"psync/internal/queue"
	"psync/internal/tempname"
	"psync/internal/testtmp"
	"psync/internal/vfs"
	"psync/internal/vfs/faultfs"
)

func TestMain(m *testing.M) { os.Exit(testtmp.Run(m)) }

// trees are what one host has mounted.
type trees struct {
	dst, src Tree
}

func open(t *testing.T, path, label string) Tree {
	t.Helper()
	dir, err := localfs.Host{}.Open(path, vfs.OpenOptions{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = dir.Close() })
	return Tree{label, dir}
}

// mounted returns the trees of a host that has mounted the given directories at /mnt/new and /mnt/old.
func mounted(t *testing.T, dst, src string) trees {
	t.Helper()
	return trees{dst: open(t, dst, "/mnt/new"), src: open(t, src, "/mnt/old")}
}

func (tr trees) facts(host string) (queue.Facts, error) {
	facts, err := ofTrees(tr.dst, []Tree{tr.src}, "nightly", ".temp-"+host)
	return append(queue.Facts{{Name: queue.HostFact, Value: host}}, facts...), err
}

// join has two hosts join, and returns what is said to the second one.
func join(t *testing.T, first, second trees) string {
	t.Helper()
	return joinAfter(t, first, second, func() {})
}

func joinAfter(t *testing.T, first, second trees, between func()) string {
	t.Helper()
	job, err := first.facts("mover1")
	if err != nil {
		t.Fatal(err)
	}
	between()
	facts, err := second.facts("mover2")
	if err == nil {
		err = facts.Compare(job)
	}
	if err != nil {
		return err.Error()
	}
	return ""
}

// fill makes files.
func fill(t *testing.T, dir string, names ...string) {
	t.Helper()
	for _, name := range names {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(name), 0o666); err != nil {
			t.Fatal(err)
		}
	}
}

// change makes changes of a directory until its change time is another one.
func change(t *testing.T, dir string, names ...string) {
	t.Helper()
	tree := open(t, dir, dir)
	was, err := identify(tree.Dir)
	for is := was; err == nil && is.Ctime == was.Ctime; is, err = identify(tree.Dir) {
		fill(t, dir, names...)
		extra := filepath.Join(dir, "extra")
		fill(t, dir, "extra")
		if err := os.Remove(extra); err != nil {
			t.Fatal(err)
		}
	}
	if err != nil {
		t.Fatal(err)
	}
}

func containsAll(got string, words ...string) bool {
	for _, w := range words {
		if !strings.Contains(got, w) {
			return false
		}
	}
	return true
}

func TestSameTrees(t *testing.T) {
	dst, src := t.TempDir(), t.TempDir()
	if got := join(t, mounted(t, dst, src), mounted(t, dst, src)); got != "" {
		t.Error(got)
	}
	entries, err := os.ReadDir(dst)
	if err != nil || len(entries) != 1 || entries[0].Name() != tempname.OfJob("nightly") {
		t.Errorf("DST has %v, %v", entries, err)
	}
}

// TestAnotherDestination has the second host see another directory under the path of DST, which is empty where a mount is
// missing.
func TestAnotherDestination(t *testing.T) {
	src := t.TempDir()
	got := join(t, mounted(t, t.TempDir(), src), mounted(t, t.TempDir(), src))
	if !containsAll(got, "mover2: the tree at /mnt/new is the one with the mark ", " here, and the one with the mark ", " at mover1, which began the job") {
		t.Error(got)
	}
}

// TestMarkIsLeftInNoOtherTree has a host that cannot join for several reasons.
func TestMarkIsLeftInNoOtherTree(t *testing.T) {
	dst := mounted(t, t.TempDir(), t.TempDir()).dst
	for _, tt := range []struct {
		err  error
		want int // marks that are left
	}{
		{queue.ErrClosed, 1},
		{&queue.DifferenceError{Name: "--delete", Here: queue.Given}, 1},
		{fmt.Errorf("join: %w", &queue.DifferenceError{Name: "the tree at /mnt/new", Here: "a", Job: "b"}), 0},
	} {
		if _, err := place(dst.Dir, "nightly", "temp", nil); err != nil {
			t.Fatal(err)
		}
		if err := UnmarkOther(dst, "nightly", tt.err); err != nil {
			t.Fatal(err)
		}
		left := 0
		err := dst.Dir.ReadDir(func(entries []vfs.Entry) error { left += len(entries); return nil })
		if err != nil || left != tt.want {
			t.Errorf("%v: %d marks are left, want %d; %v", tt.err, left, tt.want, err)
		}
	}
}

// TestManyRoots has as many sources, with names as long, as a mark can hold, and more.
func TestManyRoots(t *testing.T) {
	dst, src := t.TempDir(), t.TempDir()
	for i := range maxSamples {
		fill(t, src, strings.Repeat("x", 250)+strconv.Itoa(10+i))
	}
	tr := mounted(t, dst, src)
	many := slices.Repeat([]Tree{tr.src}, 120)
	for range 2 {
		if _, err := ofTrees(tr.dst, many, "nightly", "temp"); err != nil {
			t.Error(err)
		}
	}
	if _, err := ofTrees(tr.dst, slices.Repeat(many, 10), "weekly", "temp"); !errors.Is(err, queue.ErrTooLarge) {
		t.Errorf("1200 sources: %v", err)
	}
}

// TestCopyOfDestination has DST be a copy of the other one, with the mark.
func TestCopyOfDestination(t *testing.T) {
	dst, other, src := t.TempDir(), t.TempDir(), t.TempDir()
	fill(t, other, "one", "two") // so that no inode is the same by chance
	got := joinAfter(t, mounted(t, dst, src), mounted(t, other, src), func() {
		if err := os.CopyFS(other, os.DirFS(dst)); err != nil {
			t.Fatal(err)
		}
	})
	if !containsAll(got, "mover2: the tree at /mnt/new is the one with the mark ", " in inode ") {
		t.Error(got)
	}
}

// TestAnotherSource has the second host see another directory under the path of SRC: an empty one, and a copy.
func TestAnotherSource(t *testing.T) {
	dst, src, empty, twin := t.TempDir(), t.TempDir(), t.TempDir(), t.TempDir()
	fill(t, src, "a", "b")
	fill(t, twin, "a", "b")
	for _, other := range []string{empty, twin} {
		got := join(t, mounted(t, dst, src), mounted(t, dst, other))
		if !containsAll(got, "mover2: the root of /mnt/old is inode ", "mover1, which began the job") {
			t.Errorf("%s: %q", other, got)
		}
	}
}

// TestSourceInUse has SRC change between the two hosts: something is there to know it by, or not.
func TestSourceInUse(t *testing.T) {
	dst, src := t.TempDir(), t.TempDir()
	fill(t, src, "a", "b", "c")
	got := joinAfter(t, mounted(t, dst, src), mounted(t, dst, src), func() { change(t, src, "d", "a") })
	if got != "" {
		t.Error(got)
	}
	got = joinAfter(t, mounted(t, dst, src), mounted(t, dst, src), func() {
		for _, name := range []string{"a", "b", "c", "d"} {
			if err := os.Remove(filepath.Join(src, name)); err != nil {
				t.Fatal(err)
			}
		}
		change(t, src, "e")
	})
	if !containsAll(got, "the root of /mnt/old is inode ") {
		t.Errorf("a source of which nothing is left: %q", got)
	}
}

// TestSameRootInode has a volume whose root has the same inode, as those of most kinds of volumes have.
func TestSameRootInode(t *testing.T) {
	src, other := t.TempDir(), t.TempDir()
	fill(t, src, "a", "b")
	fill(t, other, "a", "b")
	first, second := open(t, src, ""), open(t, other, "")
	recorded, err := identify(first.Dir)
	if err != nil {
		t.Fatal(err)
	}
	if recorded.Entries, err = samples(first.Dir); err != nil {
		t.Fatal(err)
	}
	id, err := identify(second.Dir)
	if err != nil {
		t.Fatal(err)
	}
	id.Ino, id.Ctime = recorded.Ino, recorded.Ctime+1
	if id.isOf(second.Dir, recorded) {
		t.Error("another volume is taken for the first one")
	}
	if recorded.Ctime++; !id.isOf(second.Dir, recorded) {
		t.Error("a root with the same inode and change time is another one")
	}
	if id.Network = true; id.isOf(second.Dir, recorded) {
		t.Error("a volume of the host is taken for one on the network")
	}
}

// TestHostsJoinAtATime wants all of them to see one mark.
func TestHostsJoinAtATime(t *testing.T) {
	dst, src := t.TempDir(), t.TempDir()
	fill(t, src, "a")
	var hosts sync.WaitGroup
	all := make([]queue.Facts, 8)
	for i := range all {
		tr := mounted(t, dst, src)
		hosts.Go(func() {
			var err error
			if all[i], err = tr.facts("mover" + strconv.Itoa(i)); err != nil {
				t.Error(err)
			}
		})
	}
	hosts.Wait()
	for _, facts := range all {
		if err := facts.Compare(all[0]); err != nil {
			t.Error(err)
		}
	}
}

// TestMarkWithoutLinks has a volume that has no hard links, and one on which nothing can be made.
func TestMarkWithoutLinks(t *testing.T) {
	dst, src := t.TempDir(), t.TempDir()
	failing := func(ops ...string) trees {
		tr := mounted(t, dst, src)
		tr.dst.Dir = faultfs.New(tr.dst.Dir, func(op, _ string) error {
			for _, failing := range ops {
				if op == failing {
					return fs.ErrPermission
				}
			}
			return nil
		})
		return tr
	}
	if _, err := failing("create").facts("mover1"); !errors.Is(err, fs.ErrPermission) || !strings.HasPrefix(err.Error(), "/mnt/new: ") {
		t.Errorf("a destination in which nothing can be made: %v", err)
	}
	if got := join(t, failing("link"), failing("link")); got != "" {
		t.Error(got)
	}
	name := filepath.Join(dst, tempname.OfJob("nightly"))
	text, err := os.ReadFile(name)
	if err == nil {
		err = os.WriteFile(name, text[:len(text)/2], 0o666)
	}
	if err != nil {
		t.Fatal(err)
	}
	if _, err := mounted(t, dst, src).facts("mover2"); !errors.Is(err, ErrIncomplete) {
		t.Errorf("half a mark: %v", err)
	}
	entries, err := os.ReadDir(dst)
	if err != nil || len(entries) != 1 {
		t.Errorf("DST has %v, %v", entries, err)
	}
}

func TestUnmark(t *testing.T) {
	dst, src := t.TempDir(), t.TempDir()
	tr := mounted(t, dst, src)
	if _, err := tr.facts("mover1"); err != nil {
		t.Fatal(err)
	}
	when := time.Date(2020, 5, 5, 12, 0, 0, 0, time.UTC)
	if err := os.Chtimes(dst, when, when); err != nil {
		t.Fatal(err)
	}
	for range 2 {
		if err := Unmark(tr.dst.Dir, "nightly"); err != nil {
			t.Fatal(err)
		}
	}
	info, err := os.Stat(dst)
	if err != nil {
		t.Fatal(err)
	}
	if entries, _ := os.ReadDir(dst); len(entries) > 0 || !info.ModTime().Equal(when) {
		t.Errorf("DST has %v, changed at %v", entries, info.ModTime())
	}
}

// TestMountedVolumes has volumes in memory, of which all roots have the same inode, and the entries, too: another one with the
// same files, and none, where the mount is missing.
func TestMountedVolumes(t *testing.T) {
	dst, src := t.TempDir(), t.TempDir()
	mount := func() {
		if text, err := exec.Command("mount", "-t", "tmpfs", "-o", "size=1m", "none", src).CombinedOutput(); err != nil {
			t.Skipf("%s: %v", text, err)
		}
		fill(t, src, "a", "b")
	}
	unmount := func() {
		if text, err := exec.Command("umount", "-l", src).CombinedOutput(); err != nil {
			t.Fatalf("%s: %v", text, err)
		}
	}
	mount()
	first := mounted(t, dst, src)
	again := mounted(t, dst, src)
	unmount()
	missing := mounted(t, dst, src)
	change(t, t.TempDir(), "tick") // files that are made between two ticks of the system's clock have the same times
	mount()
	another := mounted(t, dst, src)
	unmount()
	if got := join(t, first, again); got != "" {
		t.Errorf("the same volume: %s", got)
	}
	for what, tr := range map[string]trees{"no mount": missing, "another volume": another} {
		if got := join(t, first, tr); !containsAll(got, "mover2: the root of /mnt/old is inode ", "mover1, which began the job") {
			t.Errorf("%s: %q", what, got)
		}
	}
	mount()
	first = mounted(t, src, dst)
	unmount()
	missing = mounted(t, src, dst)
	if got := join(t, first, missing); !containsAll(got, "mover2: the tree at /mnt/new is the one with the mark ") {
		t.Errorf("DST without its mount: %q", got)
	}
}
