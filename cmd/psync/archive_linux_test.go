package main

import (
	"bytes"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"psync/internal/campaign"
)

// TestArchive copies fixtures with -aHAXS between file systems of several kinds, and compares the copies with
// tools that are independent of psync. Unless tests are thorough, root copies between one pair of file systems, and an
// ordinary user between the next. ARCHIVE in the environment is the number of copies for each pair of file systems, and
// ARCHIVE_SEED the seed of the first, or "random".
func TestArchive(t *testing.T) {
	letUserIn(t)
	v := mountVolumes(t, "ext4", "tmpfs", "xfs", "btrfs")
	n, first := uint64(campaign.Size("ARCHIVE", 1, 1)), campaign.Seed("ARCHIVE")
	pairs := [][2]string{
		{"here", "here"},
		{"ext4", "ext4"},
		{"tmpfs", "tmpfs"},
		{"xfs", "xfs"},
		{"btrfs", "btrfs"},
		{"tmpfs", "ext4"},
		{"ext4", "xfs"},
		{"xfs", "btrfs"},
		{"btrfs", "tmpfs"},
	}
	for i, pair := range pairs {
		for _, user := range usersOfTurn(i) {
			who := "root"
			if user {
				who = "user"
			}
			for seed := first; seed < first+n; seed++ {
				t.Run(fmt.Sprintf("%s/%s/%s/seed=%d", who, pair[0], pair[1], seed), func(t *testing.T) {
					t.Parallel()
					newArchive(t, seed, seed+uint64(i), v.get(t, pair[0]), v.get(t, pair[1]), user).check()
				})
			}
		}
	}
}

// usersOfTurn reports who copies between the ith pair of file systems: an ordinary user if true, root if false. It is
// both if tests are thorough, and where root, who can be either, does not run them.
func usersOfTurn(i int) []bool {
	if campaign.Thorough() || !conditions["root"]() {
		return []bool{false, true}
	}
	return []bool{i%2 == 1}
}

// An archive is a fixture and a copy of it.
type archive struct {
	*testing.T
	seed     uint64
	src, dst string
	user     bool // an ordinary user copies
	args     []string
	state    string // of dst before
	depth    int    // of its deepest directory, if that is too deep for other tools
	atimes   bool
	said     strings.Builder
}

func newArchive(t *testing.T, seed, variant uint64, from, to string, user bool) *archive {
	t.Helper()
	if user != (os.Geteuid() != 0) && !isRoot() {
		t.Skip("needs root")
	}
	r := rand.New(rand.NewPCG(seed, 4))
	a := &archive{T: t, seed: seed, user: user}
	a.src, a.dst = filepath.Join(a.place(from), "src"), filepath.Join(a.place(to), "dst")
	a.state = []string{"missing", "other", "killed"}[variant%3]
	a.atimes = a.state == "missing" && r.IntN(2) == 0
	a.args = []string{"-aHAXS", "-j" + choose(r, "1", "2", "64")}
	if a.atimes {
		a.args = append(a.args, "-U")
	}
	return a
}

// place makes a temporary directory on a volume.
func (a *archive) place(volume string) string {
	dir, err := os.MkdirTemp(volume, "archive")
	if err != nil {
		a.Fatal(err)
	}
	if err := os.Chmod(dir, 0o777); err != nil {
		a.Fatal(err)
	}
	a.Cleanup(func() {
		if err := removeAll(dir); err != nil {
			a.Error(err)
		}
	})
	return dir
}

func (a *archive) fixture(root string, shape, attrs uint64) *fixture {
	fx := newFixture(root, shape, attrs)
	fx.depth = a.depth
	if a.user && os.Geteuid() == 0 {
		fx.exotic, fx.owner = false, nobodyUID
	}
	return fx
}

func (a *archive) build(fx *fixture) {
	err := fx.build()
	fx.close()
	if err != nil {
		a.Fatal(err)
	}
}

func (a *archive) check() {
	a.Helper()
	a.build(a.fixture(a.src, 2*a.seed, 2*a.seed))
	switch a.state {
	case "other":
		shape, attrs := 2*a.seed, 2*a.seed+1
		if a.seed%2 == 0 {
			shape, attrs = attrs, shape
		}
		a.build(a.fixture(a.dst, shape, attrs))
		a.args = append(a.args, "--delete")
	case "killed":
		a.kill(append([]string{"sync"}, a.args...))
	}
	before, had := a.inventory(a.src, true), inventory{}
	if a.state == "other" {
		had = a.inventory(a.dst, true)
	}
	var dry string
	if a.state != "missing" {
		dry = sortLines(a.psync(0, "-n", "-i"))
	}
	wet := sortLines(a.psync(0, "-i"))
	if a.state != "missing" && slices.Contains(a.args, "-j1") && dry != wet { // else it is chance which of several names comes first
		a.Errorf("a dry run lists something else:\n%s", unified(dry, wet))
	}
	if a.atimes {
		a.report("access times", before.differs(a.inventory(a.dst, true), accessed))
	}
	want, got := a.inventory(a.src, false), a.inventory(a.dst, false)
	a.report("attributes", want.differs(got, (*item).line))
	a.report("holes", got.fat(want, had))
	if !a.atimes { // for those of links change whenever they are read
		if again := a.psync(0, "-i"); again != "" {
			a.Errorf("a second run says\n%s", again)
		}
		a.report("a second run did something", got.differs(a.inventory(a.dst, true), touched))
	}
	if a.depth == 0 {
		a.compare()
	}
	if a.Failed() {
		a.Logf("seed %d, %s, %s", a.seed, a.state, a.said.String())
	}
}

func (a *archive) inventory(root string, brief bool) inventory {
	inv, err := takeInventory(root, brief)
	if err != nil {
		a.Fatal(err)
	}
	return inv
}

func (a *archive) report(what string, diff []string) {
	if len(diff) > 0 {
		a.Errorf("%s: %d differ:\n%s", what, len(diff), strings.Join(diff[:min(8, len(diff))], "\n"))
	}
}

// command prepares a run of psync as the user of the test.
func (a *archive) command(args []string) *exec.Cmd {
	args = append([]string{"psync"}, args...)
	if a.user {
		args = append([]string{"asuser"}, args...)
	}
	cmd := exec.Command(args[0], append(args[1:], a.src+"/", a.dst)...)
	cmd.Env = append(os.Environ(), "LC_ALL=C", "GORACE=atexit_sleep_ms=0")
	return cmd
}

// psync runs a sync that must succeed without output on standard error, and returns its list.
func (a *archive) psync(exit int, more ...string) string {
	cmd := a.command(slices.Concat([]string{"sync"}, a.args, more))
	var stdout, stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	if err := cmd.Run(); cmd.ProcessState == nil {
		a.Fatal(err)
	}
	fmt.Fprintf(&a.said, "%q\n", cmd.Args)
	if cmd.ProcessState.ExitCode() != exit || stderr.Len() > 0 {
		a.Errorf("%q: exit code %d, want %d:\n%s", cmd.Args, cmd.ProcessState.ExitCode(), exit, stderr.String())
	}
	return stdout.String()
}

// kill starts psync, and kills it when a part of the tree has been copied.
func (a *archive) kill(args []string) {
	cmd := a.command(args)
	if err := cmd.Start(); err != nil {
		a.Fatal(err)
	}
	done := make(chan error, 1)
	go func() { done <- cmd.Wait() }()
	for part := int(a.seed%17)*12 + 1; ; {
		select {
		case err := <-done:
			if err != nil && cmd.ProcessState.ExitCode() >= 0 {
				a.Fatal(err)
			}
			return
		case <-time.After(100 * time.Microsecond):
			if matches(a.dst, "*", part) {
				_ = cmd.Process.Kill()
			}
		}
	}
}

// compare compares the copy with the original by other tools.
func (a *archive) compare() {
	for _, tool := range []string{"rsync", "getfacl", "getfattr", "getcap"} {
		if _, err := exec.LookPath(tool); err != nil {
			a.Logf("not compared by %s, which is not installed", tool)
			continue
		}
		if tool == "rsync" {
			args := []string{"-naicHAX", "--delete", "--modify-window=-1", a.src + "/", a.dst}
			if os.Geteuid() == 0 { // others do not see these, and rsync compares too much where there is a rule
				args = append(args, "--filter=-x "+fromXFS+"*")
			}
			if out := a.tool("", "rsync", args...); out != "" {
				a.Errorf("rsync would do\n%s", out)
			}
			continue
		}
		args := map[string][]string{
			"getfacl": {"-R", "-P", "-p", "-n", "."}, "getfattr": {"-hRPd", "-m", "-", "--absolute-names", "."}, "getcap": {"-r", "."},
		}[tool]
		if want, got := a.tool(a.src, tool, args...), a.tool(a.dst, tool, args...); want != got {
			a.Errorf("%s: the lists differ:\n%s", tool, unified(want, got))
		}
	}
}

// tool runs a tool in a directory, and returns its output with one paragraph per file, in a fixed order.
func (a *archive) tool(dir, name string, args ...string) string {
	cmd := exec.Command(name, args...)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "LC_ALL=C")
	var stdout, stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	if err := cmd.Run(); err != nil || stderr.Len() > 0 {
		a.Errorf("%q: %v\n%s", cmd.Args, err, stderr.String())
	}
	if name == "rsync" {
		return stdout.String()
	}
	lines := slices.DeleteFunc(strings.SplitAfter(stdout.String(), "\n"), func(line string) bool { return strings.HasPrefix(line, fromXFS) })
	sep := "\n\n"
	if name == "getcap" {
		sep = "\n"
	}
	list := strings.Split(strings.Join(lines, ""), sep)
	slices.Sort(list)
	return strings.Join(list, sep)
}

func sortLines(s string) string {
	lines := strings.SplitAfter(s, "\n")
	slices.Sort(lines)
	return strings.Join(lines, "")
}

// unified lists the lines that only one of two texts has.
func unified(want, got string) string {
	a, b := slices.Sorted(strings.SplitSeq(want, "\n")), slices.Sorted(strings.SplitSeq(got, "\n"))
	diff := append(missing("-", a, b), missing("+", b, a)...)
	if len(diff) == 0 {
		return errors.New("the order, or the number of lines").Error()
	}
	return strings.Join(diff[:min(30, len(diff))], "\n")
}
