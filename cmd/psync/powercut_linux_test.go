package main

import (
	"bytes"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
	"unsafe"

	"golang.org/x/sys/unix"

	"psync/internal/campaign"
)

// powerCuts is the environment variable for the number of power cuts of TestPowerCuts.
const powerCuts = "CUTS"

// TestPowerCuts takes copies of a mounted image at random moments of a run and after it, as a power
// cut would leave it, and lets another run repair what is in them: it must be
// equal to the source then. Images lie in a file system that shares blocks, so that a copy of one is
// made in one moment. One round of some power cuts is made, on ext4 alone unless tests are thorough, or as many rounds
// for each kind of file system as powerCuts says.
func TestPowerCuts(t *testing.T) {
	t.Parallel()
	if !canMountXFS() {
		t.Skip("images can be mounted by root only, and xfs must be there to keep them in")
	}
	want := campaign.Size(powerCuts, 1, 1) // what one round makes
	if os.Getenv("SHARE") != "" {
		t.Skip("lending changes nothing here")
	}
	type kind struct {
		name  string
		works func() bool
	}
	kinds := []kind{{"ext4", canMountExt4}, {"xfs", canMountXFS}, {"btrfs", canMountBtrfs}}
	if !campaign.Thorough() && os.Getenv(powerCuts) == "" {
		first := slices.IndexFunc(kinds, func(k kind) bool { return k.works() }) // XFS does, as was seen above
		kinds = kinds[first : first+1]
	}
	for _, kind := range kinds {
		t.Run(kind.name, func(t *testing.T) {
			if !kind.works() {
				t.Skipf("no %s here", kind.name)
			}
			lab := newCutLab(t, kind.name)
			found := make(map[string]int)
			for seed := uint64(2); lab.cuts < (want+2)/3 && !t.Failed(); seed++ {
				lab.round(t, seed, found)
			}
			t.Logf("%d power cuts; what they left of the files: %v", lab.cuts, found)
		})
	}
}

// A cutLab holds images of one kind, and what is copied into them.
type cutLab struct {
	kind  string
	dir   string // of a file system whose files share blocks
	src   string
	image string
	mount string
	cuts  int
}

func newCutLab(t *testing.T, kind string) *cutLab {
	t.Helper()
	top := t.TempDir()
	if shm, err := os.MkdirTemp("/dev/shm", "psync-cuts"); err == nil {
		t.Cleanup(func() { os.RemoveAll(shm) })
		top = shm
	}
	l := &cutLab{kind: kind, dir: filepath.Join(top, "images"), src: filepath.Join(top, "src"), mount: filepath.Join(top, "mnt")}
	l.image = filepath.Join(l.dir, "image")
	noErrors(t, os.Mkdir(l.dir, 0o755), os.Mkdir(l.src, 0o755), os.Mkdir(l.mount, 0o755))
	outer := filepath.Join(top, "outer")
	f, err := os.Create(outer)
	noErrors(t, err, f.Truncate(16<<30), f.Close())
	mustRun(t, "mkfs.xfs", "-q", outer)
	mustRun(t, "mount", "-o", "loop", outer, l.dir)
	t.Cleanup(func() { _ = unix.Unmount(l.dir, unix.MNT_DETACH) })
	return l
}

func noErrors(t *testing.T, errs ...error) {
	t.Helper()
	for _, err := range errs {
		if err != nil {
			t.Fatal(err)
		}
	}
}

func mustRun(t *testing.T, name string, args ...string) {
	t.Helper()
	if out, err := exec.Command(name, args...).CombinedOutput(); err != nil {
		t.Fatalf("%s %s: %v\n%s", name, strings.Join(args, " "), err, out)
	}
}

// mountOn mounts an image.
func (l *cutLab) mountOn(t *testing.T, image string) {
	t.Helper()
	options := map[string]string{"ext4": "loop,commit=1", "xfs": "loop,nouuid", "btrfs": "loop,commit=1"}[l.kind]
	mustRun(t, "mount", "-t", l.kind, "-o", options, image, l.mount)
}

// waysToCopy are command lines of runs that may meet a power cut.
var waysToCopy = []struct {
	args []string
	old  bool // DST holds older files
}{
	{[]string{"copy"}, false},
	{[]string{"sync", "-a"}, true},
	{[]string{"sync", "-S"}, false},
	{[]string{"sync", "--multi-thread-streams=4", "--multi-thread-cutoff=1M"}, false},
	{[]string{"sync", "--multi-thread-streams=4", "--multi-thread-cutoff=1M"}, true},
	{[]string{"sync", "--preallocate"}, false},
	{[]string{"sync", "--inplace"}, true},
	{[]string{"sync", "-u"}, false},
	{[]string{"sync", "-S", "--inplace"}, true},
}

// round copies once, cuts the power some times meanwhile and afterwards, and checks what that left.
func (l *cutLab) round(t *testing.T, seed uint64, found map[string]int) {
	t.Helper()
	r := rand.New(rand.NewPCG(seed, 1))
	way := waysToCopy[seed%uint64(len(waysToCopy))]
	fillForCuts(t, l.src, r)
	f, err := os.Create(l.image)
	noErrors(t, err, f.Truncate(400<<20), f.Close())
	mustRun(t, "mkfs."+l.kind, append([]string{"-q"}, l.image)...)
	l.mountOn(t, l.image)
	dst := filepath.Join(l.mount, "dst")
	if way.old {
		olderFiles(t, l.src, dst, r)
	}
	done := make(chan error, 1)
	cmd := exec.Command("psync", append(way.args, "-q", "--no-progress", l.src, dst)...)
	go func() {
		out, err := cmd.CombinedOutput()
		if err != nil {
			err = fmt.Errorf("%v: %v\n%s", cmd.Args, err, out)
		}
		done <- err
	}()
	var snaps []string
	pause := func() { time.Sleep(time.Duration(r.Int64N(int64(40 * time.Millisecond)))) } // to find other moments, not to wait
	for range 2 {
		pause()
		snaps = append(snaps, l.commit(t, seed, len(snaps)))
	}
	noErrors(t, <-done)
	snaps = append(snaps, l.commit(t, seed, len(snaps)))
	written := make(chan error, 1)
	how := r.IntN(4)
	go func() { written <- writeBack(l.mount, how) }()
	for range 4 {
		pause()
		snaps = append(snaps, l.commit(t, seed, len(snaps)))
	}
	noErrors(t, <-written)
	snaps = append(snaps, l.commit(t, seed, len(snaps)))
	mustRun(t, "umount", l.mount)
	for _, image := range snaps {
		l.mountOn(t, image)
		count(t, l.src, dst, found)
		mustRun(t, "psync", append(way.args, "-q", "--no-progress", l.src, dst)...)
		if verb := way.args[0]; verb == "copy" {
			mustRun(t, "psync", "sync", "-q", "--no-progress", l.src, dst)
		}
		sameContents(t, fmt.Sprintf("seed %d, psync %s, %s", seed, strings.Join(way.args, " "), filepath.Base(image)), l.src, dst)
		mustRun(t, "umount", l.mount)
		noErrors(t, os.Remove(image))
		l.cuts++
	}
	noErrors(t, os.Remove(l.image))
}

// snap copies the image as it is now.
func (l *cutLab) snap(t *testing.T, seed uint64, n int) string {
	t.Helper()
	name := filepath.Join(l.dir, fmt.Sprintf("cut-%d-%d", seed, n))
	mustRun(t, "cp", "--reflink=always", l.image, name)
	return name
}

// commit makes the file system write its metadata, by syncing an unrelated file, and copies the image.
func (l *cutLab) commit(t *testing.T, seed uint64, n int) string {
	t.Helper()
	f, err := os.Create(filepath.Join(l.mount, "unrelated"))
	noErrors(t, err)
	_, err = f.WriteString("x")
	noErrors(t, err, f.Sync(), f.Close())
	if l.kind == "btrfs" { // whose fsync writes a log of that file only
		noErrors(t, commitBtrfs(l.mount))
	}
	return l.snap(t, seed, n)
}

// commitBtrfs commits the running transaction, and waits for no data but that of unrelated files.
func commitBtrfs(dir string) error {
	const startSync, waitSync = 0x80089418, 0x40089416 // of linux/btrfs.h
	d, err := os.Open(dir)
	if err != nil {
		return err
	}
	defer d.Close()
	var id uint64
	for _, op := range []uintptr{startSync, waitSync} {
		if _, _, errno := unix.Syscall(unix.SYS_IOCTL, d.Fd(), op, uintptr(unsafe.Pointer(&id))); errno != 0 {
			return errno
		}
	}
	return nil
}

// writeBack has the data of some or of all files written.
func writeBack(dir string, how int) error {
	if how == 0 {
		return nil
	}
	if how <= 2 {
		d, err := os.Open(dir)
		if err != nil {
			return err
		}
		defer d.Close()
		return unix.Syncfs(int(d.Fd()))
	}
	n := 0
	return filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if n++; err != nil || !d.Type().IsRegular() || n%3 != 0 {
			return err
		}
		f, err := os.Open(path)
		if err != nil {
			return err
		}
		defer f.Close()
		return unix.SyncFileRange(int(f.Fd()), 0, 1<<20, unix.SYNC_FILE_RANGE_WRITE)
	})
}

// fillForCuts makes files with and without holes, of one moment.
func fillForCuts(t *testing.T, dir string, r *rand.Rand) {
	t.Helper()
	noErrors(t, os.RemoveAll(dir), os.Mkdir(dir, 0o755))
	const kib = 1 << 10
	data := make([]byte, 256*kib)
	for i := range data {
		data[i] = byte(r.Uint32()) | 1
	}
	pieces := func(name string, size int64, runs ...int64) { // offsets and lengths
		f, err := os.Create(filepath.Join(dir, name))
		noErrors(t, err)
		for i := 0; i < len(runs); i += 2 {
			for off, end := runs[i], runs[i]+runs[i+1]; off < end; off += int64(len(data)) {
				_, err := f.WriteAt(data[:min(int64(len(data)), end-off)], off)
				noErrors(t, err)
			}
		}
		noErrors(t, f.Truncate(size), f.Close())
	}
	for i := range 20 {
		size := r.Int64N(100 * kib)
		pieces(fmt.Sprintf("small%d", i), size, 0, size)
	}
	for i := range 4 {
		size := 1 + r.Int64N(24<<20)
		pieces(fmt.Sprintf("dense%d", i), size, 0, size)
	}
	for i := range 3 {
		pieces(fmt.Sprintf("end%d", i), 4<<20, 0, 64*kib)
		pieces(fmt.Sprintf("start%d", i), 4<<20, 4<<20-64*kib, 64*kib)
		pieces(fmt.Sprintf("middle%d", i), 8<<20, 0, 1<<20, 5<<20, 3<<20)
		pieces(fmt.Sprintf("many%d", i), 8<<20, 0, 128*kib, 1<<20, 128*kib, 2<<20, 1<<20, 5<<20, 128*kib, 7<<20, 128*kib)
	}
	pieces("hole", 1<<20)
	past := time.Now().Add(-time.Hour)
	noErrors(t, filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		return os.Chtimes(path, past, past)
	}))
}

// olderFiles makes files of the same names and sizes with other contents and an older time, which are on the disk.
func olderFiles(t *testing.T, src, dst string, r *rand.Rand) {
	t.Helper()
	noErrors(t, os.Mkdir(dst, 0o755))
	entries, err := os.ReadDir(src)
	noErrors(t, err)
	for _, e := range entries {
		info, err := e.Info()
		noErrors(t, err)
		old := filepath.Join(dst, e.Name())
		noErrors(t, os.WriteFile(old, bytes.Repeat([]byte{byte(r.IntN(255))}, int(info.Size())), 0o644))
		past := time.Now().Add(-2 * time.Hour)
		noErrors(t, os.Chtimes(old, past, past))
	}
	d, err := os.Open(dst)
	noErrors(t, err)
	defer d.Close()
	noErrors(t, unix.Syncfs(int(d.Fd())))
}

// count counts the states in which a power cut has left the files.
func count(t *testing.T, src, dst string, found map[string]int) {
	t.Helper()
	entries, err := os.ReadDir(src)
	noErrors(t, err)
	for _, e := range entries {
		found[left(filepath.Join(src, e.Name()), filepath.Join(dst, e.Name()))]++
	}
}

func left(src, dst string) string {
	s, err := os.Stat(src)
	if err != nil {
		return err.Error()
	}
	d, err := os.Stat(dst)
	switch {
	case err != nil:
		return "missing"
	case d.Size() < s.Size():
		return "short"
	case !d.ModTime().Equal(s.ModTime()):
		return "of another time"
	}
	return "complete"
}

// sameContents checks that every file of src is in dst.
func sameContents(t *testing.T, what, src, dst string) {
	t.Helper()
	entries, err := os.ReadDir(src)
	noErrors(t, err)
	for _, e := range entries {
		want, err := os.ReadFile(filepath.Join(src, e.Name()))
		noErrors(t, err)
		got, err := os.ReadFile(filepath.Join(dst, e.Name()))
		if err != nil || !bytes.Equal(got, want) {
			t.Errorf("%s: %s is wrong after a power cut and another run: %v", what, e.Name(), err)
		}
	}
}
