package main

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/sys/unix"

	"psync/internal/campaign"
	"psync/internal/localfs"
	"psync/internal/vfs/fstest"
)

// killedSource and killedDest are the trees that runs are killed in.
const (
	killedSource = `
		./ 755 @2001-01-01T00:00:00Z
		a 644 "the new contents"
		b 444 "b"*50000
		dir/c 600 "c"*3000
		dir/d (= dir/c)
		dir/sub/ 555 @2002-02-02T02:02:02Z
		dir/sub/e 640 e
		link -> a
		new/ 700
		new/f 644 f
	`
	killedDest = `
		a 644 @1999-01-01T00:00:00Z "the old contents"
		dir/c 644 @1999-01-01T00:00:00Z longer
		dir/d 644 @1999-01-01T00:00:00Z d
		dir/extra/x 644 x
		link -> b
		new 644 @1999-01-01T00:00:00Z "in the way"
	`
	killedOlder = `
		a 4644 @1999-01-01T00:00:00Z @user.x=y "the old contents"
		b 644 @1999-01-01T00:00:00Z b
		dir/c 644 @1999-01-01T00:00:00Z longer
		dir/d 644 @1999-01-01T00:00:00Z d
	`
)

// TestKilledAtEveryCall kills psync before each system call that changes files, in turn. No partial file may
// look complete, and running the same command again must complete the tree and leave nothing else behind. The
// test takes every ninth call, and all calls if tests are thorough.
func TestKilledAtEveryCall(t *testing.T) {
	step := 9
	if campaign.Thorough() {
		step = 1
	}
	for _, c := range []struct {
		args, dest string
		same       func(*item) string
	}{
		{"copy -aH", "", (*item).line},
		{"sync -aH", "", (*item).line},
		{"sync -aH --delete", killedDest, (*item).line},
		{"sync -aH --delete -u", killedDest, (*item).line},
		{"sync -aH --delete --inplace", killedDest, (*item).line},
		{"sync -aH --delete -T ../temp", killedDest, (*item).line},
		{"cp -auT", "", filesOf},
		{"cp -auT", killedOlder, filesOf},
		{"cp -ruT", killedOlder, contentsOf},
		{"cp -rnT", "", contentsOf},
	} {
		t.Run(c.args, func(t *testing.T) {
			t.Parallel()
			for n := 0; killAt(t, n, strings.Fields(c.args), c.dest, c.same); n += step {
				if t.Failed() {
					t.Logf("killed before call %d", n)
					return
				}
			}
		})
	}
}

// killAt kills a run before its nth call, and runs the command again. It returns false if the run ended
// before that call.
func killAt(t *testing.T, n int, args []string, dest string, same func(*item) string) bool {
	t.Helper()
	dir := t.TempDir()
	defer func() {
		if err := removeAll(dir); err != nil {
			t.Error(err)
		}
	}()
	src, dst := filepath.Join(dir, "src"), filepath.Join(dir, "dst")
	for path, tree := range map[string]string{src: killedSource, dst: dest, filepath.Join(dir, "temp"): ""} {
		fillDir(t, path, tree)
	}
	command := append(append([]string{"psync"}, args...), "-j1", src+"/", dst)
	exit, said := runKilled(append([]string{"killed", "-after", fmt.Sprint(n), dir, "*"}, command...))
	if exit == endedEarly {
		return false
	}
	if exit != 0 {
		t.Fatalf("exit code %d: %s", exit, said)
	}
	want := mustTakeInventory(t, src)
	for at, i := range mustTakeInventory(t, dst) {
		if w := want[at]; w != nil && i.st.Mode&unix.S_IFMT == unix.S_IFREG && i.st.Size == w.st.Size && i.st.Mtim == w.st.Mtim && i.inside != w.inside {
			t.Errorf("%s looks whole", at)
		}
	}
	if exit, said := runKilled(command); exit != 0 || said != "" {
		t.Errorf("once more: exit code %d: %s", exit, said)
	}
	if diff := want.differs(mustTakeInventory(t, dst), same); diff != nil {
		t.Errorf("%d differ:\n%s", len(diff), strings.Join(diff, "\n"))
	}
	return true
}

func contentsOf(i *item) string { return kinds[i.st.Mode&unix.S_IFMT] + " " + i.inside }

// filesOf describes the existence of files, and the contents of all other entries.
func filesOf(i *item) string {
	if i.st.Mode&unix.S_IFMT != unix.S_IFREG {
		return contentsOf(i)
	}
	return fmt.Sprintf("%s %o %d.%d %q", contentsOf(i), i.st.Mode, i.st.Mtim.Sec, i.st.Mtim.Nsec, i.peers)
}

func fillDir(t *testing.T, path, tree string) {
	t.Helper()
	if err := os.Mkdir(path, 0o755); err != nil {
		t.Fatal(err)
	}
	d, err := localfs.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer d.Close()
	fstest.Fill(t, d, tree)
}

func mustTakeInventory(t *testing.T, root string) inventory {
	t.Helper()
	inv, err := inventoryOpened(root)
	if err != nil {
		t.Fatal(err)
	}
	return inv
}

// runKilled runs a command and returns its exit code and what it wrote to standard error.
func runKilled(args []string) (exit int, said string) { return runIn("", args) }

func runIn(dir string, args []string) (exit int, said string) {
	cmd := exec.Command(args[0], args[1:]...)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "LC_ALL=C", "GORACE=atexit_sleep_ms=0")
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	err := cmd.Run()
	if cmd.ProcessState == nil {
		return 99, err.Error()
	}
	return cmd.ProcessState.ExitCode(), stderr.String()
}
