package bench

import (
	"bytes"
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"psync/internal/bench/farhost"
	"psync/internal/bench/tree"
	"psync/internal/delayfs"
)

// outcome runs the program with one round on the small tree, in a directory of
// which nothing may be left, and returns what it wrote.
func outcome(t *testing.T, args ...string) string {
	t.Helper()
	dir := t.TempDir()
	var stdout, stderr bytes.Buffer
	args = append([]string{"-rounds", "1", "-workloads", "", "-tree", smallTree(t), "-dir", dir}, args...)
	if code := Main(t.Context(), args, &stdout, &stderr); code != 0 {
		t.Fatalf("exit code %d\n%s", code, &stderr)
	}
	checkEmpty(t, dir)
	return stdout.String()
}

func TestMainDoesEachKind(t *testing.T) {
	t.Parallel()
	cp, mkdir, rm := look(t, "cp"), look(t, "mkdir"), look(t, "rm")
	peers := []string{
		"-only", "all,idle",
		"-peer", "all=" + cp + " -R {src} {dst}",
		"-peer", "all@noop,changed=" + cp + " -R {src}/. {dst}",
		"-peer", "all@delete=" + rm + " -r {dst}",
		"-peer", "idle@noop,changed=" + mkdir + " -p {src} {dst}",
		"-peer", "idle@delete=" + mkdir + " -p {dst}",
	}
	for k, idle := range map[kind]string{
		copying:  "", // not in the table
		noop:     " | ? | #.",
		changed:  "failed: copied 2 files, 8 bytes of 2 files, 7 bytes",
		deleting: "failed: the copy is still there",
	} {
		t.Run(string(k), func(t *testing.T) {
			output := outcome(t, append(peers, "-do", string(k))...)
			checkRows(t, output, map[string]string{"all": " | #."})
			if idle != "" {
				checkRows(t, output, map[string]string{"idle": idle})
			} else if strings.Contains(output, "| idle") {
				t.Errorf("a tool that cannot %s is in\n%s", k, output)
			}
		})
	}
}

func TestMainMeasuresNumbersOfWorkers(t *testing.T) {
	t.Parallel()
	cp, dir := look(t, "cp"), t.TempDir()
	psync := filepath.Join(dir, "psync")
	// Called as: psync copy -j N SRC DST
	script := "#!" + look(t, "sh") + "\n[ \"$1 $2\" = \"copy -j\" ] || exit 1\n" + cp + " -R $4 $5\n"
	markdown, svg := filepath.Join(dir, "README.md"), filepath.Join(dir, "plot.svg")
	for path, text := range map[string]string{psync: script, markdown: "<!-- bench w -->\n<!-- /bench -->\n"} {
		if err := os.WriteFile(path, []byte(text), 0o777); err != nil {
			t.Fatal(err)
		}
	}
	output := outcome(t, "-psync", psync, "-threads", "8,1", "-only", "psync", "-svg", svg, "-update", markdown, "-mark", "w")
	checkRows(t, output, map[string]string{"psync -j 1": " | #.", "psync -j 8": " | #."})
	updated, err := os.ReadFile(markdown)
	if want := "<!-- bench w -->\n" + output + "<!-- /bench -->\n"; err != nil || string(updated) != want {
		t.Errorf("updated to\n%s%v, want\n%s", updated, err, want)
	}
	image, err := os.ReadFile(svg)
	if err != nil || !strings.Contains(string(image), ">workers<") {
		t.Errorf("plot: %v\n%s", err, image)
	}
}

// needFUSE skips the test where nothing can be mounted.
func needFUSE(t *testing.T) {
	t.Helper()
	mounted, err := delayfs.Mount(t.TempDir(), t.TempDir(), delayfs.Options{})
	if errors.Is(err, errors.ErrUnsupported) {
		t.Skip(err)
	}
	if err == nil {
		err = mounted.Unmount()
	}
	if err != nil {
		t.Fatal(err)
	}
}

func TestMainDelays(t *testing.T) {
	t.Parallel()
	needFUSE(t)
	const latency = 10 * time.Millisecond
	cp, rm, test := look(t, "cp"), look(t, "rm"), look(t, "test")
	for _, tt := range []struct{ name, far, kind, command string }{
		{"a copy to far away", "dst", "copy", cp + " -R {src} {dst}"},
		{"a copy from far away", "src", "copy", cp + " -R {src} {dst}"},
		{"a far copy is changed", "dst", "changed", cp + " -R {src}/. {dst}"},
		{"a far source is unchanged", "src", "noop", test + " -d {src} -a -n {dst}"},
		{"a far copy is deleted", "dst", "delete", rm + " -r {dst}"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			raw := filepath.Join(t.TempDir(), "raw.csv")
			outcome(t, "-latency", latency.String(), "-far", tt.far, "-do", tt.kind, "-csv", raw,
				"-only", "mine", "-peer", "mine@"+tt.kind+"="+tt.command)
			// Every command takes an operation or more on the far side; that on the source
			// takes none on the other.
			for _, line := range rawRuns(t, raw) {
				wall, err := time.ParseDuration(line[5] + "s")
				if err != nil || wall < latency {
					t.Errorf("took %v, %v; want %v at least: %q", wall, err, latency, line)
				}
			}
		})
	}
}

func TestMainCopiesIntoImages(t *testing.T) {
	t.Parallel()
	cp := look(t, "cp")
	for _, m := range images() {
		t.Run(m.name, func(t *testing.T) {
			t.Parallel()
			if err := m.usable(); err != nil {
				t.Skip(err)
			}
			file, point := filepath.Join(t.TempDir(), "image"), t.TempDir()
			if err := m.mount(t.Context(), file, point, m.size(tree.Census{})); err != nil {
				t.Skipf("this machine cannot mount it: %v", err)
			}
			if err := unmountImage(point); err != nil {
				t.Fatal(err)
			}
			script := filepath.Join(t.TempDir(), "script")
			// Only the root of a fresh file system can be a mount point and hold nothing of ours.
			text := "set -e; [ $(stat -c %d $2/..) != $(stat -c %d $2/../..) ]; [ ! -e $2/../old ]; touch $2/../old; " + cp + " -R $1/. $2\n"
			if err := os.WriteFile(script, []byte(text), 0o666); err != nil {
				t.Fatal(err)
			}
			output := outcome(t, "-image", m.name, "-only", "mine", "-peer", "mine="+look(t, "sh")+" "+script+" {src} {dir}")
			checkRows(t, output, map[string]string{"mine": " | #."})
		})
	}
}

func TestMainInterruptedLeavesNothing(t *testing.T) {
	t.Parallel()
	for name, args := range map[string][]string{
		"near": nil,
		"far":  {"-latency", "1ms"},
	} {
		t.Run(name, func(t *testing.T) {
			if args != nil {
				needFUSE(t)
			}
			interrupted(t, args...)
		})
	}
}

// interrupted ends the program in the middle of a copy, and looks for what is left.
func interrupted(t *testing.T, args ...string) {
	t.Helper()
	sh, dir, away := look(t, "sh"), t.TempDir(), t.TempDir()
	fifo, script := filepath.Join(away, "fifo"), filepath.Join(away, "script")
	if err := syscall.Mkfifo(fifo, 0o600); err != nil {
		t.Skip(err)
	}
	// The tool has a child that outlives it, unless that is killed too.
	err := os.WriteFile(script, []byte("mkdir $2; cd $2; echo started >"+fifo+"; sleep 1000; true\n"), 0o666)
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	go func() {
		defer cancel()
		_, _ = os.ReadFile(fifo)
	}()
	var stderr bytes.Buffer
	code := Main(ctx, append(args, "-workloads", "", "-tree", smallTree(t), "-dir", dir, "-only", "slow",
		"-peer", "slow="+sh+" "+script+" {src} {dst}"), io.Discard, &stderr)
	if code != 1 || !strings.Contains(stderr.String(), context.Canceled.Error()) {
		t.Errorf("exit code %d\n%s", code, &stderr)
	}
	checkEmpty(t, dir)
}

func TestWorkIsNotRemovedWhileSomethingIsMounted(t *testing.T) {
	dir := t.TempDir()
	kept := filepath.Join(dir, farPoint, "file of the user") // as if far were a mount
	if err := os.MkdirAll(kept, 0o777); err != nil {
		t.Fatal(err)
	}
	if err := removeWork(dir); err == nil || !strings.Contains(err.Error(), "unmount") {
		t.Errorf("got %v", err)
	}
	if _, err := os.Stat(kept); err != nil {
		t.Error(err)
	}
}

func TestMainReachesAHostBySSH(t *testing.T) {
	t.Parallel()
	look(t, "rsync")
	host, err := farhost.Start(t.Context(), t.TempDir())
	if err != nil {
		t.Skip("no SSH server: ", err)
	}
	defer func() { _ = host.Close() }()
	if out, err := execute(t.Context(), []string{look(t, "ssh"), "-F", host.Config(), farhost.Name, "true"}); err != nil {
		t.Skip("no session with an SSH server: ", err, out)
	}
	for _, far := range []string{"src", "dst"} {
		output := outcome(t, "-ssh", "-latency", "0,1ms", "-far", far, "-only", "rsync -a")
		checkRows(t, output, map[string]string{"rsync -a": " | #."})
	}
}
