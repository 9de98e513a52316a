package main

import (
	"errors"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"psync/internal/campaign"
	"psync/internal/delayfs"
)

// The operations that reach a file system far away, which has 4 KiB files in
// directories in a root called tree. All come from psync, but for those of the kernel.
// RELEASE and RELEASEDIR are left out, because no process waits for them.
//
// What psync could do without is marked by (-).
var (
	begun = delayfs.Counts{
		"GETATTR": 1, // of the root of the mount
		"LOOKUP":  1, // of tree
		"STATFS":  4, // whether it is far, by cli and twice by vfs/retry; what it can do, by engine (-3)
	}
	listed = delayfs.Counts{
		"OPENDIR":     1,
		"READDIRPLUS": 2, // the names with their attributes; that there are no more
	}
	read = delayfs.Counts{
		"OPEN":  1,
		"READ":  1,
		"FLUSH": 1, // of close
	}
	written = delayfs.Counts{
		"LOOKUP":   1, // of the kernel, before it creates
		"CREATE":   1,
		"GETXATTR": 1, // of the kernel: security.capability, which writing removes
		"WRITE":    1,
		"FLUSH":    1, // of close
		"SETATTR":  1, // time, by name after closing, which could change it
	}
	made = delayfs.Counts{
		"LOOKUP":  1, // of the kernel, before it makes the directory
		"MKDIR":   1,
		"OPENDIR": 1, // to work below it; a descriptor of O_PATH would do (-)
		"SETATTR": 1, // time, when everything is in it
	}
	rootMade = with(begun, made, delayfs.Counts{
		"GETATTR":  1, // of the new root, by vfs/retry (-)
		"LOOKUP":   4, // whether tree is there, again and again, also on the way to it (-4)
		"GETXATTR": 1, // default ACL of the new root: those of directories below follow from it
	})
	chowned = delayfs.Counts{
		"SETATTR":  1, // owner
		"GETXATTR": 1, // of the kernel: security.capability, which the change of owner removes
	}
	defaultACL = delayfs.Counts{
		"GETXATTR": 1, // whether a directory that was there has one
	}
	// tried is the cost of finding out whether the names of a file system differ in case.
	tried = delayfs.Counts{
		"LOOKUP": 2, // before it is made, and in other letters
		"CREATE": 1,
		"FLUSH":  1,
		"UNLINK": 1,
	}
	xattrs = delayfs.Counts{"LISTXATTR": 1}
	probed = delayfs.Counts{
		"GETXATTR": 1, // whether the file system has attributes of users
	}
	setTime = delayfs.Counts{"SETATTR": 1}
	// looked is the cost of finding out whether a file system keeps the attributes that are set.
	looked = delayfs.Counts{"GETATTR": 1}
)

// roundTrips are the costs of each file, of each directory in the root, and once.
var roundTrips = []struct {
	name           string
	args           []string
	far            string // src or dst
	before         string // what the destination has: nothing, directories, or everything
	file, dir, run delayfs.Counts
}{
	{"copy from", []string{"copy"}, "src", "nothing", read, listed, with(begun, listed)},
	{"copy to", []string{"copy"}, "dst", "nothing", written, made, with(rootMade, looked)},
	{"copy -a from", []string{"copy", "-a"}, "src", "nothing", read, listed, with(begun, listed)},
	{"copy -a to", []string{"copy", "-a"}, "dst", "nothing", written, made, with(rootMade, looked)},
	{
		"copy -a of others' files to",
		[]string{"copy", "-a", "--chown=1:1"},
		"dst", "nothing",
		// The mode of a directory is set once more, for until it is given away only its owner may write in it.
		with(written, chowned), with(made, delayfs.Counts{"SETATTR": 1}), with(rootMade, looked, delayfs.Counts{"SETATTR": 1}),
	},
	{
		"copy -aHAX from",
		[]string{"copy", "-aHAX"},
		"src", "nothing", with(read, xattrs),
		// A directory is asked for its ACL when its copy is made, and at last for all (-1).
		with(listed, xattrs, xattrs), with(begun, listed, probed, xattrs, xattrs),
	},
	{"copy -aHAX to", []string{"copy", "-aHAX"}, "dst", "nothing", written, with(made, xattrs), with(rootMade, looked, xattrs)},
	{
		"sync of new files to",
		[]string{"sync"},
		"dst", "directories",
		written, with(listed, defaultACL, setTime), with(begun, listed, tried, looked, setTime),
	},
	{
		"copy over what is there",
		[]string{"copy"},
		"dst", "everything",
		// A file is written under another name and renamed, for which the kernel looks up the old one.
		with(written, delayfs.Counts{"LOOKUP": 1, "RENAME": 1}), with(listed, defaultACL, setTime), with(begun, listed, looked),
	},
	{"sync from, nothing to do", []string{"sync"}, "src", "everything", nil, listed, with(begun, listed)},
	{"sync to, nothing to do", []string{"sync"}, "dst", "everything", nil, listed, with(begun, listed)},
	{"sync -a from, nothing to do", []string{"sync", "-a"}, "src", "everything", nil, listed, with(begun, listed)},
	{"sync -a to, nothing to do", []string{"sync", "-a"}, "dst", "everything", nil, listed, with(begun, listed)},
	{
		"sync --delete to, nothing to do",
		[]string{"sync", "--delete"},
		"dst", "everything", nil, listed, with(begun, listed, delayfs.Counts{"LOOKUP": 1}), // tree once more, by cli (-)
	},
	{"sync -aHAX from, nothing to do", []string{"sync", "-aHAX"}, "src", "everything", xattrs, with(listed, xattrs), with(begun, listed, probed, xattrs)},
	{"sync -aHAX to, nothing to do", []string{"sync", "-aHAX"}, "dst", "everything", xattrs, with(listed, xattrs), with(begun, listed, xattrs)},
	{
		"delete",
		[]string{"delete", "-f"},
		"dst", "everything",
		delayfs.Counts{"UNLINK": 1},
		with(listed, delayfs.Counts{"RMDIR": 1}),
		delayfs.Counts{
			"GETATTR":     1, // of the root of the mount
			"LOOKUP":      1,
			"STATFS":      4, // (-3)
			"OPENDIR":     4, // twice of the root of the mount, and twice of tree (-3)
			"READDIRPLUS": 2,
			"RMDIR":       1,
		},
	},
}

// with adds counts up.
func with(counts ...delayfs.Counts) delayfs.Counts {
	sum := make(delayfs.Counts)
	for _, c := range counts {
		for op, n := range c {
			sum[op] += n
		}
	}
	return sum
}

// TestRoundTrips counts the operations that reach a far file system, for two trees of
// different sizes, so that no cost is taken for another.
func TestRoundTrips(t *testing.T) {
	sizes := []struct{ dirs, files int }{{5, 4}, {3, 2}}
	if campaign.Thorough() {
		sizes[1].dirs, sizes[1].files = 20, 20
	}
	t.Setenv("SHARE", "") // or else files are written under temporary names
	if os.Getenv("GORACE") == "" {
		t.Setenv("GORACE", "atexit_sleep_ms=0") // or else each process takes a second
	}
	for _, tt := range roundTrips {
		t.Run(tt.name, func(t *testing.T) {
			if slices.Contains(tt.args, "--chown=1:1") && os.Geteuid() != 0 {
				t.Skip("only root can give files away")
			}
			for _, size := range sizes {
				want := make(delayfs.Counts)
				for op, n := range tt.file {
					want[op] += n * size.dirs * size.files
				}
				for op, n := range tt.dir {
					want[op] += n * size.dirs
				}
				want = with(want, tt.run)
				got := tripsOf(t, tt.args, tt.far, tt.before, size.dirs, size.files)
				for _, op := range slices.Sorted(maps.Keys(with(got, want))) {
					fewer := got[op] < want[op] && !varying[op]
					if got[op] > want[op] || fewer {
						t.Errorf("%d directories of %d files take %d %s, want %d", size.dirs, size.files, got[op], op, want[op])
					}
				}
			}
		})
	}
}

// varying are operations of which there may be fewer, by the kernel or because workers
// share what they have found out. Of others fewer are wrong, too: the table is to say so.
var varying = map[string]bool{"GETXATTR": true, "GETATTR": true}

// tripsOf counts those of one run of psync.
func tripsOf(t *testing.T, args []string, far, before string, dirs, files int) delayfs.Counts {
	t.Helper()
	base := t.TempDir()
	side := func(name string) string { return filepath.Join(base, name, "tree") }
	plantFiles(t, side("src"), dirs, files)
	if err := errors.Join(os.Mkdir(filepath.Join(base, "dst"), 0o755), os.Mkdir(filepath.Join(base, "mnt"), 0o755)); err != nil {
		t.Fatal(err)
	}
	switch before {
	case "directories":
		plantFiles(t, side("dst"), dirs, 0)
	case "everything":
		runPsync(t, "copy", "-a", side("src"), side("dst"))
	}
	f, err := delayfs.Mount(filepath.Join(base, far), filepath.Join(base, "mnt"), delayfs.Options{CacheFor: time.Hour})
	if errors.Is(err, errors.ErrUnsupported) {
		t.Skip(err)
	} else if err != nil {
		t.Fatal(err)
	}
	defer func() {
		if err := f.Unmount(); err != nil {
			t.Error(err)
		}
	}()
	operands := map[string]string{"src": side("src"), "dst": side("dst")}
	operands[far] = side("mnt")
	args = slices.Clone(args)
	if args[0] != "delete" {
		args = append(args, operands["src"])
	}
	runPsync(t, append(args, operands["dst"])...)
	got := f.Counts()
	maps.DeleteFunc(got, func(op string, _ int) bool { return op == "RELEASE" || op == "RELEASEDIR" })
	return got
}

// plantFiles makes a tree of files of 4 KiB whose times are in the past.
func plantFiles(t *testing.T, root string, dirs, files int) {
	t.Helper()
	// Times of two trees must not look as if one were the other, rounded.
	old := time.Now().Add(-time.Hour).Truncate(time.Second).Add(123_456_789)
	for i := range dirs {
		dir := filepath.Join(root, fmt.Sprint(i))
		err := os.MkdirAll(dir, 0o755)
		for j := range files {
			name := filepath.Join(dir, fmt.Sprint(j))
			err = errors.Join(err, os.WriteFile(name, make([]byte, 4<<10), 0o644), os.Chtimes(name, old, old))
		}
		if err := errors.Join(err, os.Chtimes(dir, old, old)); err != nil {
			t.Fatal(err)
		}
	}
}

func runPsync(t *testing.T, args ...string) {
	t.Helper()
	if out, err := exec.Command("psync", args...).CombinedOutput(); err != nil {
		t.Fatalf("psync %v: %v: %s", args, err, out)
	}
}
