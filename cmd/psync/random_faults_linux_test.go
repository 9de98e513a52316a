package main

import (
	"crypto/sha256"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
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

// TestRandomFaults makes random system calls fail. Status 0 must mean that the destination equals the source,
// each failure must be reported, and another run without faults must complete everything and leave nothing
// behind. FAULTS in the environment is the number of runs, and FAULTS_SEED the seed of the first, or
// "random". To repeat a failed run, use -run TestRandomFaults/seed=NUMBER.
func TestRandomFaults(t *testing.T) {
	for _, seed := range campaign.Seeds("FAULTS", 12, 100) {
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
	if !strings.HasPrefix(r.args, "cp ") {
		r.args += sideFlags(chance, r.args)
	}
	r.command = append([]string{"psync"}, strings.Fields(r.args)...)
	r.command = append(r.command, "-j"+choose(chance, "1", "2", "16"), "src/", "dst")
	r.source = mustTakeInventory(t, filepath.Join(r.dir, "src"))
	return r
}

// sideFlags makes up flags that are allowed with those that a run has: flags that have it write files of its own, or write
// those of the destination in another way.
func sideFlags(chance *rand.Rand, args string) string {
	var flags string
	switch chance.IntN(4) {
	case 0, 1:
		flags += " --journal=journal --resume"
	case 2:
		flags += " --manifest=sums"
	}
	if chance.IntN(3) == 0 {
		flags += " --verify"
	}
	if strings.Contains(args, "--inplace") {
		return flags
	}
	if chance.IntN(3) == 0 && !strings.Contains(flags, "--manifest") {
		flags += " --delay-updates"
	}
	if chance.IntN(3) == 0 && !strings.Contains(args, "-T ") {
		flags += " -T ../temp"
	}
	return flags
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
	r.checkJournal()
	r.checkManifest(r.exit == 0)
	r.checkSurroundings("after a run with faults")
	r.letCpIn()
	if exit, said := r.run(r.command); exit != 0 {
		r.Errorf("without faults: exit code %d: %s", exit, said)
	} else if diff := r.differences(r.toleratesUnkept()); diff != "" {
		r.Errorf("without faults the destination differs:\n%s", diff)
	} else {
		r.checkManifest(true)
		r.checkWholeJournal()
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

// differences describes how the destination differs from the expected state. Attributes that psync has
// reported as not kept may differ.
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

// toleratesUnkept reports whether a run has warned of attributes that could not be kept where a journal makes the next run
// skip what is done. Where flags ask for them that is a failure, and nothing is skipped.
func (r *faultCase) toleratesUnkept() bool {
	return strings.Contains(r.args, "--journal") && regexp.MustCompile(`warning: .* could not be kept`).MatchString(r.said)
}

// checkSurroundings checks that the source is unchanged and that there are no new entries next to the
// directories.
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
		if !slices.Contains([]string{"src", "dst", "temp", "backup", "previous", "list", "journal", "sums"}, e.Name()) && !strings.HasPrefix(e.Name(), ".psync-") {
			r.Errorf("%s there is %s", when, e.Name())
		}
	}
}

// checkJournal checks that the destination has everything in the source if the journal says that the run is
// complete.
func (r *faultCase) checkJournal() {
	r.Helper()
	if !strings.Contains(r.args, "--journal") {
		return
	}
	exit, said := r.run([]string{"psync", "status", "journal"})
	if exit != 0 {
		if r.exit == 0 {
			r.Errorf("exit code 0, but psync status says %d: %s", exit, said)
		}
		return
	}
	if diff := r.differences(strings.Contains(r.said, " could not be kept")); diff != "" {
		r.Errorf("the journal says that the run is complete, but the destination differs:\n%s", diff)
	}
}

// checkWholeJournal checks that the journal says that the run is complete, and that psync status --check
// agrees.
func (r *faultCase) checkWholeJournal() {
	r.Helper()
	if !strings.Contains(r.args, "--journal") {
		return
	}
	if exit, said := r.run([]string{"psync", "status", "--check", "journal"}); exit != 0 {
		r.Errorf("after a run without faults psync status --check says %d: %s", exit, said)
	}
}

// checkManifest fails the test unless each line of the manifest has the checksum of a file on both sides. whole says
// that each file of the source must have a line. A failed run need not have written any lines.
func (r *faultCase) checkManifest(whole bool) {
	r.Helper()
	if !strings.Contains(r.args, "--manifest") {
		return
	}
	text, err := os.ReadFile(filepath.Join(r.dir, "sums"))
	if err != nil {
		if whole {
			r.Error(err)
		}
		return
	}
	listed := make(map[string]bool)
	for line := range strings.Lines(string(text)) {
		sum, name, _ := strings.Cut(strings.TrimSuffix(line, "\n"), "  ")
		listed[name] = true
		for _, side := range []string{"src", "dst"} {
			content, err := os.ReadFile(filepath.Join(r.dir, side, name))
			if got := fmt.Sprintf("%x", sha256.Sum256(content)); err != nil || got != sum {
				r.Errorf("the manifest lists %q, of which %s has something else (%v)", name, side, err)
			}
		}
	}
	for at, item := range r.source {
		if whole && item.st.Mode&unix.S_IFMT == unix.S_IFREG && !listed[at] {
			r.Errorf("the manifest lacks %q", at)
		}
	}
}

// checkTemporaries checks that no temporaries are left.
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
