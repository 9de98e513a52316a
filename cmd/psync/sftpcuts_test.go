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

// TestSFTPSurvivesCuts copies trees to a host by SFTP and back while connections are cut off at random in either direction,
// ten times each way. The runs succeed, and the trees are the same in the end. SFTPCUTS in the environment is the number of
// trees, and SFTPCUTS_SEED the seed of the first, or "random"; SFTPFILES is how many small files each has.
func TestSFTPSurvivesCuts(t *testing.T) {
	testCuts(t, func(path string) []string { return []string{"sftp://box/" + path} }, 60, []string{"to", "from"}, []string{"to", "from"})
}

// TestPsyncSurvivesCuts is TestSFTPSurvivesCuts for a psync on the host. It is cut off where the contents go: it sends little
// in the other direction, and not before it has introduced itself.
func TestPsyncSurvivesCuts(t *testing.T) {
	program, err := exec.LookPath("psync")
	mustDo(t, err)
	testCuts(t, func(path string) []string { return []string{"--remote-psync=" + program, "-z=false", "box:" + path} }, 500, []string{"to"}, []string{"from"})
}

// testCuts copies trees to where there says and back, with cuts in the directions to and from. No connection is cut off before
// it has carried least hundreds of bytes.
func testCuts(t *testing.T, there func(path string) []string, least int, to, from []string) {
	t.Parallel()
	if !conditions["sshd"]() {
		t.Skip("sshd does not work here")
	}
	files := campaign.Size("SFTPFILES", 400, 10_000)
	for _, seed := range campaign.Seeds("SFTPCUTS", 2, 10) {
		t.Run(fmt.Sprintf("seed=%d", seed), func(t *testing.T) {
			t.Parallel()
			l := newCutLine(t, seed)
			src, away, back := filepath.Join(l.dir, "src"), filepath.Join(l.dir, "there"), filepath.Join(l.dir, "back")
			plantForCuts(t, src, files)
			other := filepath.Join(l.dir, "other")
			mustDo(t, os.Mkdir(other, 0o755))
			ways := [][]string{
				{"-aH"}, {"-a", "--delay-updates"}, {"-a", "--inplace"}, {"-a", "-c"}, {"-a", "-j1"}, {"-a", "--temp-dir=" + other}, {"-a", "--backup-dir=" + other},
			}
			args := append([]string{"sync", "--delete"}, ways[seed%uint64(len(ways))]...)
			for _, dst := range []string{away, back} { // which are to be changed, too
				plantForCuts(t, dst, files/10)
				mustDo(t, os.WriteFile(filepath.Join(dst, "d0", "f0"), []byte("old"), 0o600), os.WriteFile(filepath.Join(dst, "extraneous"), nil, 0o600))
			}
			l.run(t, least, files, to, slices.Concat(args, []string{src}, there(away))...)
			l.compare(t, src, away)
			l.run(t, least, files, from, slices.Concat(args, there(away), []string{back})...)
			l.compare(t, src, back)
		})
	}
}

// plantForCuts makes a tree of small files, of which some have two names, and a large one.
func plantForCuts(t *testing.T, root string, files int) {
	t.Helper()
	when := time.Date(2001, 2, 3, 4, 5, 6, 0, time.UTC)
	dirs := []string{root}
	put := func(path, text string) {
		mustDo(t, os.WriteFile(path, []byte(text), 0o640), os.Chtimes(path, when, when))
	}
	for i := range files {
		dir := filepath.Join(root, fmt.Sprintf("d%d", i%20), []string{"", "sub"}[i/20%2])
		if !slices.Contains(dirs, dir) {
			mustDo(t, os.MkdirAll(dir, 0o755))
			dirs = append(dirs, dir)
		}
		path := filepath.Join(dir, fmt.Sprintf("f%d", i))
		put(path, strings.Repeat(fmt.Sprintf("contents of %d\n", i), 1+i%5))
		if i%50 == 1 {
			mustDo(t, os.Link(path, path+"-link"), os.Link(path, filepath.Join(root, fmt.Sprintf("link%d", i))))
		}
	}
	put(filepath.Join(root, "large"), strings.Repeat("a large file of many bytes\n", 100*files))
	slices.Reverse(dirs)
	for _, dir := range dirs {
		mustDo(t, os.Chtimes(dir, when, when))
	}
}

func mustDo(t *testing.T, errs ...error) {
	t.Helper()
	if err := errors.Join(errs...); err != nil {
		t.Fatal(err)
	}
}

// A cutLine leads to a host, and is cut off where the file cuts in its directory says, which has a line for each
// connection: the direction, and after how many hundred bytes.
type cutLine struct {
	dir    string
	random *rand.Rand
}

func newCutLine(t *testing.T, seed uint64) *cutLine {
	t.Helper()
	l := &cutLine{t.TempDir(), rand.New(rand.NewPCG(seed, 5))}
	ssh := filepath.Join(l.dir, "ssh")
	mustDo(t, makeSSHD(ssh, nil), os.MkdirAll(filepath.Join(l.dir, "home"), 0o755))
	config, err := os.ReadFile(filepath.Join(ssh, "config"))
	mustDo(t, err)
	var server string
	lines := strings.SplitAfter(string(config), "\n")
	for i, line := range lines {
		if command, ok := strings.CutPrefix(line, "ProxyCommand "); ok {
			server, lines[i] = strings.TrimSpace(command), "ProxyCommand sh "+filepath.Join(ssh, "line.sh")+"\n"
		}
	}
	script := `cd ` + l.dir + `
read -r way n <cuts || exec ` + server + `
sed 1d cuts >rest && mv rest cuts
case $way in
to) dd bs=100 count=$n 2>/dev/null | ` + server + ` ;;
from) ` + server + ` | { dd bs=100 count=$n 2>/dev/null; kill $$; } ;;
esac
`
	mustDo(t, os.WriteFile(filepath.Join(ssh, "config"), []byte(strings.Join(lines, "")), 0o600),
		os.WriteFile(filepath.Join(ssh, "line.sh"), []byte(script), 0o600))
	return l
}

// run runs psync with ten connections that are cut off.
func (l *cutLine) run(t *testing.T, least, files int, ways []string, args ...string) {
	t.Helper()
	const cuts = 10
	var text strings.Builder
	for range cuts {
		fmt.Fprintf(&text, "%s %d\n", ways[l.random.IntN(len(ways))], least+l.random.IntN(files/4))
	}
	mustDo(t, os.WriteFile(filepath.Join(l.dir, "cuts"), []byte(text.String()), 0o600))
	cmd := exec.Command("psync", append(args, "--ssh-config="+filepath.Join(l.dir, "ssh", "config"))...)
	cmd.Env = append(os.Environ(), "HOME="+filepath.Join(l.dir, "ssh"), "SSH_AUTH_SOCK=")
	out, err := cmd.CombinedOutput()
	lost := bytes.Count(out, []byte("the connection is lost"))
	left, _ := os.ReadFile(filepath.Join(l.dir, "cuts"))
	if err != nil || lost != cuts || len(left) > 0 {
		t.Fatalf("%q: %v; the connection was lost %d times, want %d\n%s", args, err, lost, cuts, out)
	}
}

// compare compares two trees, without psync.
func (l *cutLine) compare(t *testing.T, a, b string) {
	t.Helper()
	var all [2][]string
	for i, dir := range []string{a, b} {
		lines, err := new(lister).list(dir)
		mustDo(t, err)
		all[i] = lines
	}
	if diff := append(missing("-", all[0], all[1]), missing("+", all[1], all[0])...); len(diff) > 0 {
		t.Errorf("%s and %s differ:\n%s", a, b, strings.Join(diff[:min(40, len(diff))], ""))
	}
}
