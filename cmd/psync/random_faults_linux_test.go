package main

import (
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"golang.org/x/sys/unix"

	"psync/internal/campaign"
)

// faultyRuns are command lines, what the destination is like before, and which of its
// attributes have to be those of the source.
var faultyRuns = []struct {
	args string
	dest string
	same func(*item) string
}{
	{"sync -aHAX --delete", killedDest, (*item).line},
	{"sync -aHAX --delete", "", (*item).line},
	{"sync -aHAX --delete -c", killedDest, (*item).line},
	{"sync -aHAX --delete --inplace", killedDest, (*item).line},
	{"sync -aHAX --delete -T ../temp", killedDest, (*item).line},
	{"sync -aHAX --delete --backup-dir=../backup", killedDest, (*item).line},
	{"sync -aHAX --delete --max-delete=50", killedDest, (*item).line},
	{"sync -aHAX --link-dest=../previous", "", filesOf},
	{"sync -aHAX --copy-dest=../previous", "", (*item).line},
	{"sync -aHAXr --files-from=list", "", (*item).line},
	{"sync -aHAX -u", "", contentsOf}, // attributes of what is newer stay
	{"copy -aHAX", "", (*item).line},
	{"copy", "", contentsOf},
	{"sync", "", timedContentsOf},
	{"cp -afT", killedOlder, filesOf},
	{"cp -rfT", killedOlder, contentsOf},
	{"cp -aufT", killedOlder, contentsOf}, // attributes of what is newer stay
}

// faultySource is the tree that is copied.
const faultySource = killedSource + `
	dir/sub/g 4755 @user.tag=red @user.x="a b" g
	.hidden 600 h
	large 644 "large"*300000
`

// previousTree is a tree that has some of it already.
const previousTree = `
	./ 755 @2001-01-01T00:00:00Z
	a 644 "something else"
	b 444 "b"*50000
	dir/sub/ 555 @2002-02-02T02:02:02Z
	dir/sub/e 640 e
`

// TestRandomFaults fails system calls at random. Status 0 must mean that the destination equals the
// source, each failure must be said, and one more run without faults must make everything right and
// leave nothing behind. FAULTS in the environment says how many runs, FAULTS_SEED is the seed
// of the first, or "random". One that failed is run again with -run TestRandomFaults/seed=NUMBER.
func TestRandomFaults(t *testing.T) {
	for _, seed := range campaign.Seeds("FAULTS", 40, 100) {
		t.Run(fmt.Sprintf("seed=%d", seed), func(t *testing.T) {
			t.Parallel()
			newFaultCase(t, seed).check()
		})
	}
}

// A faultCase is a run with faults.
type faultCase struct {
	*testing.T
	seed     uint64
	dir      string
	far      bool
	command  []string
	args     string
	same     func(*item) string
	source   inventory
	said     string // by the run
	exit     int
	injected string
}

func newFaultCase(t *testing.T, seed uint64) *faultCase {
	t.Helper()
	chance := rand.New(rand.NewPCG(seed, 6))
	run := faultyRuns[chance.IntN(len(faultyRuns))]
	r := &faultCase{T: t, seed: seed, dir: t.TempDir(), args: run.args, same: run.same, far: chance.IntN(3) == 0}
	t.Cleanup(func() {
		if err := removeAll(r.dir); err != nil {
			t.Error(err)
		}
	})
	for name, tree := range map[string]string{"src": faultySource, "dst": run.dest, "temp": "", "backup": "", "previous": previousTree} {
		if name != "dst" || tree != "" || chance.IntN(2) == 0 {
			fillDir(t, filepath.Join(r.dir, name), tree)
		}
	}
	if err := os.WriteFile(filepath.Join(r.dir, "list"), []byte("a\nb\ndir\nlink\nnew\n.hidden\nlarge\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	r.command = append([]string{"psync"}, strings.Fields(r.args)...)
	r.command = append(r.command, "-j"+choose(chance, "1", "2", "16"), "src/", "dst")
	r.source = mustTakeInventory(t, filepath.Join(r.dir, "src"))
	return r
}

// check runs the command with faults, and then without.
func (r *faultCase) check() {
	r.Helper()
	log := filepath.Join(r.TempDir(), "log")
	faulty := []string{"faulty", "-seed", fmt.Sprint(r.seed), "-log", log}
	if r.far {
		faulty = append(faulty, "-far")
	}
	r.exit, r.said = r.run(append(append(faulty, r.dir), r.command...))
	injected, err := os.ReadFile(log)
	if err != nil {
		r.Fatal(err)
	}
	r.injected = string(injected)
	r.Logf("exit code %d, %d faults", r.exit, strings.Count(r.injected, "\n"))
	dst := filepath.Join(r.dir, "dst")
	switch {
	case r.exit == 0:
		if _, err := os.Lstat(dst); err != nil {
			r.Error(err)
		} else if diff := r.differences(strings.Contains(r.said, " could not be kept")); diff != "" {
			r.Errorf("exit code 0, but the destination differs:\n%s", diff)
		}
	case r.exit == 99:
		r.Error("no exit code")
	case len(injected) == 0:
		r.Errorf("exit code %d without a fault", r.exit)
	case !strings.Contains(r.said, ": "):
		r.Errorf("exit code %d without a line that says why", r.exit)
	}
	if strings.Contains(r.said, "goroutine ") {
		r.Error("psync panics")
	}
	r.checkSurroundings("after a run with faults")
	r.letCpIn()
	if exit, said := r.run(r.command); exit != 0 {
		r.Errorf("without faults: exit code %d: %s", exit, said)
	} else if diff := r.differences(false); diff != "" {
		r.Errorf("without faults the destination differs:\n%s", diff)
	}
	r.checkSurroundings("after a run without faults")
	r.checkTemporaries()
	if r.Failed() {
		r.Logf("%s, network %v: exit code %d\n%s\nfaults:\n%.3000s", r.command, r.far, r.exit, r.said, r.injected)
	}
}

func (r *faultCase) run(args []string) (exit int, said string) {
	return runIn(r.dir, args)
}

// letCpIn lets the user write to the directories of the destination before cp runs again. cp gives each its mode also when
// it could not fill it, and asks for the right to write there as little as GNU cp does.
func (r *faultCase) letCpIn() {
	r.Helper()
	if !strings.HasPrefix(r.args, "cp ") || os.Geteuid() == 0 {
		return
	}
	dst, err := os.OpenRoot(filepath.Join(r.dir, "dst"))
	if errors.Is(err, fs.ErrNotExist) {
		return
	}
	if err != nil {
		r.Fatal(err)
	}
	openDirs(dst)
}

// differences tells in what the destination is not what it is to be. If psync has said what
// could not be kept, that may differ.
func (r *faultCase) differences(lax bool) string {
	got, same := mustTakeInventory(r.T, filepath.Join(r.dir, "dst")), r.same
	if lax {
		same = contentsOf
	}
	if !strings.Contains(r.args, "--delete") {
		for at := range got {
			if r.source[at] == nil {
				delete(got, at)
			}
		}
	}
	want := maps.Clone(r.source)
	if strings.Contains(r.args, "--files-from") {
		delete(want, ".")
		delete(got, ".")
	}
	return strings.Join(want.differs(got, same), "\n")
}

// checkSurroundings wants the source to be as it was, and nothing beside the directories to be new.
func (r *faultCase) checkSurroundings(when string) {
	r.Helper()
	if diff := r.source.differs(mustTakeInventory(r.T, filepath.Join(r.dir, "src")), (*item).line); diff != nil {
		r.Errorf("%s the source has changed:\n%s", when, strings.Join(diff, "\n"))
	}
	list, err := os.ReadDir(r.dir)
	if err != nil {
		r.Fatal(err)
	}
	for _, e := range list {
		if !slices.Contains([]string{"src", "dst", "temp", "backup", "previous", "list"}, e.Name()) && !strings.HasPrefix(e.Name(), ".psync-") {
			r.Errorf("%s there is %s", when, e.Name())
		}
	}
}

// checkTemporaries wants none to be left.
func (r *faultCase) checkTemporaries() {
	r.Helper()
	for at := range mustTakeInventory(r.T, r.dir) {
		name := filepath.Base(at)
		if strings.HasPrefix(name, ".psync-") {
			r.Errorf("%s is left", at)
		}
	}
}

func timedContentsOf(i *item) string {
	if i.st.Mode&unix.S_IFMT == unix.S_IFREG {
		return fmt.Sprintf("%s %d.%d", contentsOf(i), i.st.Mtim.Sec, i.st.Mtim.Nsec)
	}
	return contentsOf(i)
}
