package main

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"psync/internal/campaign"
)

// operandRuns are command lines, with the operands for which system calls fail. The fixture is described at
// operandFixture.
var operandRuns = []struct {
	args  string
	paths string
}{
	{"sync -a ./src ./dst", "./src ./dst"},
	{"sync -a src/ dst/", "src/ dst/ src dst"},
	{"sync -a src new", "src new ."},
	{"sync -a src new/", "src new/ ."},
	{"copy --mkpath src new/deeper", "src new new/deeper ."},
	{"-create src new/deeper", "src new new/deeper ."},
	{"sync -a link dst", "link src dst"},
	{"sync -a link/ dst", "link/ src dst"},
	{"sync -a dangling dst", "dangling dst"},
	{"sync -a src/b dst", "src/b dst dst/b"},
	{"sync -a src/b dst/b", "src/b dst/b dst"},
	{"sync -a src other dst", "src other dst dst/src dst/other"},
	{"sync -a src/. other dst", "src/. src other dst dst/src"},
	{"sync -a src src/b dst", "src src/b dst dst/src dst/b"},
	{"sync -a --delete nested dst", "nested dst dst/nested nested/nested"},
	{"sync -a --delete --exclude-from=rules src dst", "src dst rules"},
	{"sync -a --files-from=list src dst", "src dst list"},
	{"sync -a --link-dest=../other src new", "src new other"},
	{"sync -a --backup-dir=old src dst", "src dst dst/old src/old"},
	{"sync -a --backup-dir=../old src other dst", "src other dst old"},
	{"sync -a --temp-dir=../other src dst", "src dst other"},
	{"sync -a --delete --backup-dir=nested src dst", "src dst dst/nested nested"},
	{"sync -a --delete --link-dest=nested src dst", "src dst dst/nested nested"},
	{"sync -aK --delete src/sub link", "src/sub link src"},
	{"sync -a dst/inside dst", "dst/inside dst"},
	{"sync -a dst dst/inside", "dst/inside dst"},
	{"compare src dst", "src dst"},
	{"compare src same", "src same"},
	{"delete -f dst other/x", "dst other other/x"},
	{"cp -r src dst", "src dst dst/src"},
	{"cp src/b dst", "src/b dst dst/b"},
	{"cp -r src other dst", "src other dst dst/src dst/other"},
	{"cp -rt dst src other", "src other dst dst/src"},
	{"cp -rT src dst", "src dst"},
}

const operandFixture = `
mkdir -p src/sub dst/nested dst/inside other nested same/sub
echo newer >src/b; echo older >dst/b; echo x >other/x; echo n >nested/n; echo n >dst/nested/n
echo newer >same/b; echo s >src/sub/s; echo s >same/sub/s; echo extraneous >dst/extraneous
echo '- *.o' >rules; echo b >list
ln -s src link; ln -s nowhere dangling
touch -d 2020-01-01 dst/b
touch -d 2021-01-01 src/b same/b src/sub/s same/sub/s
chmod 755 src dst same src/sub same/sub
touch -d 2022-01-01 src/sub same/sub src same
`

// A failing system call must not be taken for a fact about an operand: whatever fails, psync must report it
// with its exit status, or do the same as without the failure.
func TestFaultsOfOperands(t *testing.T) {
	if !conditions["strace"]() {
		t.Skip("strace cannot trace processes here")
	}
	letUserIn(t)
	faults := []string{"EIO", "EACCES", "ETIMEDOUT", "ESTALE", "ELOOP"}
	calls := []string{"newfstatat", "openat", "openat2", "readlinkat"}
	fixture := t.TempDir()
	prepare := exec.Command("sh", "-ec", operandFixture)
	prepare.Dir = fixture
	if out, err := prepare.CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	stride := 47 // between the calls that fail
	if campaign.Thorough() {
		stride = 1
	}
	for which, run := range operandRuns {
		t.Run(strings.NewReplacer(" ", "_", "/", ":").Replace(run.args), func(t *testing.T) {
			t.Parallel()
			want := runWithFault(t, fixture, run.args, run.paths, "", "", 0)
			turn := 0
			for _, call := range calls {
				for nth := 1 + which%stride; ; nth += stride {
					injected := false
					for i := range faults {
						if !campaign.Thorough() && i != turn%len(faults) {
							continue
						}
						got := runWithFault(t, fixture, run.args, run.paths, call, faults[i], nth)
						injected = injected || got.injected
						if got.exit == 0 && !got.answered && (want.exit != 0 || got.tree != want.tree) {
							t.Errorf("%s, call %d fails with %s: exit status 0, and the result is\n%s\nwant\n%s", call, nth, faults[i], got.tree, want.tree)
						}
						if got.exit != 0 && got.stderr == "" && !strings.HasPrefix(run.args, "compare") {
							t.Errorf("%s, call %d fails with %s: exit status %d, and not a word", call, nth, faults[i], got.exit)
						}
					}
					turn++
					if !injected {
						break
					}
				}
			}
		})
	}
}

// A faultyRun is the result of a command line when a system call fails.
type faultyRun struct {
	exit         int
	stderr, tree string
	injected     bool
	answered     bool // a symbolic link looked as if it were part of a loop, and that is an answer
}

// loopOf matches the system call by which a trace shows that something was followed, and had links without end.
var loopOf = regexp.MustCompile(`newfstatat\(AT_FDCWD, "([^"]*)", .*, 0\) = -1 ELOOP .*\(INJECTED\)`)

// runWithFault runs psync in a copy of fixture where the nth call of a kind that has to do with one of the
// paths fails; none does if call is empty.
func runWithFault(t *testing.T, fixture, args, paths, call, fault string, nth int) faultyRun {
	t.Helper()
	dir, trace := t.TempDir(), filepath.Join(t.TempDir(), "trace")
	if out, err := exec.Command("cp", "-a", fixture+"/.", dir).CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	argv := append([]string{"psync"}, strings.Fields(args)...)
	if call != "" {
		under := []string{"strace", "-f", "-o", trace}
		for path := range strings.FieldsSeq(paths) {
			under = append(under, "-P", path)
		}
		under = append(under, "-e", "trace="+call, "-e", fmt.Sprintf("inject=%s:error=%s:when=%d", call, fault, nth))
		argv = append(under, argv...)
	}
	cmd := exec.Command(argv[0], argv[1:]...)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "GORACE=atexit_sleep_ms=0") // or else each process takes a second
	var stderr strings.Builder
	cmd.Stderr = &stderr
	if err := cmd.Run(); err != nil && !errors.As(err, new(*exec.ExitError)) {
		t.Fatal(err)
	}
	run := faultyRun{exit: cmd.ProcessState.ExitCode(), stderr: stderr.String(), tree: listing(t, dir)}
	if call != "" {
		text, err := os.ReadFile(trace)
		if err != nil {
			t.Fatal(err)
		}
		run.injected = strings.Contains(string(text), "(INJECTED)")
		if loop := loopOf.FindSubmatch(text); loop != nil {
			st, err := os.Lstat(filepath.Join(fixture, string(loop[1])))
			run.answered = err == nil && st.Mode().Type() == fs.ModeSymlink
		}
	}
	return run
}

// listing describes what is below dir, but for its times.
func listing(t *testing.T, dir string) string {
	t.Helper()
	var b strings.Builder
	err := filepath.WalkDir(dir, func(path string, e fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		info, err := e.Info()
		if err != nil {
			return err
		}
		var contents []byte
		switch info.Mode().Type() {
		case 0:
			contents, err = os.ReadFile(path)
		case fs.ModeSymlink:
			var target string
			target, err = os.Readlink(path)
			contents = []byte(target)
		}
		fmt.Fprintf(&b, "%s %s %q\n", strings.TrimPrefix(path, dir), info.Mode(), contents)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return b.String()
}
